import { type BodyForm, bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { UpstreamFailed } from '../upstreams/models/upstream-error';
import type { Dispatcher } from 'undici';
import { BodyParts } from '../http/body-parts';
import { HeldParts } from '../http/held-memory/held-parts';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import { isSuccess } from './whole-answer';
import type { ChatParts } from './chat';

const EVENT_STREAM = 'text/event-stream';
const BLANK_BYTES_MAX = 65_536;

/**
 * First bytes of an upstream's answer. The content type and the first byte that is not white space distinguish an event
 * stream from a whole answer.
 */
class AnswerBeginning {
  readonly #parts = new BodyParts();
  readonly #type: string;

  constructor(
    readonly status: number,
    readonly headers: UpstreamAnswer['headers'],
  ) {
    const { 'content-type': type } = headers;
    this.#type = typeof type === 'string' ? type : '';
  }

  get isNamedStream(): boolean {
    return isEventStream(this.#type);
  }

  get streamType(): string {
    return this.isNamedStream ? this.#type.toLowerCase() : EVENT_STREAM;
  }

  /**
   * Adds bytes.
   * @returns all bytes so far; null until they distinguish a stream from a whole answer
   */
  add(chunk: Uint8Array): { form: BodyForm; bytes: Uint8Array } | null {
    const form = bodyFormOf(this.#type, chunk);
    if (form && this.#parts.length === 0) return { form, bytes: chunk };
    this.#parts.copy(chunk);
    if (this.#parts.length > BLANK_BYTES_MAX) return { form: 'whole', bytes: this.#parts.whole() };
    return form && { form, bytes: this.#parts.whole() };
  }
}

interface Collected {
  status: number;
  headers: UpstreamAnswer['headers'];
  body: HeldParts;
}

/**
 * Receives an upstream's answer to a streamed chat. Determines whether the answer is an event stream, and collects a
 * whole answer.
 */
export class AnswerArrival {
  /** First bytes of the answer until its form is known; null afterwards. */
  #head: AnswerBeginning | null = null;
  #whole: Collected | null = null;
  #contentType = '';

  /**
   * @param resume resumes reading from the upstream
   * @param onWhole called as soon as the answer may be a whole answer
   */
  constructor(
    private readonly parts: Pick<ChatParts, 'config' | 'memory'>,
    private readonly resume: () => void,
    private readonly onWhole: () => void,
  ) {}

  get contentType(): string {
    return this.#contentType;
  }

  get isWhole(): boolean {
    return this.#whole !== null;
  }

  begin(status: number, headers: UpstreamAnswer['headers']): void {
    this.#head = new AnswerBeginning(status, headers);
    if (!isSuccess(status)) this.#beginWhole(this.#head);
    else if (!this.#head.isNamedStream) this.onWhole();
  }

  /** @returns bytes of a stream; null if the answer is whole, or has been only white space so far */
  take(controller: Dispatcher.DispatchController, chunk: Buffer): Uint8Array | null {
    if (this.#whole) {
      this.#collect(this.#whole, controller, chunk);
      return null;
    }
    return this.#head === null ? chunk : this.#recognized(this.#head, controller, chunk);
  }

  end(): UpstreamAnswer | null {
    if (this.#head !== null && this.#whole === null && !this.#head.isNamedStream) this.#beginWhole(this.#head);
    if (this.#whole === null) return null;
    const { status, headers, body } = this.#whole;
    return { status, headers, body: body.whole() };
  }

  giveUp(): void {
    this.#whole?.body.giveUp();
  }

  #recognized(head: AnswerBeginning, controller: Dispatcher.DispatchController, chunk: Buffer): Uint8Array | null {
    const begun = head.add(chunk);
    if (begun === null) return null;
    if (begun.form === 'whole') {
      this.#collect(this.#beginWhole(head), controller, begun.bytes);
      return null;
    }
    this.#head = null;
    this.#contentType = head.streamType;
    return begun.bytes;
  }

  #beginWhole({ status, headers }: AnswerBeginning): Collected {
    this.onWhole();
    return (this.#whole = { status, headers, body: new HeldParts(this.parts.memory ?? null, this.resume) });
  }

  #collect(whole: Collected, controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (whole.body.length + chunk.length > this.parts.config.answerBytesMax)
      controller.abort(new UpstreamFailed('too-long'));
    else if (!whole.body.add(chunk)) controller.pause();
  }
}
