import type { EventMark } from '@/lib/protocol/chat/event-mark';
import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import type { UsualChunks } from '@/lib/protocol/chat/usual-chunks';
import { dataOf } from '@/lib/protocol/event-stream/event-stream-reader';
import { HEARTBEAT } from '@/lib/protocol/event-stream/heartbeat';
import { isRecord, parsedRecord } from '@/lib/protocol/json-record';
import { failureEvent } from './own-events';

type UsageMark = Extract<EventMark, { kind: 'usage' }>;

export interface EventChanges {
  /** True to leave out the usage event, because the client did not request it. */
  hidesUsage: boolean;
  /** Removes secrets from a text; null if the bytes must stay unchanged. */
  redact: ((text: string) => string) | null;
  /**
   * Rewrites chunks that OpenAI's SDKs cannot read; null for streams of other APIs, and if the bytes must stay
   * unchanged.
   */
  usual: UsualChunks | null;
}

interface OutgoingEvents {
  passed: Uint8Array[];
  /** `[DONE]` and later events, which wait for the charge. */
  held: WholeEvents | null;
  hasFailed: boolean;
  /** Last usage that the client has received; null if none. */
  told: TokenUsage | null;
  /** True if the next event would exceed the token limit. In that case no more events are sent. */
  isOverLimit: boolean;
}

export function outgoingEvents(
  { bytes, marks }: Pick<WholeEvents, 'bytes' | 'marks'>,
  changes: EventChanges,
): OutgoingEvents {
  const { redact, usual } = changes;
  const passed: Uint8Array[] = [];
  let [from, hasFailed] = [0, false];
  let told: TokenUsage | null = null;
  const passUntil = (end: number): void => {
    if (end > from) passed.push(bytes.subarray(from, end));
  };
  for (const [index, mark] of marks.entries()) {
    const { kind, start, end } = mark;
    if (kind === 'limit') {
      passUntil(start);
      return { passed, held: null, hasFailed, told, isOverLimit: true };
    }
    if (kind === 'done') {
      passUntil(start);
      return {
        passed,
        held: {
          bytes: bytes.subarray(start),
          marks: marks.slice(index + 1).map((each) => ({ ...each, start: each.start - start, end: each.end - start })),
          begunAt: -1,
        },
        hasFailed,
        told,
        isOverLimit: false,
      };
    }
    hasFailed ||= kind === 'error';
    const stays = redact === null || (kind === 'usage' && mark.isExact && !mark.hasError && !mark.isOdd);
    const isHidden = kind === 'usage' && isLeftOut(mark, changes);
    if (kind === 'usage' && !isHidden) told = mark.usage ?? told;
    if (stays && !isHidden) continue;
    passUntil(start);
    from = end;
    if (isHidden || redact === null) continue;
    passed.push(changed(bytes.subarray(start, end), mark, redact, usual));
  }
  passUntil(bytes.length);
  return { passed, held: null, hasFailed, told, isOverLimit: false };
}

function changed(
  event: Uint8Array,
  mark: EventMark,
  redact: (text: string) => string,
  usual: UsualChunks | null,
): Uint8Array {
  if (mark.kind === 'error') return usual ? failureEvent(event, redact) : redactedEvent(event, redact);
  const stated = mark.kind === 'usage' ? statedUsage(event, mark) : event;
  const clean =
    mark.kind === 'inner-error' || (mark.kind === 'usage' && mark.hasError) ? redactedEvent(stated, redact) : stated;
  return usual ? usualEvent(clean, usual) : clean;
}

function usualEvent(event: Uint8Array, usual: UsualChunks): Uint8Array {
  let isChunk = true;
  const rewritten = changedEvent(event, (data) => {
    const chunk = usual.rewritten(data);
    isChunk = chunk !== '';
    return chunk;
  });
  return isChunk ? rewritten : HEARTBEAT;
}

/** Returns the usage events that arrive after `[DONE]`. */
export function lateUsage(
  { bytes, marks }: WholeEvents,
  changes: EventChanges,
): { usage: Uint8Array[]; told: TokenUsage | null } {
  const usage: Uint8Array[] = [];
  let told: TokenUsage | null = null;
  for (const mark of marks) {
    if (mark.kind !== 'usage' || isLeftOut(mark, changes)) continue;
    told = mark.usage ?? told;
    usage.push(statedUsage(bytes.subarray(mark.start, mark.end), mark));
  }
  return { usage, told };
}

/**
 * Returns whether to leave out an event with only usage: if the client did not request usage, or the usage cannot be
 * parsed.
 */
function isLeftOut({ bare, usage }: UsageMark, { hidesUsage, redact }: EventChanges): boolean {
  return bare && (hidesUsage || (usage === null && redact !== null));
}

function statedUsage(event: Uint8Array, { usage, isExact }: UsageMark): Uint8Array {
  return isExact
    ? event
    : changedEvent(event, (data) =>
        JSON.stringify({ ...parsedRecord(data), usage: usage ? usageJson(usage) : undefined }),
      );
}

/** Fields that hold an event's data. llama.cpp uses `error`. */
const DATA_FIELDS = ['data', 'error'] as const;

/**
 * Removes secrets from an event. Parses the event's data first, because a secret's pattern could match JSON syntax too.
 * @param event one event, including its closing blank line
 * @returns the same event if there is no secret
 */
export function redactedEvent(event: Uint8Array, redact: (text: string) => string): Uint8Array {
  return changedEvent(event, (data) => redactedData(data, redact), redact);
}

/**
 * Changes the data of an event.
 *
 * @param change returns the new data; null to keep the data
 * @param changeLine changes each line that has no data
 * @returns the same event if nothing changes
 */
function changedEvent(
  event: Uint8Array,
  change: (data: string) => string | null,
  changeLine: (line: string) => string = (line) => line,
): Uint8Array {
  const text = Buffer.from(event.buffer, event.byteOffset, event.byteLength).toString('utf8');
  const field = DATA_FIELDS.find((name) => dataOf(text, [name]) !== null);
  const data = field && dataOf(text, [field]);
  const changed = data == null ? null : change(data);
  const others = text.split(/\r\n|\n|\r/).filter((line) => line !== '' && !(field && isOf(field, line)));
  const changedOthers = others.map(changeLine);
  if (changed === null && changedOthers.every((line, index) => line === others[index])) return event;
  const lines = (changed ?? data ?? '').split('\n').map((line) => `${field}: ${line}`);
  return Buffer.from(`${[...changedOthers, ...(field ? lines : [])].join('\n')}\n\n`);
}

function isOf(field: string, line: string): boolean {
  return line === field || line.startsWith(`${field}:`);
}

function redactedData(data: string, redact: (text: string) => string): string | null {
  let isChanged = false;
  const clean = (text: string): string => {
    const redacted = redact(text);
    isChanged ||= redacted !== text;
    return redacted;
  };
  const redacted = withTexts(data, clean);
  return isChanged ? redacted : null;
}

function withTexts(data: string, clean: (text: string) => string): string {
  try {
    return JSON.stringify(
      JSON.parse(data, (_name, value: unknown) =>
        typeof value === 'string' ? clean(value) : isRecord(value) ? withNames(value, clean) : value,
      ),
    );
  } catch {
    return clean(data);
  }
}

function withNames(value: Record<string, unknown>, clean: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), each]));
}
