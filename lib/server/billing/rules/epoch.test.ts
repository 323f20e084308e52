import { expect, it } from 'vitest';
import { epochAt, epochStart, isCurrentEpoch } from './epoch';

it('a daily pot may be spent in its epoch, and by a clock that stepped back from it by less than a day', () => {
  const epoch = epochAt(Date.UTC(2026, 10, 21));
  const times = [
    epochStart(epoch - 1) - 1,
    epochStart(epoch - 1),
    epochStart(epoch),
    epochStart(epoch + 1) - 1,
    epochStart(epoch + 1),
  ];
  expect(times.map((now) => isCurrentEpoch(epoch, now))).toEqual([false, true, true, true, false]);
});
