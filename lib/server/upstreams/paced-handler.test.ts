import { type Dispatcher, Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHUNKED_HEAD, rawServer, sendInSingleBytes } from '@/test/raw-server';
import { pacedConnect, PacedHandler, pacing } from './paced-handler';

const BYTES = 20_000;

/** Records the callbacks of an answer. */
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
  const agent = new Agent({ connect: pacedConnect({}), bodyTimeout: 0 });
  onTestFinished(() => agent.destroy());
  return agent;
}

async function heardOf(...answer: Parameters<typeof rawServer>): Promise<Heard> {
  const origin = await rawServer(...answer);
  return new Promise((resolve, reject) => {
    const heard = new Heard((error) => (error ? reject(error) : resolve(heard)));
    agentOf().dispatch({ origin, path: '/', method: 'GET' }, new PacedHandler(heard, 5_000));
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
    const heard = await heardOf(
      (socket) =>
        void socket.write(
          'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nTold: yes\r\n\r\n',
        ),
    );
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
    const { body } = await agentOf().compose(pacing(5_000)).request({ origin, path: '/', method: 'GET' });
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

describe('an answer that nobody takes for a while', () => {
  /** Takes the first chunk, then pauses. */
  async function afterAPause(...answer: Parameters<typeof rawServer>): Promise<string> {
    const origin = await rawServer(...answer);
    return new Promise((resolve) => {
      let text = '';
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (controller, chunk) => {
          if (text === '') {
            controller.pause();
            setTimeout(() => controller.resume(), 400);
          }
          text += chunk.toString('latin1');
        },
        onResponseEnd: () => resolve(`${text.length} bytes, ended`),
        onResponseError: (_controller, error) =>
          resolve(`failed: ${(error as { reason?: string }).reason ?? error.message}`),
      };
      agentOf().dispatch({ origin, path: '/', method: 'GET' }, new PacedHandler(handler, 200));
    });
  }

  it('ends, though its upstream closed the connection meanwhile', async () => {
    expect(await afterAPause((socket) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_000)}`))).toBe(
      '1000 bytes, ended',
    );
    expect(
      await afterAPause(
        (socket) =>
          void socket.end(
            `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`,
          ),
      ),
    ).toBe('300000 bytes, ended');
    expect(
      await afterAPause(
        (socket) => void socket.end(`HTTP/1.0 200 OK\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(1_000)}`),
      ),
    ).toMatch(/^failed/);
  });

  it('ends one way or another, though its connection was reset meanwhile', async () => {
    const ending = await afterAPause((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_000)}`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    expect(ending).toMatch(/ended|^failed/);
  });

  it('may be silent for as long as it is held back, and no longer than its time after', async () => {
    expect(
      await afterAPause((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na');
        setTimeout(() => socket.write('b'), 450);
      }),
    ).toBe('2 bytes, ended');
    expect(await afterAPause((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na'))).toBe(
      'failed: timeout',
    );
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
    Array.from(
      { length: 4 },
      () =>
        new Promise<void>((resolve, reject) =>
          agent.dispatch(
            { origin, path: '/', method: 'GET' },
            new PacedHandler(new Heard((error) => (error ? reject(error) : resolve())), 5_000),
          ),
        ),
    ),
  );
  isOver = true;
  // One turn of the event loop passes on some 600 chunks.
  expect(turns).toBeGreaterThan((4 * BYTES) / 1_000);
});
