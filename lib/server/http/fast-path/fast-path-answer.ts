import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { BodySink } from '../call';
import { chunkOf } from '../chunked-write';
import { NO_STORE } from '../endpoint';

const CACHE_CONTROL = `cache-control: ${NO_STORE}\r\n`;

/** Matches a valid header value. Visible ASCII and spaces cannot end the header early. */
const VALUE = /^[\x20-\x7e]*$/;

/**
 * Returns an answer's head with the same text that node:http would write.
 * @param bodyBytes length of the body; null for a body in chunks
 * @param constant text of the header lines that every response has, each with its CRLF
 * @param reason reason phrase of the status line; by default, the standard phrase
 * @throws Error for an invalid header value
 */
export function headText(
  status: number,
  headers: Readonly<Record<string, string>>,
  bodyBytes: number | null,
  constant: string,
  reason?: string,
): string {
  if (reason !== undefined && !VALUE.test(reason)) throw new Error('The reason of a status cannot be sent.');
  let text = status === 200 ? 'HTTP/1.1 200 OK\r\n' : `HTTP/1.1 ${status} ${reason ?? STATUS_CODES[status] ?? ''}\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!VALUE.test(value)) throw new Error(`The value of the header ${name} cannot be sent.`);
    text += `${name}: ${value}\r\n`;
  }
  if (!('cache-control' in headers)) text += CACHE_CONTROL;
  const length = bodyBytes === null ? 'Transfer-Encoding: chunked' : `content-length: ${bodyBytes}`;
  return `${text}${length}\r\n${constant}Date: ${dateText()}\r\n\r\n`;
}

let second = 0;
let text = '';

function dateText(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}

/**
 * Writes a `PushBody` after the head: as plain bytes if the length is known, else in chunks (RFC 9112, section 7.1).
 * Joins all writes of one turn of the event loop, including the head.
 */
export class ChunkedSink implements BodySink {
  #isGathering = false;

  /**
   * @param onSent called when the whole body has been passed to the connection
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
    // An empty chunk would end the body. If the socket has ended, the connection itself cancels the body.
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
