import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chunkWriter } from './chunked-write';

async function serving(answer: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_, response) => answer(response));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Returns all bytes that a connection receives after these requests. */
async function asked(port: number, ...requests: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(requests.join(''));
  return (await buffer(socket)).toString('latin1');
}

async function readWhole(port: number): Promise<Buffer> {
  const answer = await fetch(`http://127.0.0.1:${port}`);
  return Buffer.from(await answer.arrayBuffer());
}

const LAST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);

describe('a body of unknown length', () => {
  it('is written chunk by chunk, and ended', async () => {
    const port = await serving((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const writer = chunkWriter(response);
      writer.write(Buffer.from('data: one\n\n'));
      writer.write(new Uint8Array());
      writer.write(Buffer.from('data: zwei, für alle\n\n'));
      writer.end();
    });
    const text = await asked(port, LAST);
    expect(text).toContain('\r\nTransfer-Encoding: chunked\r\n');
    expect(bodyOf(text)).toBe(
      `b\r\ndata: one\n\n\r\n17\r\n${Buffer.from('data: zwei, für alle\n\n').toString('latin1')}\r\n0\r\n\r\n`,
    );
  });

  it('is what a client reads of it, of pieces of any size, and the connection serves the next request', async () => {
    const pieces = [1, 15, 16, 255, 4_096, 16_384, 16_385, 200_000].map((length, index) =>
      Buffer.alloc(length, 97 + index),
    );
    const port = await serving((response) => {
      response.writeHead(200);
      const writer = chunkWriter(response);
      for (const piece of pieces) writer.write(piece);
      writer.end();
    });
    for (let round = 0; round < 2; round++) {
      const read = await readWhole(port);
      expect(read.equals(Buffer.concat(pieces))).toBe(true);
    }
    const both = await asked(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', LAST);
    expect(both.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('has no chunks for a client of HTTP/1.0, nor where its length was told', async () => {
    const port = await serving((response) => {
      response.writeHead(200, response.req.url === '/told' ? { 'content-length': '5' } : {});
      const writer = chunkWriter(response);
      writer.write(Buffer.from('hello'));
      writer.end();
    });
    expect(bodyOf(await asked(port, 'GET / HTTP/1.0\r\n\r\n'))).toBe('hello');
    expect(bodyOf(await asked(port, 'GET /told HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))).toBe('hello');
  });

  it('that breaks off has no end, so that nobody takes it for whole', async () => {
    const port = await serving((response) => {
      response.writeHead(200);
      chunkWriter(response).write(Buffer.from('half'));
      response.socket?.destroySoon();
    });
    expect(bodyOf(await asked(port, LAST))).toBe('4\r\nhalf\r\n');
    await expect(readWhole(port)).rejects.toThrow('terminated');
  });

  it('says when its reader is slow, and when it takes more again', async () => {
    let drained = false;
    const port = await serving((response) => {
      response.writeHead(200);
      const writer = chunkWriter(response);
      response.once('drain', () => {
        drained = true;
        writer.end();
      });
      while (writer.write(Buffer.alloc(8_192, 'x')));
    });
    const read = await readWhole(port);
    expect(drained).toBe(true);
    expect(read.length % 8_192).toBe(0);
  });
});
