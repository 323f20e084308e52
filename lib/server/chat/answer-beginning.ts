import { type BodyForm, bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { BodyParts } from '../http/body-parts';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

const EVENT_STREAM = 'text/event-stream';
/** White space before an answer. */
const BLANK_BYTES_MAX = 65_536;

/** An answer whose first byte has not come: that one tells a stream from a whole answer, beside the content type. */
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

  /** Whether its content type says that it is a stream. */
  get isNamedStream(): boolean {
    return isEventStream(this.#type);
  }

  /** The content type under which its events go out. */
  get streamType(): string {
    return this.isNamedStream ? this.#type.toLowerCase() : EVENT_STREAM;
  }

  /** Takes the next bytes. @returns all of them once they tell what the answer is */
  add(chunk: Uint8Array): { form: BodyForm; bytes: Uint8Array } | null {
    const form = bodyFormOf(this.#type, chunk);
    if (form && this.#parts.length === 0) return { form, bytes: chunk };
    this.#parts.copy(chunk);
    if (this.#parts.length > BLANK_BYTES_MAX) return { form: 'whole', bytes: this.#parts.whole() };
    return form && { form, bytes: this.#parts.whole() };
  }
}
