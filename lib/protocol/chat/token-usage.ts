/** Tokens that a completion took, as the upstream counts them. */
export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

/** UTF-8 bytes that are taken for one token where nobody counted: about right for English text, low for other scripts. */
const BYTES_PER_TOKEN = 4;
/** No chat takes more: what is said beyond that is no count, and at no price is it beyond what can be computed. */
const COUNT_MAX = 999_999_999;

/** The `usage` of an OpenAI-style answer or chunk; null where it has none that can be read. */
export function readUsage(value: unknown): TokenUsage | null {
  if (typeof value !== 'object' || value === null) return null;
  const { prompt_tokens: prompt, completion_tokens: completion } = value as Record<string, unknown>;
  return isCount(prompt) && isCount(completion) ? { promptTokens: prompt, completionTokens: completion } : null;
}

/** Tokens of so many bytes of text, where the upstream does not say: a quarter of them, rounded up. */
export function estimateTokens(textBytes: number): number {
  return Math.ceil(textBytes / BYTES_PER_TOKEN);
}

/** No text has more tokens than bytes: what a prompt can come to at most. `perMessage` is for the marks between messages. */
export function promptTokensMax(bodyBytes: number, messages: number): number {
  const perMessage = 16;
  return bodyBytes + messages * perMessage;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= COUNT_MAX;
}
