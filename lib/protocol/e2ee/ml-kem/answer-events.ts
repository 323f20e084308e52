import { isDone } from '../../chat/event-mark';
import { readUsage, type TokenUsage } from '../../chat/token-usage';
import { dataOf } from '../../event-stream/event-stream-reader';
import { PartTooLong, type StreamPart, StreamSplitter } from '../../event-stream/stream-splitter';
import { MlKemError } from './ml-kem-error';

/** What a streamed answer consists of. Its events say in the clear what they are, and who is on the way can read that much. */
export type AnswerEvent =
  /** The capsule of the key that the pieces are encrypted with, in base64. */
  | { kind: 'init'; capsule: string }
  /** Some of the answer, encrypted, in base64: as many characters as there are. */
  | { kind: 'piece'; sealed: string }
  /** What was taken, in the clear; null where it cannot be read. */
  | { kind: 'usage'; usage: TokenUsage | null }
  /** That something went wrong, in the clear, as it came. */
  | { kind: 'error'; error: unknown }
  | { kind: 'done' }
  /** Anything else: somebody answers in the clear. */
  | { kind: 'plain' };

/** Of one event; a server makes one of each token or few. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Finds the events of a streamed answer in bytes that come in chunks. Each is one line of data, which is how the family
 * reads them as well. Comments and other fields are left out. What it keeps is bounded by the longest line.
 */
export class AnswerEventReader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #splitter = new StreamSplitter({
    unit: 'line',
    partBytesMax: LINE_BYTES_MAX,
    onPart: (part) => this.#readLine(part),
  });
  #events: AnswerEvent[] = [];

  /** Whether it ends with a whole line. */
  get isWhole(): boolean {
    return this.#splitter.isBetweenParts;
  }

  /** Takes the next bytes. @returns the events that they complete @throws {MlKemError} TOO_LONG for a line that does not end */
  push(bytes: Uint8Array): AnswerEvent[] {
    return this.#completed(() => this.#splitter.push(bytes));
  }

  /** Ends the answer. @returns an event whose line end only the end tells from another @throws {MlKemError} TRUNCATED within a line */
  end(): AnswerEvent[] {
    return this.#completed(() => this.#splitter.finish());
  }

  #completed(split: () => void): AnswerEvent[] {
    this.#events = [];
    try {
      split();
    } catch (cause) {
      throw cause instanceof PartTooLong ? new MlKemError('TOO_LONG', 'One of its lines does not end.') : cause;
    }
    return this.#events;
  }

  #readLine({ bytes, start, end, isWhole }: StreamPart): void {
    if (!isWhole) throw new MlKemError('TRUNCATED', 'The answer ends within an event.');
    const data = dataOf(this.#decoder.decode(bytes.subarray(start, end)));
    if (data !== null) this.#events.push(eventOf(data));
  }
}

function eventOf(data: string): AnswerEvent {
  if (isDone(data)) return { kind: 'done' };
  const json = objectOf(data);
  const { e2e_init: capsule, e2e: sealed, e2e_error: error, usage, choices } = json;
  if (typeof capsule === 'string') return { kind: 'init', capsule };
  if (typeof sealed === 'string') return { kind: 'piece', sealed };
  if (error !== undefined) return { kind: 'error', error };
  // A chunk of a completion has a usage too: with choices in it, it is an answer in the clear.
  const hasChoices = choices !== undefined && !(Array.isArray(choices) && choices.length === 0);
  if (usage != null && !hasChoices) return { kind: 'usage', usage: readUsage(usage) };
  return { kind: 'plain' };
}

function objectOf(data: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(data);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
