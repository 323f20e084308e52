import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { MESSAGE, MessageReader, type MessageType, writeMessage } from './encoder-messages';
import { bundleEncoder } from './encoding-under-test';

/** Refuses to change the priority, as a supervisor's system call filter does. */
const PRIORITY_REFUSED =
  'data:text/javascript,import os from "node:os"; os.setPriority = () => { throw new Error("EPERM"); };';

/** Starts the encoder program as the gateway does. */
function started(options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, join(process.cwd(), 'dist', 'audio-encoder.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const wire = child.stdio[3] as Socket;
  const read: MessageType[] = [];
  const reader = new MessageReader((type) => read.push(type));
  wire.on('data', (piece: Buffer) => reader.push(piece)).on('error', () => undefined);
  return { child, wire, read };
}

describe('the encoder program', () => {
  beforeAll(bundleEncoder);

  it('ends when the gateway is gone, in the middle of a job', async () => {
    const { child, wire, read } = started();
    writeMessage(wire, MESSAGE.open, 0, Buffer.from('{"format":"mp3","isStreamed":true}'));
    writeMessage(wire, MESSAGE.samples, 0, Buffer.alloc(48_000));
    await expect.poll(() => read, { timeout: 10_000 }).toContain(MESSAGE.taken);
    wire.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('encodes also where it may not give way to the gateway', async () => {
    const { child, wire, read } = started(['--import', PRIORITY_REFUSED]);
    writeMessage(wire, MESSAGE.open, 0, Buffer.from('{"format":"mp3","isStreamed":false}'));
    writeMessage(wire, MESSAGE.samples, 0, Buffer.alloc(48_000));
    writeMessage(wire, MESSAGE.finish, 0);
    await expect.poll(() => read, { timeout: 10_000 }).toContain(MESSAGE.finished);
    wire.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('goes on where a terminal interrupts its whole group: the gateway finishes what it has begun', async () => {
    const { child, wire, read } = started();
    writeMessage(wire, MESSAGE.open, 7, Buffer.from('{"format":"opus","isStreamed":false}'));
    writeMessage(wire, MESSAGE.samples, 7, Buffer.alloc(48_000));
    await expect.poll(() => read, { timeout: 10_000 }).toContain(MESSAGE.taken);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
    await sleep(50);
    writeMessage(wire, MESSAGE.finish, 7);
    await expect.poll(() => read, { timeout: 10_000 }).toContain(MESSAGE.finished);
    wire.destroy();
    await once(child, 'exit');
  });
});
