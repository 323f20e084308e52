import { dataOf } from '../event-stream/event-stream-reader';
import { parsedRecord, recordOf } from '../json-record';
import { errorOf } from './answer-error';
import { readAnswerParts, usualReason } from './answer-parts';
import { readUsage, saysUsage, type TokenUsage } from './token-usage';

/** Event that is not plain content, with its byte range in the chunk (blank line included). */
export type EventMark =
  /**
   * `usage`: the event's usage, null if invalid. `isExact`: the event's JSON contains exactly these values and no cost.
   * `bare`: the event has no choices. `hasError`: a choice contains an error. `isOdd`: the event also fits the kind
   * `odd`.
   */
  | {
      kind: 'usage';
      start: number;
      end: number;
      usage: TokenUsage | null;
      isExact: boolean;
      bare: boolean;
      hasError: boolean;
      isOdd: boolean;
    }
  | { kind: 'done'; start: number; end: number }
  | { kind: 'error'; start: number; end: number }
  /** Error inside a choice, such as a content filter's. The answer continues. The error's text may contain secrets. */
  | { kind: 'inner-error'; start: number; end: number }
  /** Event that OpenAI's SDKs may be unable to read: a ping, a tool call, or text in an unusual format. */
  | { kind: 'odd'; start: number; end: number }
  /** First event after the token limit was exceeded. */
  | { kind: 'limit'; start: number; end: number };

export interface SeenInEvent {
  /** Number of bytes in the strings that the model generated. */
  produced: number;
  usage: boolean;
  error: boolean;
  finish: boolean;
  call: boolean;
  /** True if the event has members that only chat completion chunks have. */
  isChunk: boolean;
  /** True if generated text is a list or an object instead of a string. */
  isUnusual: boolean;
}

/** An event's range in its chunk (`start`, `end`), and its data (`from` to `to` in `bytes`). */
export interface EventData {
  start: number;
  end: number;
  bytes: Uint8Array;
  from: number;
  to: number;
}

const DONE = '[DONE]';
/** Maximum size of `[DONE]` with surrounding whitespace, in bytes. */
const DONE_BYTES_MAX = 64;
const DATA_FIELDS: readonly string[] = ['data', 'error'];

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Returns whether the data ends a chat stream. Compares only the beginning, like OpenAI's SDKs. */
export function isDone(data: string): boolean {
  return data.length <= DONE_BYTES_MAX && data.trimStart().startsWith(DONE);
}

/**
 * Classifies an event; null if no kind of mark applies. Parses JSON only if the scan found more than content.
 *
 * @param seen results of the scan; the function adds text that the scan missed because of an unusual format
 */
export function markOf({ start, end, bytes, from, to }: EventData, seen: SeenInEvent): EventMark | null {
  if (to - from <= DONE_BYTES_MAX && isDone(decoder.decode(bytes.subarray(from, to))))
    return { kind: 'done', start, end };
  if (seen.isChunk && !seen.usage && !seen.error && !seen.isUnusual && !seen.call && !seen.finish) return null;
  const text = decoder.decode(bytes.subarray(from, to));
  const json = parsedRecord(text);
  if (json === null) return text.trim() === '' ? { kind: 'odd', start, end } : null;
  if (errorOf(json) !== null) return { kind: 'error', start, end };
  if (seen.isUnusual) seen.produced = producedBytes(json);
  const { usage: told } = json;
  const isOdd = seen.isUnusual || seen.call || !Array.isArray(json['choices']) || json['choices'].some(hasOddReason);
  if (seen.usage && told != null) {
    const usage = readUsage(told);
    return {
      kind: 'usage',
      start,
      end,
      usage,
      isExact: usage !== null && saysUsage(told, usage),
      bare: isBare(json),
      hasError: seen.error,
      isOdd,
    };
  }
  if (seen.error) return { kind: 'inner-error', start, end };
  return isOdd ? { kind: 'odd', start, end } : null;
}

function hasOddReason(choice: unknown): boolean {
  const { finish_reason: reason } = recordOf(choice);
  return usualReason(reason) !== reason;
}

function isBare({ choices }: Readonly<Record<string, unknown>>): boolean {
  return choices == null || (Array.isArray(choices) && choices.length === 0);
}

function producedBytes({ choices }: Readonly<Record<string, unknown>>): number {
  let sum = 0;
  for (const choice of Array.isArray(choices) ? (choices as unknown[]) : []) {
    const { content, reasoning, refusal, calls } = readAnswerParts(choice, 'delta');
    sum += encoder.encode(
      content + reasoning + refusal + calls.map(({ argumentsText }) => argumentsText).join(''),
    ).length;
  }
  return sum;
}

/** Returns an event's `data`, or the `error` field of llama.cpp's errors; empty if the event has neither. */
export function dataOfEvent(event: Uint8Array): string {
  return dataOf(decoder.decode(event), DATA_FIELDS) ?? '';
}
