import type { Readable } from 'node:stream';
import type { BodySink, PushBody } from '../http/call';
import type { StoredMedia } from './storage/media-storage';

/**
 * Media as the body of an answer. It ends only with the last byte: media that end early break the connection, so that
 * no client takes a part for the whole.
 * @param whenSent called once, when the whole body was handed over.
 */
export class MediaBody implements PushBody {
  readonly #stream: Readable;
  readonly #bytes: number;
  #sent = 0;
  #ended = false;

  constructor(
    { stream, bytes }: StoredMedia,
    private readonly whenSent: () => void,
  ) {
    this.#stream = stream;
    this.#bytes = bytes;
    // Whoever never starts it must not be told by the process's end.
    stream.on('error', () => undefined);
  }

  start(sink: BodySink): void {
    this.#stream.on('data', (chunk: Buffer) => {
      this.#sent += chunk.length;
      if (this.#sent <= this.#bytes && !sink.write(chunk)) this.#stream.pause();
    });
    const finish = (isWhole: boolean): void => {
      if (this.#ended) return;
      this.#ended = true;
      if (isWhole) sink.end();
      else sink.fail();
    };
    this.#stream.once('end', () => finish(this.#sent === this.#bytes));
    this.#stream.once('error', () => finish(false));
    this.#stream.once('close', () => finish(false));
  }

  resume(): void {
    if (!this.#ended) this.#stream.resume();
  }

  cancel(): void {
    this.#ended = true;
    this.#stream.destroy();
  }

  sent(): void {
    this.whenSent();
  }
}
