import { expect, it } from 'vitest';
import { rememberNewest, touch } from './remembered';

it('a full map of what is known of callers loses the longest unused one', () => {
  const entries = new Map<string, number>();
  for (const [value, key] of ['a', 'b', 'c'].entries()) rememberNewest(entries, key, value, 3);
  touch(entries, 'a', 0, 3);
  rememberNewest(entries, 'd', 3, 3);
  rememberNewest(entries, 'c', 4, 3);
  rememberNewest(entries, 'e', 5, 3);
  expect([...entries]).toEqual([
    ['d', 3],
    ['c', 4],
    ['e', 5],
  ]);
});
