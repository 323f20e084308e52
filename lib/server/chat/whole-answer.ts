import { errorOf, errorSentence, statusOfError } from '@/lib/protocol/chat/answer-error';
import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

/** What a whole answer is: a completion, or what the upstream says instead of one. */
export type WholeAnswer =
  | { kind: 'completion'; json: Record<string, unknown>; body: Buffer }
  /** An error, as it is told by its status, or by its body under a status of success. */
  | { kind: 'refusal'; answer: UpstreamAnswer }
  /** Nothing that a client of this API could read, such as a page of HTML. */
  | { kind: 'unreadable' };

/** Of an error that has no status of its own: it is the upstream's fault until it says otherwise. */
const ERROR_STATUS = 502;

/** Reads an answer to a chat request. */
export function readWholeAnswer(answer: UpstreamAnswer): WholeAnswer {
  const { status, headers, body } = answer;
  if (status !== 200) return { kind: 'refusal', answer };
  const json = parsedRecord(body.toString('utf8'));
  if (json === null) return { kind: 'unreadable' };
  const error = errorOf(json);
  const { choices } = json;
  if (Array.isArray(choices) && (error === null || choices.some(saysSomething)))
    return { kind: 'completion', json, body };
  return error === null
    ? { kind: 'unreadable' }
    : {
        kind: 'refusal',
        answer: { status: statusOfError(error) ?? statusOfError(json) ?? ERROR_STATUS, headers, body },
      };
}

/** Whether a choice beside an error is an answer all the same. */
function saysSomething(choice: unknown): boolean {
  const { content, refusal, calls } = readAnswerParts(choice, 'message');
  return content !== '' || refusal !== '' || calls.length > 0;
}

/** Whether another upstream might do better: this one is overloaded, away, or says nothing to the point. */
export function mayBeBettered(whole: WholeAnswer): boolean {
  if (whole.kind !== 'refusal') return whole.kind === 'unreadable';
  const { status } = whole.answer;
  return status === 408 || status === 429 || status < 400 || status >= 500;
}

/** Whether an upstream that answers so is sound: it has worked, or found a fault in the request. */
export function isSound(whole: WholeAnswer): boolean {
  if (whole.kind === 'refusal' && (whole.answer.status === 401 || whole.answer.status === 403)) return false;
  return !mayBeBettered(whole);
}

/** The body of an error that came as an event, in the form that a whole one has. */
export function errorBodyOf(event: Uint8Array): string {
  const json = parsedRecord(chatDataOf(Buffer.from(event).toString('utf8')) ?? '') ?? {};
  const error = errorOf(json) ?? json;
  const [message, code] = [errorSentence(error), statusOfError(error) ?? statusOfError(json)];
  const isUsual = typeof recordOf(error)['message'] === 'string' || (typeof error === 'string' && code === null);
  return JSON.stringify({ error: isUsual ? error : { message, code } });
}
