import type { EventMark } from '@/lib/protocol/chat/event-mark';
import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';

/** More than that is passed on, whether the answer has begun or not. */
const HELD_BYTES_MAX = 65_536;

/** What the events of a stream came to that has not begun yet. */
export type PrefaceVerdict =
  /** The answer began: all events until now. */
  | { kind: 'begun'; events: WholeEvents }
  /** An error came in its place. */
  | { kind: 'failed'; event: Uint8Array }
  /** `[DONE]` came in its place. */
  | { kind: 'empty' }
  | { kind: 'waiting' };

/** Holds back what comes before an answer begins (comments, roles, filter results), while another server can be asked. */
export class StreamPreface {
  readonly #bytes = new GrowingBytes();
  readonly #marks: EventMark[] = [];

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** Takes the next events. */
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

  /** All that is held back. */
  get held(): WholeEvents {
    return { bytes: this.#bytes.bytes, marks: this.#marks, begunAt: -1 };
  }
}
