import { type ChatRequest, tokenLimitOf } from '@/lib/protocol/chat/chat-request';
import { affordableTokens, dearestInput, type TokenPrice, tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import { promptTokensMax, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { ChatBody } from './chat-body';
import type { ChatModel } from './chat-model';

/** What a picture, or a recording that is in the request, may come to beyond its bytes: the most that vision models make of one picture. */
const ATTACHMENT_TOKENS = 16_384;
/** Members of parts that come to so many tokens; their types have the same names. */
const ATTACHMENTS: ReadonlySet<string> = new Set(['image_url', 'input_audio']);
/** Members of parts that bring nothing beside their bytes; their types have the same names. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'refusal', 'thinking', 'cache_control']);
/** A completion of fewer is no use to anybody. */
const COMPLETION_TOKENS_MIN = 16;

/** The most that a chat request can come to. */
export interface ChatBudget {
  promptTokens: number;
  /** Of each completion. */
  completionTokens: number;
  completions: number;
  /** How often it may be asked. */
  attempts: number;
  maxNanoUsd: number;
}

/** What bounds the tokens of a model. */
export type TokenBounds = Pick<ChatModel, 'contextTokens' | 'maxOutputTokens' | 'price'>;

/** Bounds that hold for a model at whichever upstream it is asked. Its price is one. */
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
 * Bounds a request: no prompt has more tokens than bytes, nor more than the model reads; each completion has what the
 * request allows, or what the model gives.
 */
export function chatBudget({ request, bytes }: ChatBody, model: TokenBounds, attempts = 1): ChatBudget {
  const promptTokens = Math.min(
    promptTokensMax(bytes.byteLength, request.messages.length) + attachmentTokens(request, model.contextTokens),
    model.contextTokens,
  );
  const completionTokens = Math.min(tokenLimitOf(request) ?? model.maxOutputTokens, model.maxOutputTokens);
  return budget({ promptTokens, completionTokens, completions: request.n ?? 1, attempts }, model);
}

/** The same with shorter completions, so that this much money covers it; null where nothing useful would be left. */
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

/** What tokens cost, and never more than was reserved. */
export function costOf(usage: TokenUsage, { price }: Pick<ChatModel, 'price'>, maxNanoUsd: number): number {
  return Math.min(tokenCostNanoUsd(usage, price), maxNanoUsd);
}

/** The most completion tokens that one answer of a request may have, over all of its completions. */
export function answerTokensMax({ completionTokens, completions }: ChatBudget): number {
  return completionTokens * completions;
}

/**
 * The tokens that are sold: those that were counted, and never more than the money that is held pays for.
 * @param promptTokensMax of all attempts, as they were held for
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
 * Of a part beyond its bytes. Servers go by a part's type or by its members, so the larger counts. A video, a recording
 * or a file by its address, and what is not known, may be as long as the model reads.
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
