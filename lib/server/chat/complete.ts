import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { addUsage, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import { makeUsual } from '@/lib/protocol/chat/usual-chunks';
import { withCallersHeaderNames } from '@/lib/protocol/e2ee/headers';
import { apiError, isApiError } from '@/lib/protocol/errors';
import type { Reply } from '../http/call';
import { untilEnded } from '../http/request-record';
import { correctUsage, readWholeAnswer, usageOfAnswer, type WholeAnswer } from './whole-answer';
import { answerTokensMax } from './chat-budget';
import type { ChatParts } from './chat';
import { type Answered, askInTurn } from './failover';
import {
  changesOf,
  forwardedBody,
  forwardedHeaders,
  forwardedPath,
  keepAlive,
  leftOutHeader,
  NO_TOKENS,
  type PaidChat,
  schemeOf,
  settleChat,
  soldOf,
  withoutRefused,
} from './paid-chat';
import { nativeUsageOf, readNativeAnswer } from './native/native-account';
import { judgeReplies, keptUnfitReply, type Misfit, repairBody, unfitReplyError } from './repair';
import { failureError, refusedError, UpstreamFailed } from '../upstreams/models/upstream-error';

/** Answers a chat that is not streamed, after its charge is committed. */
export async function complete(chat: PaidChat, parts: ChatParts): Promise<Reply> {
  const { result, chat: asked } = await ask(chat, parts);
  return answerWhole(result, asked, parts);
}

/**
 * Checks a whole answer against its schema, asks again if an attempt is left, charges, and returns the reply.
 * @param write converts the completion; if null, the completion is returned unchanged
 * @throws ApiError for an upstream's error, which is not charged, or REPLY_SCHEMA_MISMATCH, which is charged
 */
export async function answerWhole(
  answer: WholeAnswer,
  chat: PaidChat,
  parts: ChatParts,
  write: ((completion: Readonly<Record<string, unknown>>) => Uint8Array) | null = null,
): Promise<Reply> {
  const first = read(answer, chat);
  const misfit = chat.isEncrypted ? null : await checked(first, chat, parts);
  const repaired = misfit && chat.budget.attempts > 1 ? await repair(misfit, chat, parts) : null;
  const second = repaired?.answer ?? null;
  const last = second ?? first;
  const usage = repaired ? addUsage(first.usage, repaired.usage) : first.usage;
  const fault = second ? await checked(second, chat, parts) : misfit;
  const sold = soldOf(chat, usage);
  if (!chat.model.capabilities.supportsTeeAttestation && !chat.native)
    for (const isChanged of [correctUsage(last.json, sold), makeUsual(last.json)]) last.isChanged ||= isChanged;
  const body = write ? write(last.json) : last.isChanged ? Buffer.from(JSON.stringify(last.json)) : last.body;
  const unfit = fault && { ...fault, usage: sold };
  const settled = await settleChat(chat, usage, chat.paid.replayOf(unfit ? keptUnfitReply(unfit) : body));
  if (unfit) throw unfitReplyError(unfit, chat.paid.settledHeaders(settled));
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...leftOutHeader(chat), ...chat.paid.settledHeaders(settled) },
    body,
    ...(chat.isEncrypted && { isVerbatim: true }),
  };
}

interface ReadAnswer {
  json: Record<string, unknown>;
  /** True if `json` was changed. `body` is then outdated. */
  isChanged: boolean;
  usage: TokenUsage;
  body: Buffer;
}

/** Checks the reply. Keeps the hold alive, because the check may wait longer than the lease. */
async function checked(answer: ReadAnswer, chat: PaidChat, parts: ChatParts): Promise<Misfit | null> {
  const stopKeeping = keepAlive(chat);
  try {
    // An enclave signs the hash of its answer, so only answers without attestation may be changed.
    const mends = !chat.model.capabilities.supportsTeeAttestation;
    const { misfit, isMended } = await judgeReplies(
      answer.json,
      chat.body.request,
      parts.replySchemas,
      chat.paid.caller.accountId,
      mends,
    );
    answer.isChanged ||= isMended;
    return misfit;
  } finally {
    stopKeeping();
  }
}

/** @throws ApiError if the answer is not a completion. In that case nothing is charged */
function read(answer: WholeAnswer, chat: PaidChat): ReadAnswer {
  const { model, body, isEncrypted } = chat;
  switch (answer.kind) {
    case 'refusal':
      throw refusedError(
        answer.answer,
        isEncrypted ? { redact: (text) => withCallersHeaderNames(model.upstream.redact(text)) } : model.upstream,
      );
    case 'unreadable':
      throw apiError('MODEL_ANSWER_INVALID');
    case 'completion':
      return {
        json: answer.json,
        isChanged: false,
        usage: chat.native
          ? nativeUsageOf(answer.json, chat)
          : usageOfAnswer(answer.json, {
              request: body.request,
              encrypted: schemeOf(chat),
              completionTokensMax: answerTokensMax(chat.budget),
            }),
        body: answer.body,
      };
  }
}

async function repair(
  misfit: Misfit,
  chat: PaidChat,
  parts: ChatParts,
): Promise<{ answer: ReadAnswer | null; usage: TokenUsage }> {
  const { upstream } = chat.model;
  const body = repairBody(withoutRefused(chat), misfit, changesOf(chat));
  const stopKeeping = keepAlive(chat);
  try {
    const { record, whenGone } = chat.paid.call;
    const attempt = record.asks(upstream);
    const asking = upstream.ask(
      { method: 'POST', path: '/chat/completions', body, turn: chat.paid.turn, traceparent: attempt?.traceparent },
      parts.config.answerBytesMax,
      whenGone,
    );
    const answer = await (attempt === null ? asking : untilEnded(asking, attempt));
    const second = read(readWholeAnswer(answer), chat);
    return { answer: second, usage: second.usage };
  } catch (error) {
    // The error message is not logged because it may quote the prompt.
    const reason = isApiError(error) ? error.code : error instanceof UpstreamFailed ? error.reason : 'INTERNAL';
    parts.log.warn(
      { reason, requestId: chat.paid.call.requestId, upstream: upstream.name },
      'could not get a corrected reply from the model',
    );
    return { answer: null, usage: isClientGone(error) ? promptAlone(chat) : NO_TOKENS };
  } finally {
    stopKeeping();
  }
}

async function ask(chat: PaidChat, parts: ChatParts): Promise<Answered<WholeAnswer>> {
  const stopKeeping = keepAlive(chat);
  const { answerBytesMax } = parts.config;
  const askOne = async (attempt: PaidChat, timeoutMs: number): Promise<WholeAnswer> => {
    const {
      model,
      paid: { call },
      traceparent,
    } = attempt;
    const question = {
      method: 'POST',
      path: forwardedPath(attempt),
      body: forwardedBody(attempt),
      headers: forwardedHeaders(attempt),
      turn: attempt.paid.turn,
      timeoutMs,
      traceparent,
    } as const;
    const answer = await model.upstream.ask(question, answerBytesMax, call.whenGone);
    return attempt.native ? readNativeAnswer(answer) : readWholeAnswer(answer);
  };
  try {
    return await askInTurn(chat, parts, askOne, (answer) => answer);
  } catch (error) {
    await chargeAbandoned(error, chat);
    throw failureError(error);
  } finally {
    stopKeeping();
  }
}

/**
 * Charges the prompt if the client disconnected after the request was sent, because the model has then read the prompt.
 */
export async function chargeAbandoned(error: unknown, chat: PaidChat): Promise<void> {
  if (isClientGone(error)) await settleChat(chat, promptAlone(chat));
}

function isClientGone(error: unknown): boolean {
  return error instanceof UpstreamFailed && error.reason === 'gone' && !error.isUnsent;
}

function promptAlone(chat: PaidChat): TokenUsage {
  return { promptTokens: estimatePromptTokens(chat.body.request, { encrypted: schemeOf(chat) }), completionTokens: 0 };
}
