import { describe, expect, it } from 'vitest';
import { indexForKey, isTyping, matchTyped } from './select';

describe('the keys of a list of options', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 2],
    ['ArrowUp', 0, 0],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['PageDown', 0, 2],
    ['PageUp', 2, 0],
  ])('%s moves from %i to %i, never out of the list', (key, from, to) => expect(indexForKey(key, from, 3)).toBe(to));

  it('do not move by other keys, nor in a list without options', () => {
    for (const key of ['a', 'Shift', 'toString']) expect(indexForKey(key, 0, 3)).toBeNull();
    expect(indexForKey('End', 0, 0)).toBeNull();
  });

  it('find an option by its first letters, in any case', () => {
    expect(matchTyped('op', ['mp3', 'Opus', 'wav'], 0)).toBe(1);
    expect(matchTyped('x', ['mp3', 'Opus'], 0)).toBeNull();
    expect(matchTyped('m', [], -1)).toBeNull();
  });

  it('move to the next option with the same letter, and start again after the last', () => {
    const labels = ['month', 'day', 'minute'];
    expect(matchTyped('m', labels, -1)).toBe(0);
    expect(matchTyped('m', labels, 0)).toBe(2);
    expect(matchTyped('mm', labels, 2)).toBe(0);
  });

  it('tell letters from other keys', () => {
    expect(['a', ' ', 'ß', '🙂'].every(isTyping)).toBe(true);
    expect(['Enter', 'F1', ''].some(isTyping)).toBe(false);
  });
});
