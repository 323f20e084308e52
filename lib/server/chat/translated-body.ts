import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { EventStreamReader } from '@/lib/protocol/event-stream/event-stream-reader';
import { parsedRecord } from '@/lib/protocol/json-record';
import {
  type AnswerEvents,
  type AnswerFailure,
  eventText,
  type NamedEvent,
} from '@/lib/protocol/translation/answer-translation';
import { ChatAnswerFault, ChatPieceReader, usagePieces } from '@/lib/protocol/translation/chat-piece';
import type { BodySink, PushBody } from '../http/call';
import { BROKEN_ANSWER } from './own-events';

const EVENT_BYTES_MAX = 32 * 1_024 * 1_024;
/** Comment that replaces an event without data, to keep the connection open. */
const COMMENT = ':\n\n';

/** Translates a chat's stream into the events of another API. Ends after the charge, when the chat's stream ends. */
export class TranslatedBody implements PushBody {
  constructor(
    private readonly body: PushBody,
    private readonly eventsOf: EventsOf,
    private readonly onBroken: () => void,
  ) {}

  static whole(bytes: Uint8Array, eventsOf: EventsOf): string {
    const translation = new StreamTranslation(eventsOf);
    return translation.push(bytes) + translation.end();
  }

  start(sink: BodySink): void {
    const translation = new StreamTranslation(this.eventsOf, this.onBroken);
    const write = (text: string): boolean => text === '' || sink.write(Buffer.from(text));
    this.body.start({
      write: (bytes) => write(translation.push(bytes)),
      end: () => {
        write(translation.end());
        sink.end();
      },
      // Clients repeat a call whose connection breaks, but not a call that ends with an error event.
      fail: () => {
        write(translation.fail());
        sink.end();
      },
      drop: () => sink.drop(),
    });
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
    this.body.cancel();
  }

  sent(): void {
    this.body.sent?.();
  }
}

/** Creates the translator for one answer. The argument is the time in the first chunk; null if unknown. */
type EventsOf = (createdAtSeconds: number | null) => AnswerEvents;

class StreamTranslation {
  readonly #stream = new EventStreamReader(EVENT_BYTES_MAX, chatDataOf);
  readonly #pieces = new ChatPieceReader();
  #events: AnswerEvents | null = null;
  #text = '';
  #isFinished = false;
  /** True after `[DONE]`. Some servers send usage later. */
  #isDone = false;
  #isOver = false;

  constructor(
    private readonly eventsOf: EventsOf,
    private readonly onBroken: () => void = () => undefined,
  ) {}

  push(bytes: Uint8Array): string {
    this.#translate(() => this.#stream.push(bytes));
    return this.#taken();
  }

  end(): string {
    this.#translate(() => {
      const { events, cut } = this.#stream.end();
      return [...events, cut];
    });
    if (this.#isFinished || this.#isDone) this.#over((events) => events.end());
    return this.fail();
  }

  fail(): string {
    this.#over((events) => (this.#isDone ? events.end() : this.#broken(events, BROKEN_ANSWER)));
    return this.#taken();
  }

  #translate(read: () => (string | null)[]): void {
    try {
      for (const data of read()) this.#event(data);
    } catch (error) {
      this.#over((events) =>
        this.#broken(
          events,
          error instanceof ChatAnswerFault ? { code: error.code, message: error.message } : BROKEN_ANSWER,
        ),
      );
    }
  }

  #event(data: string | null): void {
    if (this.#isOver) return;
    if (data === null) {
      this.#begun(null);
      this.#text += COMMENT;
      return;
    }
    if (isDone(data)) this.#isDone = true;
    if (isDone(data) || data.trim() === '') return;
    const json = parsedRecord(data);
    const events = this.#begun(json?.['created']);
    const pieces = this.#isDone ? usagePieces(json ?? {}) : this.#pieces.read(json, 'delta');
    this.#isFinished ||= pieces.some(({ type }) => type === 'finish');
    this.#write(pieces.flatMap((piece) => events.push(piece)));
  }

  /**
   * Returns this answer's translator, and creates it at the first call. Uses the time in the first chunk, so that a
   * replay has the same bytes.
   */
  #begun(created: unknown): AnswerEvents {
    if (this.#events) return this.#events;
    this.#events = this.eventsOf(typeof created === 'number' ? created : null);
    this.#write(this.#events.begin());
    return this.#events;
  }

  #broken(events: AnswerEvents, failure: AnswerFailure): NamedEvent[] {
    this.onBroken();
    return events.fail(failure);
  }

  #over(last: (events: AnswerEvents) => NamedEvent[]): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#write(last(this.#begun(null)));
  }

  #write(events: readonly NamedEvent[]): void {
    this.#text += events.map(eventText).join('');
  }

  #taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
