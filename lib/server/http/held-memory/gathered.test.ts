import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gathered } from './held-parts';
import { HeldMemory } from './held-memory';

const MEMORY = {
  answersBytesMax: 1_000_000,
  callerBytesMax: 1_000_000,
  waitingMax: 10,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 5_000,
};

async function* parts(count: number, bytes: number, onTaken: () => void = () => undefined): AsyncGenerator<Buffer> {
  for (let i = 0; i < count; i++) {
    onTaken();
    await sleep(0);
    yield Buffer.alloc(bytes, i);
  }
}

it('puts a body together, however small its parts', async () => {
  expect(await gathered(parts(3, 1), null)).toEqual(Buffer.from([0, 1, 2]));
  expect((await gathered(parts(100, 10_000), new HeldMemory(MEMORY))).length).toBe(1_000_000);
});

it('takes no further part while there is no memory for it', async () => {
  const memory = new HeldMemory(MEMORY);
  const held = Buffer.allocUnsafeSlow(900_000);
  const arrival = memory.arrive(() => undefined);
  arrival.claim(held.length);
  arrival.complete(held);
  let taken = 0;
  const body = gathered(
    parts(20, 50_000, () => taken++),
    memory,
  );
  await sleep(50);
  expect(taken).toBe(2);
  memory.release(held);
  expect((await body).length).toBe(1_000_000);
  expect(memory.figures).toMatchObject({ heldBytes: 0, waiting: 0 });
});

it('leaves nothing behind where its parts break off', async () => {
  const memory = new HeldMemory(MEMORY);
  async function* broken(): AsyncGenerator<Buffer> {
    yield* parts(2, 50_000);
    throw new Error('It broke off.');
  }
  await expect(gathered(broken(), memory)).rejects.toThrow('broke off');
  expect(memory.figures.heldBytes).toBe(0);
});
