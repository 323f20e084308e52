import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import type { MessageScheme } from '@/lib/protocol/e2ee/request-check';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { estimateTokens, isMiscounted, readUsage, type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';

type Json = Readonly<Record<string, unknown>>;

/** What a request tells of tokens where its answer does not. */
interface CountedRequest {
  request: ChatRequest;
  encrypted: MessageScheme | null;
  /** Of the completions together: an estimate never exceeds it. */
  completionTokensMax: number;
}

/**
 * The tokens of a whole answer: as the upstream counts them, else estimated from the bytes of the prompt's text and of
 * what was produced. Zeros beside words are no count.
 * @param answer as parsed JSON
 */
export function usageOfAnswer(answer: unknown, { request, encrypted, completionTokensMax }: CountedRequest): TokenUsage {
  const told = readUsage((answer as { usage?: unknown } | null)?.usage);
  const bytes = producedBytes(answer);
  if (told !== null && !isMiscounted(told, bytes > 0)) return told;
  return {
    promptTokens: told?.promptTokens || estimatePromptTokens(request, { encrypted }),
    completionTokens: told?.completionTokens || Math.min(completionTokensMax, Math.max(1, estimateTokens(bytes))),
  };
}

/** Sets the usage of an answer to what was sold, where the upstream says something else. @returns whether it was set */
export function correctUsage(answer: Record<string, unknown>, sold: TokenUsage): boolean {
  if (answer['usage'] == null) return false;
  const told = readUsage(answer['usage']);
  if (told?.promptTokens === sold.promptTokens && told.completionTokens === sold.completionTokens) return false;
  answer['usage'] = usageJson(sold);
  return true;
}

/** UTF-8 bytes of the model's own words: what it says, thinks, and calls functions with. */
function producedBytes(answer: unknown): number {
  const choices = (answer as { choices?: unknown } | null)?.choices;
  if (!Array.isArray(choices)) return 0;
  let sum = 0;
  for (const choice of choices as unknown[]) {
    const message = (choice as { message?: unknown } | null)?.message;
    if (typeof message !== 'object' || message === null) continue;
    const { content, reasoning_content: reasoning, reasoning: thoughts, tool_calls: calls } = message as Json;
    for (const text of [content, reasoning, thoughts]) if (typeof text === 'string') sum += Buffer.byteLength(text);
    if (calls !== undefined && calls !== null) sum += Buffer.byteLength(JSON.stringify(calls));
  }
  return sum;
}
