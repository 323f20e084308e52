import { expect, it } from 'vitest';
import { RequestSlots } from './request-slots';

const [ALICE, BOB, CAROL] = [1, 2, 3] as const;

it('a freed slot goes to the callers in turns, and a caller who left gets none', async () => {
  const slots = new RequestSlots(1, 10);
  const begun: string[] = [];
  const leaving = new AbortController();
  const run = async (name: string, caller: number, signal?: AbortSignal) => {
    const free = await slots.take(caller, { signal });
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
  const slots = new RequestSlots(1, 4);
  await slots.take(ALICE);
  const waits = async (caller: number) => {
    const before = slots.waiting;
    const taking = slots.take(caller);
    taking.catch(() => undefined);
    await Promise.resolve();
    return slots.waiting > before;
  };
  expect([await waits(ALICE), await waits(ALICE), await waits(ALICE), await waits(BOB)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  for (let caller = 10; await waits(caller); caller++) expect(slots.waiting).toBeLessThanOrEqual(8);
  expect([slots.waiting, slots.isFull]).toEqual([8, true]);
  await expect(slots.take(CAROL)).rejects.toMatchObject({ name: 'SlotsBusy', retryAfterMs: 1_000 });
});

it('one caller gets three of four slots, and others begin at once until all are taken', async () => {
  const slots = new RequestSlots(8, 64);
  const own = Array.from({ length: 20 }, () => slots.take(ALICE));
  expect([slots.taken, slots.waiting, slots.hasRoomFor(ALICE), slots.hasRoomFor(BOB)]).toEqual([6, 14, false, true]);
  const others = [await slots.take(BOB), await slots.take(CAROL)];
  expect([slots.taken, slots.hasRoomFor(4)]).toEqual([8, false]);
  // A slot of another caller does not go to a caller who has more than a share.
  for (const free of others) free();
  expect([slots.taken, slots.waiting]).toEqual([6, 14]);
  for (const taking of own) (await taking)();
  expect([slots.taken, slots.waiting]).toEqual([0, 0]);
});

it('a request that waits too long is refused, and frees its place in the queue', async () => {
  const slots = new RequestSlots(1, 2);
  const free = await slots.take(ALICE);
  await expect(slots.take(ALICE, { waitMsMax: 1 })).rejects.toMatchObject({ name: 'SlotsBusy', retryAfterMs: 5_000 });
  expect(slots.waiting).toBe(0);
  const next = slots.take(ALICE, { waitMsMax: 60_000 });
  free();
  // A slot that is freed twice is freed once.
  free();
  const after = slots.take(BOB);
  expect([slots.taken, slots.waiting]).toEqual([1, 1]);
  (await next)();
  (await after)();
  expect([slots.taken, slots.waiting]).toEqual([0, 0]);
});

it('a request that would wait longer than its time is refused at once, with the time to wait', async () => {
  const slots = new RequestSlots(1, 8);
  const first = await slots.take(ALICE);
  const second = slots.take(ALICE);
  const third = slots.take(ALICE);
  await new Promise((resolve) => setTimeout(resolve, 50));
  first();
  const refused = slots.take(ALICE, { waitMsMax: 5 });
  await expect(refused).rejects.toMatchObject({ name: 'SlotsBusy', retryAfterMs: 1_000 });
  (await second)();
  (await third)();
});

it('a caller with few requests waits for its turn at other slots, and not for its own long requests', async () => {
  const slots = new RequestSlots(4, 32);
  const [heavy] = [await slots.take(ALICE), await slots.take(ALICE), await slots.take(ALICE)];
  const first = await slots.take(BOB);
  const second = slots.take(BOB);
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 60));
  const waitMsMax = performance.now() - startedAt;
  first();
  await second;
  const third = slots.take(BOB, { waitMsMax });
  expect([slots.taken, slots.waiting, slots.refuses(BOB, waitMsMax)]).toEqual([4, 1, false]);
  heavy();
  (await third)();
});

it('the duration of old requests does not refuse a caller who has none any more', async () => {
  const slots = new RequestSlots(1, 8);
  const long = await slots.take(ALICE);
  const leaving = new AbortController();
  const others = [slots.take(BOB), slots.take(BOB)];
  const left = slots.take(ALICE, { signal: leaving.signal });
  await new Promise((resolve) => setTimeout(resolve, 60));
  long();
  const next = await others[0];
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const taking = slots.take(ALICE, { waitMsMax: 50 });
  expect(slots.waiting).toBe(2);
  next?.();
  (await others[1])?.();
  (await taking)();
});
