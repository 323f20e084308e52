import { balanceHeader } from '../caller/charge';
import type { Gateway } from '../gateway';
import type { Reply } from '../http/call';
import { ChatRelay, type RelayOpening } from './chat-relay';
import { answerWhole, chargeDeparture } from './complete';
import { forwardedBody, forwardedHeaders, type PaidChat } from './paid-chat';
import { failureError } from './upstream-error';

/** Answers a chat that is streamed, as soon as the upstream begins. */
export async function stream(chat: PaidChat, gateway: Gateway): Promise<Reply> {
  const { upstream } = chat.model;
  let relay: ChatRelay | undefined;
  try {
    const opening = await new Promise<RelayOpening>((resolve, reject) => {
      relay = new ChatRelay(chat, gateway, { resolve, reject });
      upstream.dispatch({ method: 'POST', path: '/chat/completions', body: forwardedBody(chat), headers: forwardedHeaders(chat) }, relay);
    });
    if (opening.kind === 'whole') return await answerWhole(opening.answer, chat, gateway);
    const headers = {
      'content-type': opening.contentType,
      'cache-control': 'no-cache, no-transform',
      // Some proxies would wait for more.
      'x-accel-buffering': 'no',
      ...balanceHeader(chat.caller, chat.remainingNanoUsd),
    };
    return { status: 200, headers, body: relay as ChatRelay };
  } catch (error) {
    await chargeDeparture(error, chat, gateway);
    await gateway.meter.release(chat.reservation);
    throw failureError(error);
  }
}
