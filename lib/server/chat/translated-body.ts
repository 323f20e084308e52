import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { EventStreamReader } from '@/lib/protocol/event-stream/event-stream-reader';
import { parsedRecord } from '@/lib/protocol/json-record';
import type { AnswerEvents, AnswerFailure } from '@/lib/protocol/translation/answer-translation';
import { ChatAnswerFault } from '@/lib/protocol/translation/chat-piece';
import { ChatPieceReader, usagePieces } from '@/lib/protocol/translation/chat-piece-reader';
import { eventText, type NamedEvent } from '@/lib/protocol/translation/named-event';
import type { BodySink, PushBody } from '../http/call';
import { BROKEN_ANSWER } from './own-events';

const EVENT_BYTES_MAX = 32 * 1_024 * 1_024;
/** Stands for events without data: what keeps a connection open goes on doing so. */
const COMMENT = ':\n\n';

/** The stream of a chat in the events of another API. It ends after `[DONE]`, which goes out once the chat is charged. */
export class TranslatedBody implements PushBody {
  constructor(
    private readonly body: PushBody,
    private readonly events: AnswerEvents,
    private readonly onBroken: () => void,
  ) {}

  /** The same of a stream that is there in full. */
  static whole(bytes: Uint8Array, events: AnswerEvents): string {
    const translation = new StreamTranslation(events);
    return translation.begin() + translation.push(bytes) + translation.end();
  }

  start(sink: BodySink): void {
    const translation = new StreamTranslation(this.events, this.onBroken);
    const write = (text: string): boolean => text === '' || sink.write(Buffer.from(text));
    write(translation.begin());
    this.body.start({
      write: (bytes) => write(translation.push(bytes)),
      end: () => {
        write(translation.end());
        sink.end();
      },
      // Its clients read why an answer ends from an event, and repeat a call whose connection breaks.
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

/** The bytes of a chat's stream as the text of an API's. */
class StreamTranslation {
  readonly #stream = new EventStreamReader(EVENT_BYTES_MAX, chatDataOf);
  readonly #pieces = new ChatPieceReader();
  /** Whether a reason to end has come. */
  #isFinished = false;
  /** Whether `[DONE]` has come. Some servers tell the usage after it. */
  #isDone = false;
  /** Its last event is written. */
  #isOver = false;

  constructor(
    private readonly events: AnswerEvents,
    private readonly onBroken: () => void = () => undefined,
  ) {}

  begin(): string {
    return textOf(this.events.begin());
  }

  push(bytes: Uint8Array): string {
    return this.#written(() => this.#stream.push(bytes));
  }

  end(): string {
    const last = this.#written(() => {
      const { events, cut } = this.#stream.end();
      return [...events, cut];
    });
    return last + (this.#isFinished || this.#isDone ? this.#over(() => this.events.end()) : this.fail());
  }

  fail(): string {
    return this.#over(() => (this.#isDone ? this.events.end() : this.#broken(BROKEN_ANSWER)));
  }

  #event(data: string | null): string {
    if (this.#isOver) return '';
    if (data === null) return COMMENT;
    if (isDone(data)) this.#isDone = true;
    if (isDone(data) || data.trim() === '') return '';
    const json = parsedRecord(data);
    const pieces = this.#isDone ? usagePieces(json ?? {}) : this.#pieces.read(json, 'delta');
    this.#isFinished ||= pieces.some(({ type }) => type === 'finish');
    return textOf(pieces.flatMap((piece) => this.events.push(piece)));
  }

  /** What cannot be read ends the answer with an error. */
  #written(read: () => (string | null)[]): string {
    let text = '';
    try {
      for (const data of read()) text += this.#event(data);
    } catch (error) {
      text += this.#over(() => this.#broken(error instanceof ChatAnswerFault ? { code: error.code, message: error.message } : BROKEN_ANSWER));
    }
    return text;
  }

  #broken(failure: AnswerFailure): NamedEvent[] {
    this.onBroken();
    return this.events.fail(failure);
  }

  #over(last: () => NamedEvent[]): string {
    if (this.#isOver) return '';
    this.#isOver = true;
    return textOf(last());
  }
}

function textOf(events: readonly NamedEvent[]): string {
  return events.map(eventText).join('');
}
