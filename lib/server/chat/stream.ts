import { balanceHeader } from '../billing/charge';
import type { Gateway } from '../gateway';
import type { Reply } from '../http/call';
import { ChatRelay, type RelayOpening } from './chat-relay';
import { answerWhole, chargeDeparture } from './complete';
import { askInTurn } from './failover';
import { keepNoted } from './keep-noted';
import { forwardedBody, forwardedHeaders, type PaidChat } from './paid-chat';
import { failureError } from '../upstreams/models/upstream-error';

/** Answers a chat that is streamed, as soon as an upstream begins. */
export async function stream(chat: PaidChat, gateway: Gateway): Promise<Reply> {
  const stopNoting = keepNoted(chat, gateway);
  try {
    const { result, chat: asked } = await askInTurn(chat, gateway, (attempt, timeoutMs) => open(attempt, gateway, timeoutMs), (opening) => (opening.kind === 'whole' ? opening.answer : null));
    if (result.kind === 'whole') return await answerWhole(result.answer, asked, gateway);
    const headers = {
      'content-type': result.contentType,
      'cache-control': 'no-store, no-transform',
      // Some proxies would wait for more.
      'x-accel-buffering': 'no',
      ...balanceHeader(chat.caller, chat.remainingNanoUsd),
    };
    return { status: 200, headers, body: result.relay };
  } catch (error) {
    try {
      await chargeDeparture(error, chat, gateway);
    } finally {
      await gateway.meter.release(chat.reservation);
    }
    throw failureError(error);
  } finally {
    stopNoting();
  }
}

function open(chat: PaidChat, gateway: Gateway, timeoutMs: number): Promise<RelayOpening> {
  return new Promise((resolve, reject) => {
    const relay = new ChatRelay(chat, gateway, timeoutMs, { resolve, reject });
    // The relay watches the time between events, which may be shorter than that until the first.
    const bodyTimeoutMs = Math.max(timeoutMs, gateway.config.inference.idleTimeoutMs);
    chat.model.upstream.dispatch({ method: 'POST', path: '/chat/completions', body: forwardedBody(chat), headers: forwardedHeaders(chat), timeoutMs }, relay, bodyTimeoutMs);
  });
}
