import { expect, it } from 'vitest';
import { CallerLines } from './caller-lines';

const drained = (lines: CallerLines<string>) => {
  const order: string[] = [];
  for (let next = lines.take(); next; next = lines.take()) order.push(next.item);
  return order;
};

it('callers take turns, each in its own order, however long the line of one is', () => {
  const lines = new CallerLines<string>(100);
  for (const item of ['a1', 'a2', 'a3', 'a4']) lines.add(1, item);
  lines.add(2, 'b1');
  lines.add(null, 'own');
  lines.add(2, 'b2');
  expect(lines.length).toBe(7);
  expect(drained(lines)).toEqual(['a1', 'b1', 'own', 'a2', 'b2', 'a3', 'a4']);
  expect([lines.length, lines.lengthOf(1)]).toEqual([0, 0]);
});

it('a caller that may not go is passed over and keeps its place', () => {
  const lines = new CallerLines<string>(100);
  for (const [caller, item] of [
    [1, 'a1'],
    [2, 'b1'],
    [3, 'c1'],
    [1, 'a2'],
  ] as const)
    lines.add(caller, item);
  expect(lines.take((caller) => caller !== 1)?.item).toBe('b1');
  expect(lines.take(() => false)).toBeNull();
  expect(drained(lines)).toEqual(['a1', 'c1', 'a2']);
});

it('a line has a maximum that leaves room for another, and a first item has room in up to twice as many', () => {
  const lines = new CallerLines<number>(8);
  const fill = (caller: number) => {
    let added = 0;
    for (; lines.hasRoomFor(caller); added++) lines.add(caller, added);
    return added;
  };
  expect([fill(1), fill(2), fill(3)]).toEqual([4, 2, 2]);
  expect(lines.isFull).toBe(true);
  expect([fill(1), fill(4), fill(5)]).toEqual([0, 1, 1]);
  for (let caller = 6; caller < 12; caller++) expect(fill(caller)).toBe(1);
  expect([lines.length, fill(12)]).toEqual([16, 0]);
});

it('an item that no longer waits is removed from its line', () => {
  const lines = new CallerLines<string>(8);
  for (const item of ['a1', 'a2', 'a3']) lines.add(1, item);
  lines.add(2, 'b1');
  lines.remove(1, 'a1');
  lines.remove(1, 'a1');
  lines.remove(2, 'b1');
  lines.remove(3, 'c1');
  expect([lines.length, lines.lengthOf(2)]).toEqual([2, 0]);
  expect(drained(lines)).toEqual(['a2', 'a3']);
});
