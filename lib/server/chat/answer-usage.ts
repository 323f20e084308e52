import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import type { MessageScheme } from '@/lib/protocol/e2ee/request-check';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import {
  estimateTokens,
  isMiscounted,
  readUsage,
  saysUsage,
  type TokenUsage,
  usageJson,
} from '@/lib/protocol/chat/token-usage';
import { recordOf } from '@/lib/protocol/json-record';

/** Request data for estimating tokens if the answer reports no usage. */
interface CountedRequest {
  request: ChatRequest;
  encrypted: MessageScheme | null;
  /** Maximum tokens of all completions together. */
  completionTokensMax: number;
}

/**
 * Returns the tokens of a whole answer: the upstream's count, or an estimate from the bytes of prompt and output.
 * Ignores a count of zero if the answer has text.
 * @param answer parsed JSON
 */
export function usageOfAnswer(
  answer: unknown,
  { request, encrypted, completionTokensMax }: CountedRequest,
): TokenUsage {
  const told = readUsage((answer as { usage?: unknown } | null)?.usage);
  const bytes = producedBytes(answer);
  if (told !== null && !isMiscounted(told, bytes > 0)) return told;
  return {
    ...told,
    promptTokens: told?.promptTokens || estimatePromptTokens(request, { encrypted }),
    completionTokens: told?.completionTokens || Math.min(completionTokensMax, Math.max(1, estimateTokens(bytes))),
  };
}

/**
 * Sets an answer's usage to the charged tokens.
 *
 * @returns whether the usage differed or was missing
 */
export function correctUsage(answer: Record<string, unknown>, sold: TokenUsage): boolean {
  if (answer['usage'] != null && saysUsage(answer['usage'], sold)) return false;
  answer['usage'] = usageJson(sold);
  return true;
}

/** Returns the UTF-8 bytes of the model's text, reasoning and function calls. */
function producedBytes(answer: unknown): number {
  const choices = (answer as { choices?: unknown } | null)?.choices;
  if (!Array.isArray(choices)) return 0;
  let sum = 0;
  for (const choice of choices as unknown[]) {
    const { content, reasoning, refusal } = readAnswerParts(choice, 'message');
    const { tool_calls: calls, function_call: call } = recordOf(recordOf(choice)['message']);
    for (const text of [content, reasoning, refusal]) sum += Buffer.byteLength(text);
    for (const called of [calls, call]) if (called != null) sum += Buffer.byteLength(JSON.stringify(called));
  }
  return sum;
}
