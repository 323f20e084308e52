import { type ChatRequest, tokenLimitOf } from '@/lib/protocol/chat/chat-request';
import { affordableTokens, tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import { promptTokensMax, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { ChatBody } from './chat-body';
import type { ChatModel } from './chat-model';

/** What a picture, a recording or a file may come to beyond the bytes that name it. */
const ATTACHMENT_TOKENS = 4_096;
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
  return { contextTokens: Math.max(...all.map(({ contextTokens }) => contextTokens)), maxOutputTokens: Math.max(...all.map(({ maxOutputTokens }) => maxOutputTokens)), price: model.price };
}

/**
 * Bounds a request: no prompt has more tokens than bytes, nor more than the model reads; each completion has what the
 * request allows, or what the model gives.
 */
export function chatBudget({ request, bytes }: ChatBody, model: TokenBounds, attempts = 1): ChatBudget {
  const promptTokens = Math.min(promptTokensMax(bytes.byteLength, request.messages.length) + attachmentTokens(request), model.contextTokens);
  const completionTokens = Math.min(tokenLimitOf(request) ?? model.maxOutputTokens, model.maxOutputTokens);
  return budget({ promptTokens, completionTokens, completions: request.n ?? 1, attempts }, model);
}

/** The same with shorter completions, so that this much money covers it; null where nothing useful would be left. */
export function withinMeans({ promptTokens, completionTokens, completions, attempts }: ChatBudget, nanoUsd: number, model: TokenBounds): ChatBudget | null {
  const affordable = Math.floor(affordableTokens(Math.floor(nanoUsd / attempts), promptTokens, model.price) / completions);
  if (affordable < Math.min(COMPLETION_TOKENS_MIN, completionTokens)) return null;
  return budget({ promptTokens, completionTokens: Math.min(completionTokens, affordable), completions, attempts }, model);
}

/** What tokens cost, and never more than was reserved. */
export function costOf(usage: TokenUsage, { price }: ChatModel, maxNanoUsd: number): number {
  return Math.min(tokenCostNanoUsd(usage, price), maxNanoUsd);
}

function budget(bounds: Omit<ChatBudget, 'maxNanoUsd'>, { price }: TokenBounds): ChatBudget {
  const { promptTokens, completionTokens, completions, attempts } = bounds;
  return { ...bounds, maxNanoUsd: attempts * tokenCostNanoUsd({ promptTokens, completionTokens: completionTokens * completions }, price) };
}

function attachmentTokens({ messages }: ChatRequest): number {
  let count = 0;
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content as unknown[]) if ((part as { type?: unknown } | null)?.type !== 'text') count++;
  }
  return count * ATTACHMENT_TOKENS;
}
