import type { ServerResponse } from 'node:http';

/** Maximum size of a chunk that is copied. For larger chunks, copying would cost more than the saved writes. */
const COPIED_BYTES_MAX = 16_384;
const LINE_END = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

interface PartWriter {
  /** @returns whether more may be written immediately */
  write: (bytes: Uint8Array) => boolean;
  end: () => void;
}

/**
 * Writes a body in chunks (RFC 9112, section 7.1), each small chunk as one buffer. node:http makes four writes per
 * chunk, which take longer than all other work for an event of a stream (docs/decisions/upstreams.md, 251). Call this
 * after writing the head, because the head determines whether the body is chunked. Answers to HTTP/1.0 clients and
 * answers with Content-Length are not chunked.
 */
export function chunkWriter(response: ServerResponse): PartWriter {
  if (!response.chunkedEncoding) return { write: (bytes) => response.write(bytes), end: () => response.end() };
  // Stops node:http from adding its own framing.
  response.chunkedEncoding = false;
  return {
    write: (bytes) => {
      // An empty chunk would end the body.
      if (bytes.length === 0) return !response.writableNeedDrain;
      if (bytes.length <= COPIED_BYTES_MAX) return response.write(chunkOf(bytes));
      response.write(`${bytes.length.toString(16)}\r\n`);
      response.write(bytes);
      return response.write(LINE_END);
    },
    end: () => response.end(LAST_CHUNK),
  };
}

/**
 * Returns the size, the data and the line end in one buffer. For short events, copying costs less than a second write.
 */
export function chunkOf(bytes: Uint8Array): Buffer {
  const head = `${bytes.length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(head.length + bytes.length + 2);
  chunk.write(head, 'latin1');
  chunk.set(bytes, head.length);
  chunk.set(LINE_END, head.length + bytes.length);
  return chunk;
}
