import type { Socket } from 'node:net';
import type { BodySink } from '../call';

/**
 * Sends a pushed body after its answer's head: as it is where its length was told, else in chunks (RFC 9112, section 7.1). What is written in one turn of the
 * event loop leaves together, the head with what there is of the body.
 */
export class ChunkedSink implements BodySink {
  #isGathering = false;

  /**
   * @param head of the answer
   * @param onSent hears when the whole body was handed to the connection.
   * @param isChunked false where the head tells how long the body is.
   */
  constructor(
    private readonly socket: Socket,
    head: string,
    private readonly onSent: () => void,
    private readonly isChunked = true,
  ) {
    this.#gather();
    socket.write(head, 'latin1');
  }

  write(bytes: Uint8Array): boolean {
    // A chunk of nothing would be the last one. Of a socket that has ended, the connection hears by itself.
    if (bytes.length === 0 || !this.socket.writable) return true;
    this.#gather();
    return this.socket.write(this.isChunked ? chunkOf(bytes) : bytes);
  }

  end(): void {
    if (!this.socket.writable) return;
    this.#gather();
    this.socket.write(this.isChunked ? '0\r\n\r\n' : '', 'latin1', (error) => {
      if (!error) this.onSent();
    });
  }

  fail(): void {
    this.socket.destroySoon();
  }

  drop(): void {
    this.socket.destroy();
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.socket.uncork();
    });
  }
}

/** In one piece: events are short, and a write costs more than copying one. */
function chunkOf(bytes: Uint8Array): Buffer {
  const size = `${bytes.length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(size.length + bytes.length + 2);
  chunk.write(size, 0, 'latin1');
  chunk.set(bytes, size.length);
  chunk.write('\r\n', size.length + bytes.length, 'latin1');
  return chunk;
}
