import type { EventMark } from '@/lib/protocol/chat/event-mark';
import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';

/** Maximum bytes to hold back. Beyond this limit, events are relayed even if no answer has begun. */
const HELD_BYTES_MAX = 65_536;

type PrefaceVerdict =
  /** The answer has begun. `events` includes all events that were held back. */
  | { kind: 'begun'; events: WholeEvents }
  /** An error event arrived before any content. */
  | { kind: 'failed'; event: Uint8Array }
  /** `[DONE]` arrived before any content. */
  | { kind: 'empty' }
  | { kind: 'waiting' };

/** Holds back the events that precede an answer (comments, roles, filter results), so that failover stays possible. */
export class StreamPreface {
  readonly #bytes = new GrowingBytes();
  readonly #marks: EventMark[] = [];

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  add(events: WholeEvents): PrefaceVerdict {
    const { bytes, marks, begunAt } = events;
    const early = marks.find(
      ({ kind, start }) => (kind === 'error' || kind === 'done') && (begunAt < 0 || start < begunAt),
    );
    if (early)
      return early.kind === 'error'
        ? { kind: 'failed', event: bytes.subarray(early.start, early.end) }
        : { kind: 'empty' };
    if (begunAt >= 0 && this.isEmpty) return { kind: 'begun', events };
    const offset = this.#bytes.length;
    this.#bytes.append(bytes);
    for (const mark of marks) this.#marks.push({ ...mark, start: mark.start + offset, end: mark.end + offset });
    return begunAt >= 0 || this.#bytes.length > HELD_BYTES_MAX
      ? { kind: 'begun', events: this.held }
      : { kind: 'waiting' };
  }

  get held(): WholeEvents {
    return { bytes: this.#bytes.bytes, marks: this.#marks, begunAt: -1 };
  }
}
