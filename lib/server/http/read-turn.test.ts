import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ReadTurn } from './read-turn';

const READ = 64 * 1024;

it('lets all connections together read a quarter of a megabyte in a turn, and go on in the next', async () => {
  const turns = new ReadTurn();
  const wentOn: string[] = [];
  const read = (name: string) => turns.take(READ, () => wentOn.push(name));
  expect(['a', 'b', 'a', 'b', 'c'].map(read)).toEqual([true, true, true, false, false]);
  expect(wentOn).toEqual([]);
  await turn();
  expect(wentOn).toEqual(['b', 'c']);
  expect(read('a')).toBe(true);
});

it('has those that go on wait again, so that one turn never reads all', async () => {
  const turns = new ReadTurn();
  let left = 16;
  const readAll = (): void => {
    while (left > 0 && left--) if (!turns.take(READ, readAll)) return;
  };
  readAll();
  expect(left).toBe(12);
  await turn();
  expect(left).toBe(8);
});

it('lets a few go on at a time, however many wait, and in their order', async () => {
  const turns = new ReadTurn();
  const wentOn: number[] = [];
  const read = (index: number): boolean => turns.take(READ, () => wentOn.push(index));
  for (let index = 0; index < 13; index++) read(index);
  await turn();
  expect(wentOn).toEqual([3, 4, 5, 6]);
  await turn();
  await turn();
  expect(wentOn).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});
