import type { EventMark } from '@/lib/protocol/chat/event-mark';
import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { parsedRecord } from '@/lib/protocol/json-record';
import { changedEvent, redactedEvent } from './redacted-event';

type UsageMark = Extract<EventMark, { kind: 'usage' }>;

/** What is changed in the events of an upstream. */
export interface EventChanges {
  /** Whether the event is left out that says what a stream took: nobody asked for it. */
  hidesUsage: boolean;
  /** Takes secrets out of texts that may name them; null where bytes stay as they came, whatever they say. */
  redact: ((text: string) => string) | null;
}

/** What of some events goes out. */
export interface OutgoingEvents {
  /** In their order. */
  passed: Uint8Array[];
  /** From `[DONE]` on: they wait for the charge. */
  held: WholeEvents | null;
  /** Whether one before `[DONE]` says that the answer failed. */
  hasFailed: boolean;
  /** The usage that the client is told last; null where it is told none. */
  told: TokenUsage | null;
  /** Whether the next event is beyond what may be produced: nothing goes out from there on. */
  isOverLimit: boolean;
}

/** Makes the changes. */
export function outgoingEvents(
  { bytes, marks }: Pick<WholeEvents, 'bytes' | 'marks'>,
  changes: EventChanges,
): OutgoingEvents {
  const { redact } = changes;
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
    const stays = redact === null || (kind === 'usage' && mark.isExact && !mark.hasError);
    const isHidden = kind === 'usage' && isLeftOut(mark, changes);
    if (kind === 'usage' && !isHidden) told = mark.usage ?? told;
    if (stays && !isHidden) continue;
    passUntil(start);
    from = end;
    if (isHidden || redact === null) continue;
    const event = bytes.subarray(start, end);
    passed.push(
      kind !== 'usage'
        ? redactedEvent(event, redact)
        : mark.hasError
          ? redactedEvent(statedUsage(event, mark), redact)
          : statedUsage(event, mark),
    );
  }
  passUntil(bytes.length);
  return { passed, held: null, hasFailed, told, isOverLimit: false };
}

/** Splits what came after `[DONE]` into the usage that is told so late, and the rest. */
export function lateUsage(
  { bytes, marks }: WholeEvents,
  changes: EventChanges,
): { usage: Uint8Array[]; rest: Uint8Array[]; told: TokenUsage | null } {
  const [usage, rest]: [Uint8Array[], Uint8Array[]] = [[], []];
  let from = 0;
  let told: TokenUsage | null = null;
  for (const mark of marks) {
    if (mark.kind !== 'usage') continue;
    rest.push(bytes.subarray(from, mark.start));
    from = mark.end;
    if (isLeftOut(mark, changes)) continue;
    told = mark.usage ?? told;
    usage.push(statedUsage(bytes.subarray(mark.start, mark.end), mark));
  }
  rest.push(bytes.subarray(from));
  return { usage, rest, told };
}

/** Whether an event is left out: it tells nothing but a usage that nobody asked for, or that cannot be read. */
function isLeftOut({ bare, usage }: UsageMark, { hidesUsage, redact }: EventChanges): boolean {
  return bare && (hidesUsage || (usage === null && redact !== null));
}

/** The event with the usage as it is counted here, where its members say something else. */
function statedUsage(event: Uint8Array, { usage, isExact }: UsageMark): Uint8Array {
  return isExact
    ? event
    : changedEvent(event, (data) =>
        JSON.stringify({ ...parsedRecord(data), usage: usage ? usageJson(usage) : undefined }),
      );
}
