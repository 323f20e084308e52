import { type ChatRequest, tokenLimitOf } from '@/lib/protocol/chat/chat-request';
import { affordableTokens, dearestInput, type TokenPrice, tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import { promptTokensMax, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { ChatBody } from './chat-body';
import type { ChatModel } from './chat-model';

/** Maximum tokens of a picture or an inline recording, in addition to one token per byte. */
const ATTACHMENT_TOKENS = 16_384;
/** Types of content parts that have a fixed token estimate. Such a part has a field named after its type. */
const ATTACHMENTS: ReadonlySet<string> = new Set(['image_url', 'input_audio']);
const TEXTS: ReadonlySet<string> = new Set(['text', 'refusal', 'thinking', 'cache_control']);
/** Shortest useful completion. */
const COMPLETION_TOKENS_MIN = 16;

export interface ChatBudget {
  promptTokens: number;
  completionTokens: number;
  completions: number;
  attempts: number;
  maxNanoUsd: number;
}

export type TokenBounds = Pick<ChatModel, 'contextTokens' | 'maxOutputTokens' | 'price'>;

/** Returns the highest token limits among `model` and `others`, with the price of `model`. */
export function boundsOf(model: ChatModel, others: readonly ChatModel[]): TokenBounds {
  if (others.length === 0) return model;
  const all = [model, ...others];
  return {
    contextTokens: Math.max(...all.map(({ contextTokens }) => contextTokens)),
    maxOutputTokens: Math.max(...all.map(({ maxOutputTokens }) => maxOutputTokens)),
    price: model.price,
  };
}

/**
 * Returns the maximum cost of a request. Counts one prompt token per byte, up to the context size. The request and the
 * model limit the completion tokens.
 */
export function chatBudget({ request, bytes }: ChatBody, model: TokenBounds, attempts = 1): ChatBudget {
  const promptTokens = Math.min(
    promptTokensMax(bytes.byteLength, request.messages.length) + attachmentTokens(request, model.contextTokens),
    model.contextTokens,
  );
  const completionTokens = Math.min(tokenLimitOf(request) ?? model.maxOutputTokens, model.maxOutputTokens);
  return budget({ promptTokens, completionTokens, completions: request.n ?? 1, attempts }, model);
}

/**
 * Returns the budget with completions shortened to what the balance can pay; null if that leaves too few tokens for a
 * useful completion.
 */
export function withinMeans(
  { promptTokens, completionTokens, completions, attempts }: ChatBudget,
  nanoUsd: number,
  model: TokenBounds,
): ChatBudget | null {
  const affordable = Math.floor(
    affordableTokens(Math.floor(nanoUsd / attempts), promptTokens, dearestInput(model.price)) / completions,
  );
  if (affordable < Math.min(COMPLETION_TOKENS_MIN, completionTokens)) return null;
  return budget(
    { promptTokens, completionTokens: Math.min(completionTokens, affordable), completions, attempts },
    model,
  );
}

/** Returns the cost of the tokens, at most the reserved amount. */
export function costOf(usage: TokenUsage, { price }: Pick<ChatModel, 'price'>, maxNanoUsd: number): number {
  return Math.min(tokenCostNanoUsd(usage, price), maxNanoUsd);
}

export function answerTokensMax({ completionTokens, completions }: ChatBudget): number {
  return completionTokens * completions;
}

/**
 * Returns the tokens to charge: the counted tokens, or fewer if the reserved amount is too small.
 *
 * @param promptTokensMax prompt tokens reserved for all attempts together
 */
export function soldUsage(
  usage: TokenUsage,
  price: TokenPrice,
  maxNanoUsd: number,
  promptTokensMax: number,
): TokenUsage {
  if (tokenCostNanoUsd(usage, price) <= maxNanoUsd) return usage;
  const promptTokens = Math.min(usage.promptTokens, promptTokensMax);
  return {
    promptTokens,
    completionTokens: Math.min(usage.completionTokens, affordableTokens(maxNanoUsd, promptTokens, price)),
  };
}

function budget(bounds: Omit<ChatBudget, 'maxNanoUsd'>, { price }: TokenBounds): ChatBudget {
  const { promptTokens, completionTokens, completions, attempts } = bounds;
  return {
    ...bounds,
    maxNanoUsd:
      attempts *
      tokenCostNanoUsd({ promptTokens, completionTokens: completionTokens * completions }, dearestInput(price)),
  };
}

function attachmentTokens({ messages }: ChatRequest, contextTokens: number): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content as unknown[]) tokens += partTokens(part, contextTokens);
  }
  return tokens;
}

/**
 * Returns the maximum tokens of a content part, in addition to one per byte. Some servers read a part's type from the
 * field `type`. Others infer the type from the field names. The larger result applies. A part of a type without an
 * estimate may fill the context.
 */
function partTokens(part: unknown, contextTokens: number): number {
  if (typeof part !== 'object' || part === null) return 0;
  const kinds = [(part as { type?: unknown }).type, ...Object.keys(part).filter((name) => name !== 'type')];
  return kinds.reduce<number>((most, kind) => Math.max(most, kindTokens(kind, contextTokens)), 0);
}

function kindTokens(kind: unknown, contextTokens: number): number {
  if (typeof kind !== 'string') return contextTokens;
  if (TEXTS.has(kind)) return 0;
  return ATTACHMENTS.has(kind) ? ATTACHMENT_TOKENS : contextTokens;
}
