import { PartTooLong, type StreamPart, StreamSplitter } from './stream-splitter';

const COLON = 0x3a;
const SPACE = 0x20;
const DATA = [0x64, 0x61, 0x74, 0x61, COLON] as const;
const DATA_FIELD: readonly string[] = ['data'];

export class EventStreamFault extends Error {
  override readonly name = 'EventStreamFault';

  constructor(
    readonly fault: 'not-utf-8' | 'too-long',
    options?: ErrorOptions,
  ) {
    super(fault === 'not-utf-8' ? 'The event stream is not UTF-8.' : 'An event of the stream does not end.', options);
  }
}

/** Events that are complete only at the end of the stream, and the data of a truncated event. */
interface StreamEnd {
  events: (string | null)[];
  cut: string | null;
}

/** Reads the events of a stream (WHATWG HTML, section 9.2.6) from chunks, without parsing their data. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #splitter: StreamSplitter;
  #events: (string | null)[] = [];
  #cut: string | null = null;

  /**
   * @param eventBytesMax maximum length of an event
   * @param readData extracts the data of events other than one data field
   */
  constructor(
    eventBytesMax: number,
    private readonly readData: (event: string) => string | null = dataOf,
  ) {
    this.#splitter = new StreamSplitter({
      unit: 'event',
      partBytesMax: eventBytesMax,
      onPart: (part) => this.#read(part),
    });
  }

  /**
   * @returns data of each event that ends within these bytes; null for an event without data
   * @throws {EventStreamFault}
   */
  push(bytes: Uint8Array): (string | null)[] {
    return this.#taken(() => this.#splitter.push(bytes));
  }

  /** @throws {EventStreamFault} */
  end(): StreamEnd {
    const events = this.#taken(() => this.#splitter.finish());
    return { events, cut: this.#cut };
  }

  #taken(split: () => void): (string | null)[] {
    this.#events = [];
    try {
      split();
    } catch (cause) {
      throw cause instanceof PartTooLong ? new EventStreamFault('too-long', { cause }) : cause;
    }
    return this.#events;
  }

  #read(part: StreamPart): void {
    if (part.lines === 0) return;
    const from = dataStartOf(part);
    const data =
      from < 0
        ? this.readData(this.#decode(part.bytes.subarray(part.start, part.end)))
        : this.#decode(part.bytes.subarray(from, part.firstLineEnd));
    if (part.isWhole) this.#events.push(data);
    else this.#cut = data;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch (cause) {
      throw new EventStreamFault('not-utf-8', { cause });
    }
  }
}

/** Returns the offset of the data if the event is a single data field, as almost all events are; else -1. */
export function dataStartOf({ bytes, start, lines }: StreamPart): number {
  if (lines !== 1) return -1;
  for (let i = 0; i < DATA.length; i++) if (bytes[start + i] !== DATA[i]) return -1;
  const from = start + DATA.length;
  return bytes[from] === SPACE ? from + 1 : from;
}

/**
 * Returns an event's data fields joined by LF; null without data fields.
 *
 * @param fields names of fields that count as data
 */
export function dataOf(event: string, fields = DATA_FIELD): string | null {
  const values: string[] = [];
  for (const line of event.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    if (!fields.includes(colon < 0 ? line : line.slice(0, colon))) continue;
    values.push(colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1));
  }
  return values.length === 0 ? null : values.join('\n');
}

export function isEventStream(contentType: string | null | undefined): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType ?? '');
}

/** Returns whether the answer may be an event stream. Some servers send event streams as plain text. */
export function mayBeEventStream(contentType: string | null | undefined): boolean {
  return isEventStream(contentType) || /^\s*text\/plain\s*(?:;|$)/i.test(contentType ?? '');
}
