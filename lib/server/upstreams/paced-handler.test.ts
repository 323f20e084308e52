import { type Dispatcher, Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHUNKED_HEAD, rawServer, sendInSingleBytes } from '@/test/raw-server';
import { PacedHandler, pacing } from './paced-handler';

const BYTES = 20_000;

/** What a handler hears of an answer. */
class Heard implements Dispatcher.DispatchHandler {
  readonly statuses: number[] = [];
  pieces = 0;
  text = '';
  trailers: unknown = null;

  constructor(private readonly ended: (error?: Error) => void) {}

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.statuses.push(status);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.pieces++;
    this.text += chunk.toString('latin1');
    // Now and then it takes no more, for a moment.
    if (this.pieces % 5 !== 0) return;
    controller.pause();
    setImmediate(() => controller.resume());
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: unknown): void {
    this.trailers = trailers;
    this.ended();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.ended(error);
  }
}

function agentOf(): Agent {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return agent;
}

async function heardOf(...answer: Parameters<typeof rawServer>): Promise<Heard> {
  const origin = await rawServer(...answer);
  return new Promise((resolve, reject) => {
    const heard = new Heard((error) => (error ? reject(error) : resolve(heard)));
    agentOf().dispatch({ origin, path: '/', method: 'GET' }, new PacedHandler(heard));
  });
}

describe('an answer that is paced', () => {
  it('has small chunks that came together in few pieces, whole and in order', async () => {
    const heard = await heardOf((socket) => {
      socket.write(CHUNKED_HEAD);
      void sendInSingleBytes(socket, BYTES, { before: '<', after: '>' });
    });
    expect(heard.text).toBe(`<${'x'.repeat(BYTES)}>`);
    expect(heard.pieces).toBeLessThan(BYTES / 20);
  });

  it('has its trailers, and no interim responses', async () => {
    const heard = await heardOf((socket) => void socket.write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nTold: yes\r\n\r\n'));
    expect([heard.statuses, heard.text, heard.trailers]).toEqual([[200], 'hi', { told: 'yes' }]);
  });

  it('fails where interim responses have no end', async () => {
    const flood = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
    await expect(heardOf((socket) => void socket.write(flood))).rejects.toMatchObject({ reason: 'away' });
  });

  it('is that of every question over a dispatcher that paces', async () => {
    const origin = await rawServer((socket) => {
      socket.write(CHUNKED_HEAD);
      void sendInSingleBytes(socket, BYTES);
    });
    const { body } = await agentOf().compose(pacing).request({ origin, path: '/', method: 'GET' });
    let pieces = 0;
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      pieces++;
      bytes += chunk.length;
    }
    expect(bytes).toBe(BYTES);
    expect(pieces).toBeLessThan(BYTES / 20);
  });
});

it('what one upstream sends in single bytes keeps the others waiting for moments only', async () => {
  const origin = await rawServer((socket) => {
    socket.write(CHUNKED_HEAD);
    void sendInSingleBytes(socket, BYTES);
  });
  const agent = agentOf();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  await Promise.all(
    Array.from({ length: 4 }, () => new Promise<void>((resolve, reject) => agent.dispatch({ origin, path: '/', method: 'GET' }, new PacedHandler(new Heard((error) => (error ? reject(error) : resolve())))))),
  );
  isOver = true;
  // A turn of the event loop reads no more than 256 chunks.
  expect(turns).toBeGreaterThan((4 * BYTES) / 256);
});
