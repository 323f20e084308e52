import { completionEvents } from '@/lib/protocol/chat/completion-events';
import type { Reply } from '../http/call';
import { ChatRelay, type RelayOpening } from './chat-relay';
import { answerWhole, chargeAbandoned } from './complete';
import { askInTurn } from './failover';
import type { ChatParts } from './chat';
import { forwardedBody, forwardedHeaders, forwardedPath, keepAlive, leftOutHeader, type PaidChat } from './paid-chat';
import type { WholeAnswer } from './whole-answer';
import { failureError } from '../upstreams/models/upstream-error';

/** Headers of event streams. `x-accel-buffering` keeps some proxies from buffering the stream. */
export const STREAM_HEADERS = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const;

/** Answers a streamed chat as soon as an upstream's answer begins. */
export async function stream(chat: PaidChat, parts: ChatParts): Promise<Reply> {
  const stopKeeping = keepAlive(chat);
  try {
    const { result, chat: asked } = await askInTurn(
      chat,
      parts,
      (attempt, timeoutMs) => open(attempt, parts, timeoutMs),
      (opening) => (opening.kind === 'whole' ? opening.answer : null),
    );
    if (result.kind === 'whole') return await replyWhole(result.answer, asked, parts);
    const headers = {
      'content-type': result.contentType,
      ...STREAM_HEADERS,
      ...leftOutHeader(asked),
      ...chat.paid.balanceHeader(chat.paid.remainingNanoUsd),
    };
    chat.paid.takeOver();
    return { status: 200, headers, body: result.relay };
  } catch (error) {
    await chargeAbandoned(error, chat);
    throw failureError(error);
  } finally {
    stopKeeping();
  }
}

/** Sends a whole answer as events. An answer that an enclave signs is sent unchanged. */
async function replyWhole(answer: WholeAnswer, chat: PaidChat, parts: ChatParts): Promise<Reply> {
  if (answer.kind !== 'completion' || chat.model.capabilities.supportsTeeAttestation)
    return answerWhole(answer, chat, parts);
  const withUsage = chat.body.request.stream_options?.include_usage === true;
  const reply = await answerWhole(answer, chat, parts, (completion) =>
    Buffer.from(completionEvents(completion, { withUsage })),
  );
  return { ...reply, headers: { ...reply.headers, 'content-type': 'text/event-stream', ...STREAM_HEADERS } };
}

async function open(chat: PaidChat, parts: ChatParts, timeoutMs: number): Promise<RelayOpening> {
  const { upstream } = chat.model;
  const question = {
    method: 'POST',
    path: forwardedPath(chat),
    body: forwardedBody(chat),
    headers: forwardedHeaders(chat),
    traceparent: chat.traceparent,
    timeoutMs,
  } as const;
  const freeSlot = await upstream.takeSlot(chat.paid.turn, timeoutMs);
  return await new Promise((resolve, reject) => {
    const relay = new ChatRelay(chat, parts, timeoutMs, { resolve, reject });
    // The relay applies `timeoutMs` until the first event, and `idleTimeoutMs` between events. The connection must
    // allow the longer of these timeouts.
    const bodyTimeoutMs = Math.max(timeoutMs, parts.config.idleTimeoutMs);
    upstream.dispatch(question, relay, bodyTimeoutMs, freeSlot);
  });
}
