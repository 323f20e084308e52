import { dataOf } from '../event-stream/event-stream-reader';
import { parsedRecord } from '../json-record';
import { errorOf } from './answer-error';
import { readAnswerParts } from './answer-parts';
import { readUsage, saysUsage, type TokenUsage } from './token-usage';

/** An event that is more than content, and where it is in the bytes that it came with, its blank line included. */
export type EventMark =
  /**
   * `usage`: null where it cannot be read. `isExact`: its members say that usage and nothing else. `bare`: it carries usage
   * and no choice, as upstreams add it at the end when they are asked to count. `hasError`: as `inner-error`.
   */
  | {
      kind: 'usage';
      start: number;
      end: number;
      usage: TokenUsage | null;
      isExact: boolean;
      bare: boolean;
      hasError: boolean;
    }
  | { kind: 'done'; start: number; end: number }
  | { kind: 'error'; start: number; end: number }
  /** An error within a choice, such as one of a content filter: the answer goes on, but the text may name secrets. */
  | { kind: 'inner-error'; start: number; end: number }
  /** The first event after more came than may be produced. */
  | { kind: 'limit'; start: number; end: number };

/** What a look at the keys of an event found. */
export interface SeenInEvent {
  /** Bytes in the strings that are the model's own words. */
  produced: number;
  usage: boolean;
  error: boolean;
  finish: boolean;
  /** A call of a tool. */
  call: boolean;
  /** Whether it has members that chunks alone have. */
  isChunk: boolean;
  /** Whether words stand in a list or an object, where a string is usual. */
  isUnusual: boolean;
}

/** The data of an event, as bytes, and the place of the event in those that it came with. */
export interface EventData {
  start: number;
  end: number;
  bytes: Uint8Array;
  from: number;
  to: number;
}

const DONE = '[DONE]';
/** `[DONE]` is shorter, with any white space around it. */
const DONE_BYTES_MAX = 64;
/** llama.cpp has a field of its own for errors. */
const DATA_FIELDS: readonly string[] = ['data', 'error'];

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Whether the data of an event ends a stream of chat chunks. OpenAI's SDKs look no further than these letters. */
export function isDone(data: string): boolean {
  return data.length <= DONE_BYTES_MAX && data.trimStart().startsWith(DONE);
}

/**
 * What an event is, beside content; null where it is nothing else. Only an event that may be something else is parsed.
 * @param seen in it; of an event with parts in unusual forms, corrected here
 */
export function markOf({ start, end, bytes, from, to }: EventData, seen: SeenInEvent): EventMark | null {
  if (to - from <= DONE_BYTES_MAX && isDone(decoder.decode(bytes.subarray(from, to))))
    return { kind: 'done', start, end };
  if (seen.isChunk && !seen.usage && !seen.error && !seen.isUnusual) return null;
  const json = parsedRecord(decoder.decode(bytes.subarray(from, to)));
  if (json === null) return null;
  if (errorOf(json) !== null) return { kind: 'error', start, end };
  if (seen.isUnusual) seen.produced = producedBytes(json);
  const { usage: told } = json;
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
    };
  }
  return seen.error ? { kind: 'inner-error', start, end } : null;
}

function isBare({ choices }: Readonly<Record<string, unknown>>): boolean {
  return choices == null || (Array.isArray(choices) && choices.length === 0);
}

/** UTF-8 bytes of the model's own words. */
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

/** The data of an event; of llama.cpp's errors what stands in their field. Empty where it has none. */
export function dataOfEvent(event: Uint8Array): string {
  return dataOf(decoder.decode(event), DATA_FIELDS) ?? '';
}
