import { describe, expect, it, onTestFinished } from 'vitest';
import { CHUNKED_HEAD, peakMegabytes, rawServer, sendInSingleBytes } from '@/test/raw-server';
import { Secret } from '../../config/secret';
import { HeldMemory } from '../../http/held-memory/held-memory';
import { Upstream } from '../nodes/upstream';

const BYTES = 2_000_000;
const MEMORY = {
  answersBytesMax: 1_000_000,
  callerBytesMax: 1_000_000,
  waitingMax: 10,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 5_000,
};

async function upstreamOf(...answer: Parameters<typeof rawServer>): Promise<Upstream> {
  const upstream = new Upstream(
    { url: new Secret(await rawServer(...answer)), headers: {} },
    { connections: 8, connectTimeoutMs: 5_000, answerBytesMax: 10_000_000, memory: new HeldMemory(MEMORY) },
  );
  onTestFinished(() => upstream.close());
  return upstream;
}

describe('what a node sends costs the gateway what it carries', () => {
  it('in chunks of one byte', async () => {
    const upstream = await upstreamOf((socket) => {
      socket.write(CHUNKED_HEAD);
      void sendInSingleBytes(socket, BYTES, { before: '"', after: '"' });
    });
    const asked = upstream.post('{}', 60_000);
    expect(await peakMegabytes(asked)).toBeLessThan(80);
    expect((await asked).bytes.length).toBe(BYTES + 2);
  }, 60_000);

  it('in single bytes until it closes the connection, while there is no memory for it', async () => {
    const upstream = await upstreamOf((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.setNoDelay(true);
      let left = 30_000;
      const drip = (): void => {
        for (let i = 0; i < 100 && left > 0; i++, left--) socket.write('1');
        if (left > 0) setImmediate(drip);
        else socket.end();
      };
      drip();
    });
    expect((await upstream.post('{}', 60_000)).bytes.length).toBe(30_000);
  }, 60_000);
});

describe('a node that never comes to its answer is told so before its time is over', () => {
  it.each([
    ['interim responses without end', 'HTTP/1.1 103 Early Hints\r\n\r\n', ''],
    ['a size of nothing but zeros', '0', CHUNKED_HEAD],
    ['an extension without end', 'x', `${CHUNKED_HEAD}1;`],
    ['a trailer without end', 'x: y\r\n', `${CHUNKED_HEAD}0\r\n`],
    ['a head without end', 'x: y\r\n', 'HTTP/1.1 200 OK\r\n'],
  ])(
    '%s',
    async (_what, repeated, beginning) => {
      const block = repeated.repeat(1_000);
      const upstream = await upstreamOf((socket) => {
        socket.write(beginning);
        const send = (): void => {
          if (socket.destroyed) return;
          if (socket.write(block)) setImmediate(send);
          else socket.once('drain', send);
        };
        send();
      });
      await expect(upstream.post('{}', 20_000)).rejects.toMatchObject({
        reason: 'connection',
        message: 'its answer is not HTTP',
      });
    },
    30_000,
  );
});
