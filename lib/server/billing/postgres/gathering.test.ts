import { describe, expect, it } from 'vitest';
import { ENOUGH_CONTENDED, Gathering } from './gathering';

/**
 * Returns the state after a statement with `calls` calls, which was answered at 100 ms while four other calls waited.
 */
function after(calls: number, tookMs = 2): Gathering {
  const gathering = new Gathering();
  gathering.answered(calls, 4, tookMs, 100);
  return gathering;
}

describe('a batch', () => {
  it('waits for those whose calls were answered a moment ago, as long as the statement took, and for no more than is enough', () => {
    const gathering = after(8);
    expect(gathering.patienceMs(4, 101)).toBe(2);
    expect([11, 12].map((queued) => gathering.isComplete(queued))).toEqual([false, true]);
    expect(after(40).patienceMs(15, 101)).toBe(2);
    expect(after(40).patienceMs(16, 101)).toBe(0);
  });

  it('after a wait for a locked row waits for more', () => {
    const gathering = new Gathering();
    gathering.answered(40, 4, 2, 100, ENOUGH_CONTENDED);
    expect([31, 32].map((queued) => gathering.patienceMs(queued, 101))).toEqual([2, 0]);
    gathering.answered(40, 4, 2, 100);
    expect(gathering.patienceMs(16, 101)).toBe(0);
  });

  it('waits within bounds, however long statements take', () => {
    expect(after(8, 0.2).patienceMs(8, 101)).toBe(1);
    expect(after(8, 900).patienceMs(8, 101)).toBe(5);
  });

  it.each([
    ['nobody has called before', new Gathering(), 10, 101],
    ['callers come one by one', after(3), 4, 101],
    ['all are there', after(8), 12, 101],
    ['the last answer is long ago', after(16), 4, 110],
  ])('goes at once where %s', (_why, gathering, queued, now) => {
    expect(gathering.patienceMs(queued, now)).toBe(0);
  });

  it('that gathered too few calls is followed by more and more batches without a wait, until a wait succeeds', () => {
    const gathering = after(8);
    const batchesUntilWait = (): number => {
      let count = 0;
      while (gathering.patienceMs(8, 101) === 0) count++;
      return count;
    };
    expect(batchesUntilWait()).toBe(0);
    const rests = Array.from({ length: 8 }, () => {
      gathering.waited(false);
      return batchesUntilWait();
    });
    expect(rests).toEqual([8, 16, 32, 64, 128, 256, 512, 512]);
    gathering.waited(true);
    expect(batchesUntilWait()).toBe(0);
    gathering.waited(false);
    expect(batchesUntilWait()).toBe(8);
  });
});
