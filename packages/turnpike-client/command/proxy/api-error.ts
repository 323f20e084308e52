import { PrivateChatError } from '@/lib/client/private-chat';
import { privateRefusal } from '../../src/private-refusal';
import { refusalResponse } from '../../src/sdk-fetch';
import { type TurnpikeError, turnpikeErrorOf } from '../../src/turnpike-error';
import { recordOf } from '../json-record';
import { inOwnWords } from '../own-words';

/** The forms in which programs read errors: of OpenAI's APIs, of Anthropic's, and of the gateway itself. */
export type ErrorForm = 'openai' | 'anthropic' | 'gateway';

/** What says that there was no answer, which a program may well ask for again. */
const SILENCE: Readonly<Record<string, number>> = { UNREACHABLE: 502, ANSWER_BROKEN: 502, ANSWER_MALFORMED: 502, TIMEOUT: 504, PAYMENT_PENDING: 503 };
/** Types of Anthropic's errors, by status. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = { 400: 'invalid_request_error', 401: 'authentication_error', 402: 'billing_error', 403: 'permission_error', 404: 'not_found_error', 413: 'request_too_large', 429: 'rate_limit_error', 503: 'overloaded_error', 504: 'timeout_error' };

/** An error as the sentence, the code and the remedy that programs are given. */
export interface ApiError {
  message: string;
  code: string | null;
  hint?: string;
  param?: string | null;
}

/** Where an error is told, in which form. */
export function errorFormOf(path: string): ErrorForm {
  if (/\/rpc\//.test(path)) return 'gateway';
  return /\/messages(\/|$)/.test(path) ? 'anthropic' : 'openai';
}

/** The body of a refusal. */
export function errorBody({ message, code, hint, param = null }: ApiError, status: number, form: ErrorForm): string {
  const more = hint === undefined ? {} : { hint };
  if (form === 'gateway') return JSON.stringify({ error: message, code, ...more });
  if (form === 'anthropic') return JSON.stringify({ type: 'error', error: { type: ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message, code, ...more } });
  return JSON.stringify({ error: { message, type: code ?? 'error', code, param, ...more } });
}

/** What a body of the gateway says went wrong; null for one that is not the gateway's. */
export function readApiError(bodyText: string): ApiError | null {
  const { error: message, code, hint } = recordOf(bodyText);
  return typeof message === 'string' ? { message, code: typeof code === 'string' ? code : null, ...(typeof hint === 'string' && { hint }) } : null;
}

/** What ended a call, as an answer in the gateway's form. */
export function failureResponse(error: unknown): Response {
  const typed = typedError(error);
  const status = SILENCE[typed.code];
  if (status === undefined) return refusalResponse(typed);
  const message = typed.message.includes(typed.remedy) ? typed.message : `${typed.message} ${typed.remedy}`;
  return new Response(JSON.stringify({ error: message, code: typed.code, hint: typed.remedy }), { status, headers: { 'content-type': 'application/json' } });
}

/** What ended a call, with its code and what to do. */
export function typedError(error: unknown): TurnpikeError {
  return error instanceof PrivateChatError ? privateRefusal(error) : turnpikeErrorOf(error);
}

/** A refusal with what to do about it here. */
export function withOwnRemedy(error: ApiError): ApiError {
  if (error.hint === undefined) return error;
  const { message, remedy } = inOwnWords({ code: error.code, message: error.message, remedy: error.hint });
  return { ...error, message, hint: remedy };
}
