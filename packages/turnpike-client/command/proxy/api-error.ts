import { parsedRecord } from '@/lib/protocol/json-record';
import { PrivateChatError } from '@/lib/client/private-chat';
import { ERRORS } from '@/lib/protocol/errors';
import { ChatAnswerFault } from '@/lib/protocol/translation/chat-piece';
import type { ErrorForm, ToldError } from '@/lib/protocol/translation/error-forms';
import { privateRefusal, TurnpikeError, turnpikeErrorOf } from '../../src/turnpike-error';
import { refusalResponse } from '../../src/sdk-fetch';
import { inOwnWords } from '../own-words';

/** HTTP statuses, by error code, for failed calls that programs may retry. */
const SILENCE: Readonly<Record<string, number>> = {
  UNREACHABLE: 502,
  ANSWER_BROKEN: 502,
  ANSWER_MALFORMED: 502,
  TIMEOUT: 504,
  PAYMENT_PENDING: 503,
};

export function errorFormOf(path: string): ErrorForm {
  if (/\/rpc\//.test(path)) return 'gateway';
  return /\/messages(\/|$)/.test(path) ? 'anthropic' : 'openai';
}

/** Parses a gateway's error body; null if another server wrote it. */
export function readApiError(bodyText: string): ToldError | null {
  const { error: message, code, hint } = parsedRecord(bodyText) ?? {};
  return typeof message === 'string'
    ? { message, code: typeof code === 'string' ? code : null, ...(typeof hint === 'string' && { hint }) }
    : null;
}

/** Formats a failed call as the gateway would. */
export function failureResponse(error: unknown): Response {
  const typed = typedError(error);
  const status = SILENCE[typed.code];
  if (status === undefined) return refusalResponse(typed);
  const message = typed.message.includes(typed.remedy) ? typed.message : `${typed.message} ${typed.remedy}`;
  return new Response(JSON.stringify({ error: message, code: typed.code, hint: typed.remedy }), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/** Returns the response that refuses a retry after an interrupted stream. */
export function repetitionResponse(): Response {
  const { status, error, hint } = ERRORS.ANSWER_BROKEN;
  return new Response(JSON.stringify({ error: `${error} ${hint}`, code: 'ANSWER_BROKEN', hint }), {
    status,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
}

export function typedError(error: unknown): TurnpikeError {
  if (error instanceof ChatAnswerFault) return new TurnpikeError(error.code, { message: error.message });
  return error instanceof PrivateChatError ? privateRefusal(error) : turnpikeErrorOf(error);
}

export function withOwnRemedy(error: ToldError): ToldError {
  if (error.hint === undefined) return error;
  const { message, remedy } = inOwnWords({ code: error.code, message: error.message, remedy: error.hint });
  return { ...error, message, hint: remedy };
}
