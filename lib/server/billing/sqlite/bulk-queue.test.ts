import { expect, it } from 'vitest';
import { BulkQueue } from './bulk-queue';

const MIB = 1024 * 1024;
const [HOG, OTHER, THIRD] = [{ name: 'hog' }, { name: 'other' }, { name: 'third' }];

it('has callers take turns, however many answers one of them has waiting', () => {
  const queue = new BulkQueue();
  const items = [HOG, HOG, HOG, OTHER, THIRD].map((account) => ({ account, bytes: MIB }));
  for (const item of items) expect(queue.add(item)).toBe(true);
  const turns: object[] = [];
  while (!queue.isEmpty) turns.push(...queue.take(1).map(({ account }) => account));
  expect(turns).toEqual([HOG, OTHER, THIRD, HOG, HOG]);
});

it('gives as many at once as have so many bytes together, and at least one', () => {
  const queue = new BulkQueue();
  for (const bytes of [100, 100, 100, 500]) queue.add({ account: {}, bytes });
  expect([queue.take(250), queue.take(250), queue.take(250), queue.take(250)].map((taken) => taken.length)).toEqual([
    2, 1, 1, 0,
  ]);
});

it('has no room for more than so many bytes of one caller, and has room for the next', () => {
  const queue = new BulkQueue();
  const addAll = (account: object): number => {
    let added = 0;
    while (queue.add({ account, bytes: 4 * MIB })) added++;
    return added;
  };
  expect([HOG, OTHER, THIRD].map(addAll)).toEqual([3, 2, 2]);
  queue.take(1);
  expect(addAll(HOG)).toBe(0);
  expect([40, 1].map((mib) => queue.add({ account: {}, bytes: mib * MIB }))).toEqual([true, false]);
});

it('has room for whatever comes where nothing waits', () => {
  const queue = new BulkQueue();
  expect(queue.add({ account: HOG, bytes: 100 * MIB })).toBe(true);
  expect(queue.add({ account: OTHER, bytes: 1 })).toBe(false);
});
