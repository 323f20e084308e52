import type { EventMark } from '@/lib/protocol/chat/event-mark';
import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { parsedRecord } from '@/lib/protocol/json-record';
import { changedEvent, redactedEvent } from './redacted-event';

type UsageMark = Extract<EventMark, { kind: 'usage' }>;

export interface EventChanges {
  /** True to leave out the usage event, because the client did not request it. */
  hidesUsage: boolean;
  /** Removes secrets from texts; null if the bytes must stay unchanged. */
  redact: ((text: string) => string) | null;
}

interface OutgoingEvents {
  passed: Uint8Array[];
  /** Events from `[DONE]` on, which wait for the charge. */
  held: WholeEvents | null;
  /** True if an event before `[DONE]` reports failure. */
  hasFailed: boolean;
  /** Last usage sent to the client; null if none. */
  told: TokenUsage | null;
  /** True if the next event would exceed the token limit. No further event is sent. */
  isOverLimit: boolean;
}

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

/** Separates usage events that follow `[DONE]` from the other events. */
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

/**
 * Returns whether to leave out an event that has only usage: the client did not request usage, or the usage cannot be
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
