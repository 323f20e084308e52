/** Tokens of a completion, as reported by the upstream. */
export interface TokenUsage {
  /** Includes cached tokens. */
  promptTokens: number;
  /** Includes reasoning. */
  completionTokens: number;
  /** Prompt tokens read from the server's cache. */
  cachedTokens?: number;
  /** Prompt tokens written to the server's cache. */
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

/** Estimated UTF-8 bytes per token of English text. */
const BYTES_PER_TOKEN = 4;
/** Largest plausible count. A larger count could cost more than 2^53 - 1 nano-USD. */
const COUNT_MAX = 999_999_999;
/** Matches members in which OpenRouter, DeepInfra, xAI and Perplexity report cost. */
const COST = /cost|price/i;

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses the `usage` of an OpenAI-style answer or chunk. Null if the count of prompt or completion tokens is missing or
 * implausible. Omits the cache counts if their sum exceeds the prompt count, and the reasoning count if it exceeds the
 * completion count.
 */
export function readUsage(value: unknown): TokenUsage | null {
  const usage = objectOf(value);
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (!isCount(prompt) || !isCount(completion)) return null;
  const [cached, written, thoughts] = [
    firstCount(cachedIn(usage)),
    firstCount(writtenIn(usage)),
    firstCount(thoughtsIn(usage)),
  ];
  const completionTokens = completion + besideCompletion(usage, prompt, completion, thoughts);
  const hasCache = cached + written <= prompt;
  return {
    promptTokens: prompt,
    completionTokens,
    ...(hasCache && cached > 0 && { cachedTokens: cached }),
    ...(hasCache && written > 0 && { cacheWriteTokens: written }),
    ...(thoughts > 0 && thoughts <= completionTokens && { reasoningTokens: thoughts }),
  };
}

/** Returns whether a `usage` object has no cost, and has these token counts in every member that a client may read. */
export function saysUsage(value: unknown, sold: TokenUsage): boolean {
  const usage = objectOf(value);
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = sold;
  if (usage['prompt_tokens'] !== promptTokens || usage['completion_tokens'] !== completionTokens) return false;
  const said: readonly [number, readonly unknown[]][] = [
    [promptTokens + completionTokens, [usage['total_tokens']]],
    [cachedTokens ?? 0, cachedIn(usage)],
    [cacheWriteTokens ?? 0, writtenIn(usage)],
    [reasoningTokens ?? 0, thoughtsIn(usage)],
  ];
  return (
    said.every(([tokens, counts]) => counts.every((count) => count == null || count === tokens)) &&
    !Object.keys(usage).some((name) => COST.test(name))
  );
}

/** Returns whether a count is wrongly zero. Every prompt and every nonempty answer has tokens. */
export function isMiscounted({ promptTokens, completionTokens }: TokenUsage, hasWords: boolean): boolean {
  return promptTokens === 0 || (hasWords && completionTokens === 0);
}

/**
 * Formats a usage like OpenAI's API. OpenAI has no member for cache writes, so the function uses OpenRouter's member.
 */
export function usageJson({
  promptTokens,
  completionTokens,
  cachedTokens,
  cacheWriteTokens,
  reasoningTokens,
}: TokenUsage): Json {
  const details = {
    ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
  };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(Object.keys(details).length > 0 && { prompt_tokens_details: details }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

export function isSameUsage(one: TokenUsage, other: TokenUsage): boolean {
  return usageText(one) === usageText(other) && (one.reasoningTokens ?? 0) === (other.reasoningTokens ?? 0);
}

/** Formats a usage for a ledger entry, such as `67 + 42 tokens, 50 cached`. */
export function usageText({
  promptTokens,
  completionTokens,
  cachedTokens = 0,
  cacheWriteTokens = 0,
}: TokenUsage): string {
  const parts = [
    cachedTokens > 0 ? `, ${cachedTokens} cached` : '',
    cacheWriteTokens > 0 ? `, ${cacheWriteTokens} written to the cache` : '',
  ];
  return `${promptTokens} + ${completionTokens} tokens${parts.join('')}`;
}

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = (part: 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens'): Partial<TokenUsage> => {
    const tokens = (one[part] ?? 0) + (other[part] ?? 0);
    return tokens > 0 ? { [part]: tokens } : {};
  };
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    ...sum('cachedTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
  };
}

export function estimateTokens(textBytes: number): number {
  return Math.ceil(textBytes / BYTES_PER_TOKEN);
}

/** Returns an upper bound of a prompt's tokens: one for each byte, and some for the separators between messages. */
export function promptTokensMax(bodyBytes: number, messages: number): number {
  const perMessage = 16;
  return bodyBytes + messages * perMessage;
}

/**
 * Returns the counts of cache reads in these formats: OpenAI and most servers; Moonshot and Together; DeepSeek;
 * Anthropic (LiteLLM); Responses API.
 */
function cachedIn(usage: Json): readonly unknown[] {
  const inPrompt = objectOf(usage['prompt_tokens_details'])['cached_tokens'];
  const inInput = objectOf(usage['input_tokens_details'])['cached_tokens'];
  return [
    inPrompt,
    usage['cached_tokens'],
    usage['prompt_cache_hit_tokens'],
    usage['cache_read_input_tokens'],
    inInput,
  ];
}

function writtenIn(usage: Json): readonly unknown[] {
  const details = objectOf(usage['prompt_tokens_details']);
  return [
    details['cache_write_tokens'],
    details['cache_creation_input_tokens'],
    details['cache_creation_tokens'],
    usage['cache_creation_input_tokens'],
  ];
}

/** Returns the counts of reasoning tokens in these formats: OpenAI and most servers; Together; Responses API. */
function thoughtsIn(usage: Json): readonly unknown[] {
  return [
    objectOf(usage['completion_tokens_details'])['reasoning_tokens'],
    usage['reasoning_tokens'],
    objectOf(usage['output_tokens_details'])['reasoning_tokens'],
  ];
}

function besideCompletion(usage: Json, prompt: number, completion: number, thoughts: number): number {
  return thoughts > 0 && usage['total_tokens'] === prompt + completion + thoughts
    ? Math.min(thoughts, COUNT_MAX - completion)
    : 0;
}

/** Returns the first positive count, because servers write zeros under names that they do not use. */
function firstCount(values: readonly unknown[]): number {
  return values.find((value): value is number => isCount(value) && value > 0) ?? 0;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= COUNT_MAX;
}
