import { type BodyForm, bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { BodyParts } from '../http/body-parts';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

const EVENT_STREAM = 'text/event-stream';
const BLANK_BYTES_MAX = 65_536;

/** Start of an upstream's answer. Its content type and first byte distinguish an event stream from a whole answer. */
export class AnswerBeginning {
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

  /** Adds bytes. @returns all bytes so far; null until they distinguish a stream from a whole answer */
  add(chunk: Uint8Array): { form: BodyForm; bytes: Uint8Array } | null {
    const form = bodyFormOf(this.#type, chunk);
    if (form && this.#parts.length === 0) return { form, bytes: chunk };
    this.#parts.copy(chunk);
    if (this.#parts.length > BLANK_BYTES_MAX) return { form: 'whole', bytes: this.#parts.whole() };
    return form && { form, bytes: this.#parts.whole() };
  }
}
