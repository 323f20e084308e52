import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import { redactedEvent } from './redacted-event';

/** What is changed in the events of an upstream. */
export interface EventChanges {
  /** Whether the event is left out that says what a stream took: nobody asked for it. */
  hidesUsage: boolean;
  /** Takes secrets out of texts that may name them; null where bytes stay as they came. */
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
  /** The usage that they tell last; null where they tell none. */
  told: TokenUsage | null;
  /** Whether the next event is beyond what may be produced: nothing goes out from there on. */
  isOverLimit: boolean;
}

/** Makes the changes. */
export function outgoingEvents({ bytes, marks }: Pick<WholeEvents, 'bytes' | 'marks'>, { hidesUsage, redact }: EventChanges): OutgoingEvents {
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
      return { passed, held: { bytes: bytes.subarray(start), marks: marks.slice(index + 1).map((each) => ({ ...each, start: each.start - start, end: each.end - start })), begunAt: -1 }, hasFailed, told, isOverLimit: false };
    }
    hasFailed ||= kind === 'error';
    if (kind === 'usage') told = mark.usage;
    const isHidden = hidesUsage && kind === 'usage' && mark.bare;
    const mayQuote = redact !== null && (kind !== 'usage' || mark.hasError);
    if (!isHidden && !mayQuote) continue;
    passUntil(start);
    if (!isHidden && redact) passed.push(redactedEvent(bytes.subarray(start, end), redact));
    from = end;
  }
  passUntil(bytes.length);
  return { passed, held: null, hasFailed, told, isOverLimit: false };
}

/** Splits what came after `[DONE]` into the usage that is told so late, and the rest. */
export function lateUsage({ bytes, marks }: WholeEvents, { hidesUsage }: EventChanges): { usage: Uint8Array[]; rest: Uint8Array[]; told: TokenUsage | null } {
  const [usage, rest]: [Uint8Array[], Uint8Array[]] = [[], []];
  let from = 0;
  let told: TokenUsage | null = null;
  for (const mark of marks) {
    if (mark.kind !== 'usage') continue;
    told = mark.usage;
    rest.push(bytes.subarray(from, mark.start));
    if (!(hidesUsage && mark.bare)) usage.push(bytes.subarray(mark.start, mark.end));
    from = mark.end;
  }
  rest.push(bytes.subarray(from));
  return { usage, rest, told };
}
