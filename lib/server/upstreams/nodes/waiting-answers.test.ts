import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '@/test/test-gateway';
import { Secret } from '../../config/secret';
import { HeldMemory } from '../../http/held-memory/held-memory';
import { Upstream } from './upstream';

const LONG = Buffer.from(`"${'x'.repeat(400_000)}"`);
const MEMORY = {
  answersBytesMax: 1_000_000,
  callerBytesMax: 1_000_000,
  waitingMax: 10,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 5_000,
};

type Send = (response: ServerResponse) => void;
const WITH_LENGTH: Send = (response) => void response.setHeader('content-length', LONG.length).end(LONG);
const IN_CHUNKS: Send = (response) => {
  for (let at = 0; at < LONG.length; at += 50_000) response.write(LONG.subarray(at, at + 50_000));
  response.end();
};

async function open(
  send: Send,
  limits: Partial<typeof MEMORY> = {},
): Promise<{ upstream: Upstream; memory: HeldMemory }> {
  const { port } = await serve((_request, response) => send(response));
  const memory = new HeldMemory({ ...MEMORY, ...limits });
  const upstream = new Upstream(
    { url: new Secret(`http://127.0.0.1:${port}`), headers: {} },
    { connections: 8, connectTimeoutMs: 5_000, answerBytesMax: 50_000_000, memory },
  );
  onTestFinished(() => upstream.close());
  return { upstream, memory };
}

describe.each([
  ['with their length', WITH_LENGTH],
  ['in chunks', IN_CHUNKS],
])('long answers that come at once, %s', (_how, send) => {
  it('come one after another within the memory for them, whole, and leave nothing behind', async () => {
    const { upstream, memory } = await open(send);
    let heldMax = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { bytes } = await upstream.post('{}', 20_000);
        heldMax = Math.max(heldMax, memory.figures.heldBytes);
        expect(bytes.equals(LONG)).toBe(true);
        await sleep(5);
        memory.release(bytes);
      }),
    );
    expect(heldMax).toBeLessThanOrEqual(2 * MEMORY.answersBytesMax);
    expect(memory.figures.waitedTotal).toBeGreaterThan(0);
    expect(memory.figures).toMatchObject({ heldBytes: 0, waiting: 0 });
  });
});

it('an answer for which there is no memory is not read, and fails as overloaded when its time is over: no fault of the upstream', async () => {
  const endless = Buffer.alloc(30_000_000, 0x20);
  let isSent = false;
  const { upstream, memory } = await open(
    (response) => void response.setHeader('content-length', endless.length).end(endless, () => (isSent = true)),
    { answersBytesMax: 500_000 },
  );
  const held = Buffer.allocUnsafeSlow(400_000);
  const arrival = memory.arrive(() => undefined);
  expect(arrival.claim(held.length)).toBe(true);
  arrival.complete(held);
  await expect(upstream.post('{}', 300)).rejects.toMatchObject({ reason: 'overloaded' });
  expect(isSent).toBe(false);
  expect(memory.figures).toMatchObject({ heldBytes: held.length, waiting: 0 });
});
