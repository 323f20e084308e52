/** Tokens that a completion took, as the upstream counts them. */
export interface TokenUsage {
  /** All of the prompt, with what was in a cache. */
  promptTokens: number;
  /** All that was generated, thoughts included. */
  completionTokens: number;
  /** Part of the prompt that the server read from its cache; none unless given. */
  cachedTokens?: number;
  /** Part of the prompt that the server wrote into its cache; none unless given. */
  cacheWriteTokens?: number;
}

/** UTF-8 bytes that are taken for one token where nobody counted: about right for English text, low for other scripts. */
const BYTES_PER_TOKEN = 4;
/** No chat takes more: what is said beyond that is no count, and at no price is it beyond what can be computed. */
const COUNT_MAX = 999_999_999;

type Json = Readonly<Record<string, unknown>>;

/**
 * The `usage` of an OpenAI-style answer or chunk; null where it has none that can be read. No prompt is empty, so that
 * one of 0 tokens is no count. Parts of the prompt that come to more than all of it are no counts either.
 */
export function readUsage(value: unknown): TokenUsage | null {
  const usage = objectOf(value);
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (!isCount(prompt) || !isCount(completion)) return null;
  const counted = { promptTokens: prompt, completionTokens: completion + thoughtsBeside(usage, prompt, completion) };
  const cached = cachedOf(usage);
  const written = writtenOf(usage);
  if (cached + written === 0 || cached + written > prompt) return counted;
  return { ...counted, ...(cached > 0 && { cachedTokens: cached }), ...(written > 0 && { cacheWriteTokens: written }) };
}

/** Whether a count leaves out what was said: zeros beside words are none. */
export function isMiscounted({ promptTokens, completionTokens }: TokenUsage, hasWords: boolean): boolean {
  return promptTokens === 0 || (hasWords && completionTokens === 0);
}

/** The same in the form of OpenAI's API. */
export function usageJson({ promptTokens, completionTokens, cachedTokens }: TokenUsage): Json {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}

/** The words of the ledger for what was bought. */
export function usageText({ promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 }: TokenUsage): string {
  const parts = [cachedTokens > 0 ? `, ${cachedTokens} cached` : '', cacheWriteTokens > 0 ? `, ${cacheWriteTokens} written to the cache` : ''];
  return `${promptTokens} + ${completionTokens} tokens${parts.join('')}`;
}

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const cachedTokens = (one.cachedTokens ?? 0) + (other.cachedTokens ?? 0);
  const cacheWriteTokens = (one.cacheWriteTokens ?? 0) + (other.cacheWriteTokens ?? 0);
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  };
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

/** Tokens read from a cache, by the names of OpenAI and most others, Moonshot and Together, DeepSeek, Anthropic's form (LiteLLM), and the Responses API. */
function cachedOf(usage: Json): number {
  const inPrompt = objectOf(usage['prompt_tokens_details'])['cached_tokens'];
  const inInput = objectOf(usage['input_tokens_details'])['cached_tokens'];
  return firstCount(inPrompt, usage['cached_tokens'], usage['prompt_cache_hit_tokens'], usage['cache_read_input_tokens'], inInput);
}

/** Tokens written into a cache, by the names of OpenRouter, Alibaba and Anthropic's form. */
function writtenOf(usage: Json): number {
  const details = objectOf(usage['prompt_tokens_details']);
  return firstCount(details['cache_write_tokens'], details['cache_creation_input_tokens'], details['cache_creation_tokens'], usage['cache_creation_input_tokens']);
}

/** xAI counts thoughts beside the completion: its total has them, the completion does not. */
function thoughtsBeside(usage: Json, prompt: number, completion: number): number {
  const thoughts = firstCount(objectOf(usage['completion_tokens_details'])['reasoning_tokens'], usage['reasoning_tokens']);
  return thoughts > 0 && usage['total_tokens'] === prompt + completion + thoughts ? Math.min(thoughts, COUNT_MAX - completion) : 0;
}

/** Of several names the first that says more than nothing: servers write zeros under names that they do not use. */
function firstCount(...values: readonly unknown[]): number {
  return values.find((value): value is number => isCount(value) && value > 0) ?? 0;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= COUNT_MAX;
}
