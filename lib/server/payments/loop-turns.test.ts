import { createServer, connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { LoopTurns } from './loop-turns';

describe('LoopTurns', () => {
  it('lets one through a turn of the loop, in the order of their coming', async () => {
    const turns = new LoopTurns();
    const seen: string[] = [];
    const callers = ['a', 'b', 'c'].map((name) => turns.next().then(() => seen.push(name)));
    const ticks = (async () => {
      for (let turn = 1; turn <= 3; turn++) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        seen.push(`turn ${turn}`);
      }
    })();
    await Promise.all([...callers, ticks]);
    expect(seen).toEqual(['a', 'turn 1', 'b', 'turn 2', 'c', 'turn 3']);
  });

  it('has input that came meanwhile read between two', async () => {
    const server = createServer((socket) => socket.on('data', () => socket.end('heard')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as { port: number }).port, '127.0.0.1');
    await once(client, 'connect');
    const turns = new LoopTurns();
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
