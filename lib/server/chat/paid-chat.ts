import { ENCLAVE_E2EE_HEADERS, E2EE_HEADERS } from '@/lib/protocol/e2ee/headers';
import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { IdentifiedCaller } from '../auth/identify';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import type { Charge, Reservation, Settled } from '../billing/meter';
import { type ChatBudget, costOf } from './chat-budget';
import { type ChatBody, withMembers } from './chat-body';
import type { ChatModel } from './chat-model';

/** A chat request that is checked, and the most it can cost held. */
export interface PaidChat {
  call: Call;
  caller: IdentifiedCaller;
  body: ChatBody;
  model: ChatModel;
  /** The same model of other upstreams, which may answer in its place. */
  others: readonly ChatModel[];
  /** Whether it is end-to-end encrypted. */
  isEncrypted: boolean;
  budget: ChatBudget;
  /** Whether completions are shorter than was asked for. */
  isClamped: boolean;
  reservation: Reservation;
  /** The caller's purse beside all that is held of it. */
  remainingNanoUsd: number;
}

/**
 * The bytes for the upstream. Of an attested model they are those that came: its enclave signs their hash. Else the
 * length of completions is set where it had to be shortened, and a stream is asked to say what it took.
 */
export function forwardedBody(chat: PaidChat): Uint8Array {
  const changes = changesOf(chat);
  return Object.keys(changes).length === 0 ? chat.body.bytes : withMembers(chat.body, changes);
}

/** What of a request is changed. */
export function changesOf({ body, model, isClamped, budget }: PaidChat): Record<string, unknown> {
  if (model.capabilities.supportsTeeAttestation) return {};
  const { request, members } = body;
  const changes: Record<string, unknown> = {};
  if (isClamped) {
    if (request.max_completion_tokens != null) changes['max_completion_tokens'] = budget.completionTokens;
    if (request.max_completion_tokens == null || members.has('max_tokens')) changes['max_tokens'] = budget.completionTokens;
  }
  if (request.stream && !request.stream_options?.include_usage) changes['stream_options'] = { ...request.stream_options, include_usage: true };
  return changes;
}

/** The headers of an encrypted request under the names that enclaves know. */
export function forwardedHeaders({ call, isEncrypted }: PaidChat): Record<string, string> {
  if (!isEncrypted) return {};
  return Object.fromEntries(
    (Object.keys(E2EE_HEADERS) as (keyof typeof E2EE_HEADERS)[]).map((name) => [ENCLAVE_E2EE_HEADERS[name], call.header(E2EE_HEADERS[name]) ?? '']),
  );
}

/** What these tokens are charged as. */
export function chargeOf({ model, budget, call }: PaidChat, usage: TokenUsage): Charge {
  return {
    amountNanoUsd: costOf(usage, model, budget.maxNanoUsd),
    credits: 0,
    units: usage.promptTokens + usage.completionTokens,
    resource: `chat/${model.id}`,
    detail: `${usage.promptTokens} + ${usage.completionTokens} tokens`,
    requestId: call.requestId,
    replayBody: null,
  };
}

/** Charges them. Resolves once that is committed. */
export function settleChat(chat: PaidChat, usage: TokenUsage, { meter }: Pick<Gateway, 'meter'>): Promise<Settled> {
  return meter.settle(chat.reservation, chargeOf(chat, usage));
}
