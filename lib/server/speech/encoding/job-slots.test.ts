import { expect, it } from 'vitest';
import { JobSlots } from './job-slots';

const [ALICE, BOB] = [1, 2] as const;

it('a freed slot goes to the callers in turns, and a caller who left gets none', async () => {
  const slots = new JobSlots(1, 10);
  const begun: string[] = [];
  const leaving = new AbortController();
  const run = async (name: string, caller: number, signal?: AbortSignal) => {
    const free = await slots.take(signal, caller);
    begun.push(name);
    return free;
  };
  const first = await run('a1', ALICE);
  const waiting = [run('a2', ALICE), run('a3', ALICE), run('gone', BOB, leaving.signal), run('b1', BOB)];
  leaving.abort(new Error('left'));
  await expect(waiting[2]).rejects.toThrow('left');
  expect(slots.waiting).toBe(3);
  first();
  for (const index of [0, 3, 1]) (await waiting[index])?.();
  expect([begun, slots.taken, slots.waiting]).toEqual([['a1', 'a2', 'b1', 'a3'], 0, 0]);
});

it('one caller fills half of the queue at most, so that another can wait too, and the queue is bounded', async () => {
  const slots = new JobSlots(1, 4);
  await slots.take(undefined, ALICE);
  const wait = (caller: number) => void slots.take(undefined, caller);
  expect(slots.hasRoomFor(ALICE)).toBe(true);
  wait(ALICE);
  wait(ALICE);
  expect([slots.hasRoomFor(ALICE), slots.hasRoomFor(BOB)]).toEqual([false, true]);
  for (let caller = 10; slots.hasRoomFor(caller); caller++) wait(caller);
  expect([slots.waiting, slots.isFull]).toEqual([8, true]);
});
