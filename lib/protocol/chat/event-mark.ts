import { dataOf } from '../event-stream/event-stream-reader';
import { readUsage, type TokenUsage } from './token-usage';

/** An event that is more than content, and where it is in the bytes that it came with, its blank line included. */
export type EventMark =
  /** `bare`: it carries usage and no choice, as upstreams add it at the end when they are asked to count. */
  | { kind: 'usage'; start: number; end: number; usage: TokenUsage; bare: boolean }
  | { kind: 'done'; start: number; end: number }
  | { kind: 'error'; start: number; end: number };

/** What a look at the keys of an event found. */
export interface SeenInEvent {
  /** Bytes in the strings that are the model's own words. */
  produced: number;
  usage: boolean;
  error: boolean;
  finish: boolean;
}

/** The data of an event, as bytes, and the place of the event in those that it came with. */
export interface EventData {
  start: number;
  end: number;
  bytes: Uint8Array;
  from: number;
  to: number;
  /** Whether the event says by its name, or the field of its data, that it is an error. */
  isNamedError: boolean;
}

const DONE = '[DONE]';
/** `[DONE]` is shorter, with any white space around it. */
const DONE_BYTES_MAX = 64;
/** llama.cpp has a field of its own for errors. */
const DATA_FIELDS: readonly string[] = ['data', 'error'];

const decoder = new TextDecoder();

/** Whether the data of an event ends a stream of chat chunks. */
export function isDone(data: string): boolean {
  return data.length <= DONE_BYTES_MAX && data.trim() === DONE;
}

/** What an event is, beside content; null where it is nothing else. */
export function markOf({ start, end, bytes, from, to, isNamedError }: EventData, { usage: hasUsage, error, produced }: SeenInEvent): EventMark | null {
  if (hasUsage) {
    const chunk = objectOf(decoder.decode(bytes.subarray(from, to)));
    const usage = readUsage(chunk?.['usage']);
    const choices = chunk?.['choices'] ?? [];
    if (usage !== null) return { kind: 'usage', start, end, usage, bare: Array.isArray(choices) && choices.length === 0 };
  }
  if (error && produced === 0) return { kind: 'error', start, end };
  if (to - from <= DONE_BYTES_MAX && isDone(decoder.decode(bytes.subarray(from, to)))) return { kind: 'done', start, end };
  return isNamedError ? { kind: 'error', start, end } : null;
}

/** The data of an event; of llama.cpp's errors what stands in their field. Empty where it has none. */
export function dataOfEvent(event: Uint8Array): string {
  return dataOf(decoder.decode(event), DATA_FIELDS) ?? '';
}

/** Whether an event says that it is an error, other than in its data: some servers name it, llama.cpp has a field for it. */
export function isNamedError(event: Uint8Array): boolean {
  const text = decoder.decode(event);
  return dataOf(text, ['error']) !== null || /^error\b/.test(dataOf(text, ['event']) ?? '');
}

function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
