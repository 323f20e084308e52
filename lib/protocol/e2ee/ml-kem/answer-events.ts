import { isDone } from '../../chat/event-mark';
import { readUsage, type TokenUsage } from '../../chat/token-usage';
import { dataOf } from '../../event-stream/event-stream-reader';
import { PartTooLong, type StreamPart, StreamSplitter } from '../../event-stream/stream-splitter';
import { MlKemError } from './format';

/** Event of a streamed answer. The type is unencrypted, so that intermediaries can count pieces and read the usage. */
export type AnswerEvent =
  /** Encapsulated key of the pieces, base64. */
  | { kind: 'init'; capsule: string }
  /** Encrypted piece of the answer, base64 of any length. */
  | { kind: 'piece'; sealed: string }
  /** Unencrypted usage; null if malformed. */
  | { kind: 'usage'; usage: TokenUsage | null }
  /** Unencrypted error as received. */
  | { kind: 'error'; error: unknown }
  | { kind: 'done' }
  /** Any other event. The answer is then not encrypted. */
  | { kind: 'plain' };

/**
 * Maximum length of a line in bytes. Real lines are far shorter, because servers send an event for every few tokens.
 */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Extracts the events from a streamed answer that arrives in chunks. Each data line is one event. Skips comments and
 * other fields. Buffers at most the longest line.
 */
export class AnswerEventReader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #splitter = new StreamSplitter({
    unit: 'line',
    partBytesMax: LINE_BYTES_MAX,
    onPart: (part) => this.#readLine(part),
  });
  #events: AnswerEvent[] = [];

  /** True if the answer so far ends with a whole line. */
  get isWhole(): boolean {
    return this.#splitter.isBetweenParts;
  }

  /**
   * @returns events that end within these bytes
   * @throws {MlKemError} TOO_LONG for a line beyond the limit
   */
  push(bytes: Uint8Array): AnswerEvent[] {
    return this.#completed(() => this.#splitter.push(bytes));
  }

  /**
   * @returns last event, if it ended with CR and was withheld because an LF could have followed
   * @throws {MlKemError} TRUNCATED if the answer ends within a line
   */
  end(): AnswerEvent[] {
    return this.#completed(() => this.#splitter.finish());
  }

  #completed(split: () => void): AnswerEvent[] {
    this.#events = [];
    try {
      split();
    } catch (cause) {
      throw cause instanceof PartTooLong ? new MlKemError('TOO_LONG', 'A line of the answer is too long.') : cause;
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
  // A plaintext completion chunk may have usage too, but has choices.
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
