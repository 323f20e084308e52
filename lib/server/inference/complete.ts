import { estimateTokens } from '@/lib/protocol/chat/token-usage';
import { apiError } from '@/lib/protocol/errors';
import { balanceHeader } from '../caller/charge';
import type { Gateway } from '../gateway';
import type { Reply } from '../http/call';
import { usageOfAnswer } from './answer-usage';
import { keepNoted } from './keep-noted';
import { forwardedBody, forwardedHeaders, type PaidChat, settleChat } from './paid-chat';
import type { UpstreamAnswer } from './upstream';
import { failureError, refusedError } from './upstream-error';
import { UpstreamFailed } from './upstream-failure';

/** Answers a chat that is not streamed. The answer goes out, byte for byte, after its charge is committed. */
export async function complete(chat: PaidChat, gateway: Gateway): Promise<Reply> {
  try {
    return await answerWhole(await ask(chat, gateway), chat, gateway);
  } finally {
    await gateway.meter.release(chat.reservation);
  }
}

/** Charges a whole answer and passes it on. @throws ApiError for one that is an error, which is charged nothing. */
export async function answerWhole(answer: UpstreamAnswer, chat: PaidChat, gateway: Gateway): Promise<Reply> {
  if (answer.status !== 200) throw refusedError(answer, chat.model.upstream);
  const { remainingNanoUsd } = await settleChat(chat, usageOfAnswer(parse(answer.body), chat.body.bytes.byteLength), gateway);
  return { status: 200, headers: { 'content-type': 'application/json', ...balanceHeader(chat.caller, remainingNanoUsd) }, body: answer.body };
}

async function ask(chat: PaidChat, gateway: Gateway): Promise<UpstreamAnswer> {
  const stopNoting = keepNoted(chat, gateway, () => ({ promptTokens: 0, completionTokens: 0 }));
  const question = { method: 'POST', path: '/chat/completions', body: forwardedBody(chat), headers: forwardedHeaders(chat) } as const;
  try {
    return await chat.model.upstream.ask(question, gateway.config.inference.answerBytesMax, chat.call.whenGone);
  } catch (error) {
    await chargeDeparture(error, chat, gateway);
    throw failureError(error);
  } finally {
    stopNoting();
  }
}

/** Whoever leaves before the answer has had the model read the prompt. */
export async function chargeDeparture(error: unknown, chat: PaidChat, gateway: Gateway): Promise<void> {
  if (!(error instanceof UpstreamFailed) || error.reason !== 'gone') return;
  await settleChat(chat, { promptTokens: estimateTokens(chat.body.bytes.byteLength), completionTokens: 0 }, gateway);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw apiError('MODEL_ANSWER_INVALID');
  }
}
