import { dataOfEvent } from '@/lib/protocol/chat/event-mark';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

/** What a whole answer is: a completion, or what the upstream says instead of one. */
export type WholeAnswer =
  | { kind: 'completion'; json: Readonly<Record<string, unknown>>; body: Buffer }
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
  const json = objectOf(body);
  if (json === null) return { kind: 'unreadable' };
  if (Array.isArray(json['choices'])) return { kind: 'completion', json, body };
  const error = json['error'] ?? (json['object'] === 'error' ? json : null);
  return error === null || error === undefined ? { kind: 'unreadable' } : { kind: 'refusal', answer: { status: statusOf(error), headers, body } };
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

function objectOf(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** OpenRouter, vLLM and llama.cpp put the status into the error, each under a name of its own. */
function statusOf(error: unknown): number {
  const { code, status } = (typeof error === 'object' ? error : {}) as Record<string, unknown>;
  const said = [code, status].map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600);
  return said ?? ERROR_STATUS;
}

/** The body of an error that came as an event, in the form that a whole one has. */
export function errorBodyOf(event: Uint8Array): string {
  const data = dataOfEvent(event);
  try {
    const json = JSON.parse(data) as { error?: unknown } | null;
    return json?.error === undefined ? JSON.stringify({ error: json }) : data;
  } catch {
    return JSON.stringify({ error: data });
  }
}
