import { describe, expect, it } from 'vitest';
import { CHUNKED_HEAD, peakMegabytes, rawServer, sendInSingleBytes } from '@/test/raw-server';
import { HeldMemory } from '../http/held-memory/held-memory';
import { type AnswerBounds, collectAnswer } from './collected-answer';

const MEMORY = {
  answersBytesMax: 1_000_000,
  callerBytesMax: 1_000_000,
  waitingMax: 10,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 5_000,
};
const BYTES = 400_000;

async function collectorOf(...answer: Parameters<typeof rawServer>) {
  const url = await rawServer(...answer);
  return (bounds: Partial<AnswerBounds> = {}) =>
    collectAnswer({ url, method: 'GET' }, { bytesMax: 2_000_000, timeoutMs: 60_000, ...bounds });
}

describe('a whole answer', () => {
  it('of a server that sends single bytes takes little more memory than it has bytes', async () => {
    const ask = await collectorOf((socket) => {
      socket.write(CHUNKED_HEAD);
      void sendInSingleBytes(socket, BYTES);
    });
    const asked = ask();
    expect(await peakMegabytes(asked)).toBeLessThan(80);
    expect((await asked).body.length).toBe(BYTES);
  }, 60_000);

  it('that never ends is over with its time, though a byte comes now and then', async () => {
    const ask = await collectorOf((socket) => {
      socket.write(CHUNKED_HEAD);
      const timer = setInterval(() => socket.write('1\r\n \r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    await expect(ask({ timeoutMs: 300 })).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('that is too long is given up', async () => {
    const ask = await collectorOf((socket) => {
      socket.write(CHUNKED_HEAD);
      void sendInSingleBytes(socket, 2_000);
    });
    await expect(ask({ bytesMax: 1_000 })).rejects.toMatchObject({ reason: 'too-long' });
  });

  it('waits for memory with others, and leaves nothing behind', async () => {
    const body = 'x'.repeat(400_000);
    const ask = await collectorOf(
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    const memory = new HeldMemory(MEMORY);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ memory })));
    expect(answers.map((answer) => answer.body.length)).toEqual(new Array(8).fill(body.length));
    expect(memory.figures.waitedTotal).toBeGreaterThan(0);
    expect(memory.figures).toMatchObject({ heldBytes: 0, waiting: 0 });
  });

  it('that breaks off, or is called off, leaves nothing behind either', async () => {
    const ask = await collectorOf(
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(400_000)}`),
    );
    const memory = new HeldMemory(MEMORY);
    await expect(ask({ memory })).rejects.toMatchObject({ reason: 'away' });
    expect(memory.figures).toMatchObject({ heldBytes: 0, waiting: 0 });
  });

  it('is asked for without an encoding: what is decoded may be a thousand times what came', async () => {
    const ask = await collectorOf((socket, request) => {
      const body = /accept-encoding: (.*)\r\n/i.exec(request)?.[1] ?? '';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    expect((await ask()).body.toString()).toBe('identity');
  });
});
