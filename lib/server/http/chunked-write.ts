import type { ServerResponse } from 'node:http';

/** Beyond that a copy costs more than the pieces that it saves. */
const COPIED_BYTES_MAX = 16_384;
const LINE_END = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Writes the parts of a body of unknown length, and its end. */
export interface PartWriter {
  /** @returns whether more may come at once */
  write: (bytes: Uint8Array) => boolean;
  end: () => void;
}

/**
 * Writes a body in chunks (RFC 9112, section 7.1), each as one piece. By itself node:http hands its length, a line end,
 * its bytes and a line end to the connection one by one, which takes longer than all else that is done for an event of
 * a stream (docs/decisions.md, 251). To be called after the head is written, since that decides whether there are chunks:
 * a client of HTTP/1.0 gets the bytes alone, and so does one that was told a length.
 */
export function chunkWriter(response: ServerResponse): PartWriter {
  if (!response.chunkedEncoding) return { write: (bytes) => response.write(bytes), end: () => response.end() };
  // From here on node:http passes on what it is given.
  response.chunkedEncoding = false;
  return {
    write: (bytes) => {
      // A chunk of no bytes would be the end.
      if (bytes.length === 0) return !response.writableNeedDrain;
      if (bytes.length <= COPIED_BYTES_MAX) return response.write(framed(bytes));
      response.write(`${bytes.length.toString(16)}\r\n`);
      response.write(bytes);
      return response.write(LINE_END);
    },
    end: () => response.end(LAST_CHUNK),
  };
}

/** A chunk whole: its length in hexadecimal, its bytes, and a line end after each. */
function framed(bytes: Uint8Array): Buffer {
  const head = `${bytes.length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(head.length + bytes.length + 2);
  chunk.write(head, 'latin1');
  chunk.set(bytes, head.length);
  chunk.set(LINE_END, head.length + bytes.length);
  return chunk;
}
