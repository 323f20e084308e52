import type { Socket } from 'node:net';
import type { BodySink } from '../call';

/**
 * Writes a `PushBody` after the head: plain if the length is known, else in chunks (RFC 9112, section 7.1). Joins the
 * writes of one turn of the event loop, including the head.
 */
export class ChunkedSink implements BodySink {
  #isGathering = false;

  /**
   * @param onSent called when the whole body was passed to the connection
   * @param isChunked false if the head has a length
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
    // An empty chunk would end the body. After the end of the socket, the connection cancels the body.
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

/** Returns size, data and line end in one buffer, because for short events a second write costs more than copying. */
function chunkOf(bytes: Uint8Array): Buffer {
  const size = `${bytes.length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(size.length + bytes.length + 2);
  chunk.write(size, 0, 'latin1');
  chunk.set(bytes, size.length);
  chunk.write('\r\n', size.length + bytes.length, 'latin1');
  return chunk;
}
