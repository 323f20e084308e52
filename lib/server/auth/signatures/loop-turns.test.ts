import { createServer, connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LoopTurns } from './loop-turns';

describe('LoopTurns', () => {
  it('lets who comes alone through at once, and a crowd in its order with rests between', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const turns = new LoopTurns(4);
    const seen: [string, number][] = [];
    const enter = (name: string): Promise<unknown> => turns.next().then(() => seen.push([name, performance.now()]));
    const startedMs = performance.now();
    const crowd = Promise.all(['a', 'b', 'c'].map(enter));
    await vi.advanceTimersByTimeAsync(100);
    await crowd;
    await Promise.all([enter('alone'), vi.advanceTimersByTimeAsync(1)]);
    expect(seen.map(([name, atMs]) => [name, atMs - startedMs])).toEqual([
      ['a', 0],
      ['b', 4],
      ['c', 8],
      ['alone', 100],
    ]);
  });

  it('has input that came meanwhile read between two', async () => {
    const server = createServer((socket) => socket.on('data', () => socket.end('heard')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as { port: number }).port, '127.0.0.1');
    await once(client, 'connect');
    const turns = new LoopTurns(4);
    let isHeard = false;
    let isOver = false;
    client.on('data', () => (isHeard = true));
    client.write('?');
    const busy = async (): Promise<void> => {
      await turns.next();
      const untilMs = performance.now() + 5;
      while (performance.now() < untilMs);
    };
    const crowd = Promise.all(Array.from({ length: 100 }, busy)).then(() => (isOver = true));
    await once(client, 'end');
    expect({ isHeard, isOver }).toEqual({ isHeard: true, isOver: false });
    await crowd;
    server.close();
  });
});
