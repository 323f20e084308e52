import { describe, expect, it } from 'vitest';
import { lengthsInOrder, videoCostUsd } from './video-models';

describe('the price of a video', () => {
  it('is exact to a billionth, and nothing for a length that cannot be read', () => {
    expect(videoCostUsd({ usdPerSecond: 0.05 }, '5s')).toBe('0.250000000');
    expect(videoCostUsd({ usdPerSecond: 0.05 }, 'auto')).toBe('0.000000000');
  });
});

describe('the lengths of videos', () => {
  it('are listed from the shortest, by number and not by letter, and the list of the model stays as it is', () => {
    const listed = ['5s', '10s', '3s', '20s'];
    expect(lengthsInOrder(listed)).toEqual(['3s', '5s', '10s', '20s']);
    expect(listed[0]).toBe('5s');
  });

  it('that cannot be read come last, in their order', () => {
    expect(lengthsInOrder(['long', '8s', 'auto', ''])).toEqual(['8s', 'long', 'auto', '']);
    expect(lengthsInOrder([])).toEqual([]);
  });
});
