import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import type { MessageScheme } from '@/lib/protocol/e2ee/request-check';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { estimateTokens, readUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';

type Json = Readonly<Record<string, unknown>>;

/**
 * The tokens of a whole answer: as the upstream counts them, else estimated from the bytes of the prompt's text and of
 * what was produced.
 * @param answer as parsed JSON
 */
export function usageOfAnswer(answer: unknown, request: ChatRequest, options: { encrypted: MessageScheme | null } = { encrypted: null }): TokenUsage {
  return readUsage((answer as { usage?: unknown } | null)?.usage) ?? { promptTokens: estimatePromptTokens(request, options), completionTokens: Math.max(1, estimateTokens(producedBytes(answer))) };
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
