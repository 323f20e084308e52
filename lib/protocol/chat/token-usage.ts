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
  /** Part of what was generated that the model thought before it answered; none unless given. */
  reasoningTokens?: number;
}

/** UTF-8 bytes that are taken for one token where nobody counted: about right for English text, low for other scripts. */
const BYTES_PER_TOKEN = 4;
/** No chat takes more: what is said beyond that is no count, and at no price is it beyond what can be computed. */
const COUNT_MAX = 999_999_999;
/** Members in which servers tell what a completion cost them: OpenRouter, DeepInfra, xAI, Perplexity. */
const COST = /cost|price/i;

type Json = Readonly<Record<string, unknown>>;

/**
 * The `usage` of an OpenAI-style answer or chunk; null where it has none that can be read. No prompt is empty, so that
 * one of 0 tokens is no count. Parts of the prompt that come to more than all of it are no counts either, nor are
 * thoughts that come to more than all that was generated.
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

/** Whether a `usage` object says these tokens, whichever of its members a client goes by, and tells no cost but theirs. */
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

/** Whether a count leaves out what was said: zeros beside words are none. */
export function isMiscounted({ promptTokens, completionTokens }: TokenUsage, hasWords: boolean): boolean {
  return promptTokens === 0 || (hasWords && completionTokens === 0);
}

/** Writes a usage as OpenAI's API does. Cache writes have OpenRouter's name, since OpenAI has none. */
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

/** The words of the ledger for what was bought. */
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

/** Tokens written into a cache, by the names of OpenRouter, Alibaba and Anthropic's form. */
function writtenIn(usage: Json): readonly unknown[] {
  const details = objectOf(usage['prompt_tokens_details']);
  return [
    details['cache_write_tokens'],
    details['cache_creation_input_tokens'],
    details['cache_creation_tokens'],
    usage['cache_creation_input_tokens'],
  ];
}

/** Tokens of thoughts, by the names of OpenAI and most others, Together, and the Responses API. */
function thoughtsIn(usage: Json): readonly unknown[] {
  return [
    objectOf(usage['completion_tokens_details'])['reasoning_tokens'],
    usage['reasoning_tokens'],
    objectOf(usage['output_tokens_details'])['reasoning_tokens'],
  ];
}

/** xAI counts thoughts beside the completion: its total has them, the completion does not. */
function besideCompletion(usage: Json, prompt: number, completion: number, thoughts: number): number {
  return thoughts > 0 && usage['total_tokens'] === prompt + completion + thoughts
    ? Math.min(thoughts, COUNT_MAX - completion)
    : 0;
}

/** Of several names the first that says more than nothing: servers write zeros under names that they do not use. */
function firstCount(values: readonly unknown[]): number {
  return values.find((value): value is number => isCount(value) && value > 0) ?? 0;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= COUNT_MAX;
}
