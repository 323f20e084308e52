import type { Readable } from 'node:stream';
import type { BodySink, PushBody } from '../http/call';
import type { StoredMedia } from './storage/media-storage';

/**
 * Body of an answer that sends media. If the media end early, the gateway closes the connection, so that no client
 * mistakes incomplete media for complete.
 * @param whenSent called once, after the whole body was sent
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
    // Prevents an unhandled error of a body that never starts.
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
