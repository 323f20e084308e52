import { PrivateChatError } from '@/lib/client/private-chat';
import { ERRORS } from '@/lib/protocol/errors';
import { ChatAnswerFault } from '@/lib/protocol/translation/chat-piece';
import type { ErrorForm, ToldError } from '@/lib/protocol/translation/error-forms';
import { privateRefusal } from '../../src/private-refusal';
import { refusalResponse } from '../../src/sdk-fetch';
import { TurnpikeError, turnpikeErrorOf } from '../../src/turnpike-error';
import { recordOf } from '../json-record';
import { inOwnWords } from '../own-words';

/** What says that there was no answer, which a program may well ask for again. */
const SILENCE: Readonly<Record<string, number>> = {
  UNREACHABLE: 502,
  ANSWER_BROKEN: 502,
  ANSWER_MALFORMED: 502,
  TIMEOUT: 504,
  PAYMENT_PENDING: 503,
};

/** Where an error is told, in which form. */
export function errorFormOf(path: string): ErrorForm {
  if (/\/rpc\//.test(path)) return 'gateway';
  return /\/messages(\/|$)/.test(path) ? 'anthropic' : 'openai';
}

/** What a body of the gateway says went wrong; null for one that is not the gateway's. */
export function readApiError(bodyText: string): ToldError | null {
  const { error: message, code, hint } = recordOf(bodyText);
  return typeof message === 'string'
    ? { message, code: typeof code === 'string' ? code : null, ...(typeof hint === 'string' && { hint }) }
    : null;
}

/** What ended a call, as an answer in the gateway's form. */
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

/** The refusal of a request that repeats one whose answer has just broken off. */
export function repetitionResponse(): Response {
  const { status, error, hint } = ERRORS.ANSWER_BROKEN;
  return new Response(JSON.stringify({ error: `${error} ${hint}`, code: 'ANSWER_BROKEN', hint }), {
    status,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
}

/** What ended a call, with its code and what to do. */
export function typedError(error: unknown): TurnpikeError {
  if (error instanceof ChatAnswerFault) return new TurnpikeError(error.code, { message: error.message });
  return error instanceof PrivateChatError ? privateRefusal(error) : turnpikeErrorOf(error);
}

/** A refusal with what to do about it here. */
export function withOwnRemedy(error: ToldError): ToldError {
  if (error.hint === undefined) return error;
  const { message, remedy } = inOwnWords({ code: error.code, message: error.message, remedy: error.hint });
  return { ...error, message, hint: remedy };
}
