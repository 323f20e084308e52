import { estimateTokens } from '@/lib/protocol/chat/token-usage';
import { apiError } from '@/lib/protocol/errors';
import { balanceHeader } from '../caller/charge';
import type { Gateway } from '../gateway';
import type { Reply } from '../http/call';
import { usageOfAnswer } from './answer-usage';
import { forwardedBody, forwardedHeaders, type PaidChat, settleChat } from './paid-chat';
import type { UpstreamAnswer } from './upstream';
import { failureError, refusedError } from './upstream-error';
import { UpstreamFailed } from './upstream-failure';

/** Answers a chat that is not streamed. The answer goes out, byte for byte, after its charge is committed. */
export async function complete(chat: PaidChat, gateway: Gateway): Promise<Reply> {
  try {
    const { body } = await ask(chat, gateway);
    const { remainingNanoUsd } = await settleChat(chat, usageOfAnswer(parse(body), chat.body.bytes.byteLength), gateway);
    return { status: 200, headers: { 'content-type': 'application/json', ...balanceHeader(chat.caller, remainingNanoUsd) }, body };
  } finally {
    await gateway.meter.release(chat.reservation);
  }
}

async function ask(chat: PaidChat, gateway: Gateway): Promise<UpstreamAnswer> {
  const { upstream } = chat.model;
  const answer = await upstream
    .ask({ method: 'POST', path: '/chat/completions', body: forwardedBody(chat), headers: forwardedHeaders(chat) }, gateway.config.inference.answerBytesMax, chat.call.whenGone)
    .catch(async (error: unknown) => {
      await chargeDeparture(error, chat, gateway);
      throw failureError(error);
    });
  if (answer.status !== 200) throw refusedError(answer, upstream);
  return answer;
}

/** Whoever leaves before the answer has had the model read the prompt. */
async function chargeDeparture(error: unknown, chat: PaidChat, gateway: Gateway): Promise<void> {
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
