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

/** `data: [DONE]` is shorter, whatever stands around it. */
const DONE_BYTES_MAX = 64;
const LETTER_E = 0x65;

const decoder = new TextDecoder();

/** What an event is, beside content; null where it is nothing else. */
export function markOf(bytes: Uint8Array, start: number, end: number, { usage: hasUsage, error, produced }: SeenInEvent): EventMark | null {
  if (hasUsage) {
    const chunk = parseEvent(bytes.subarray(start, end));
    const usage = readUsage(chunk?.['usage']);
    const choices = chunk?.['choices'] ?? [];
    if (usage !== null) return { kind: 'usage', start, end, usage, bare: Array.isArray(choices) && choices.length === 0 };
  }
  if (error && produced === 0) return { kind: 'error', start, end };
  if (end - start <= DONE_BYTES_MAX && /^data: ?\[DONE\]\s*$/m.test(decoder.decode(bytes.subarray(start, end)))) return { kind: 'done', start, end };
  // llama.cpp has a field of its own; others name the event.
  if (bytes[start] === LETTER_E && /^(error:|event: ?error\b)/.test(decoder.decode(bytes.subarray(start, Math.min(end, start + 16))))) return { kind: 'error', start, end };
  return null;
}

/** The data of an event, its lines joined (WHATWG HTML, section 9.2.6); of llama.cpp's errors what stands in their field. */
export function dataOfEvent(event: Uint8Array): string {
  const text = decoder.decode(event);
  // Nearly every one is a line of JSON between this and a blank line.
  if (text.startsWith('data: ') && text.indexOf('\n') === text.length - 2 && text.endsWith('\n\n') && !text.includes('\r')) return text.slice('data: '.length, -2);
  return text
    .split(/\r?\n/)
    .map((line) => /^(?:data|error): ?(.*)$/s.exec(line)?.[1])
    .filter((data) => data !== undefined)
    .join('\n');
}

function parseEvent(event: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(dataOfEvent(event));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
