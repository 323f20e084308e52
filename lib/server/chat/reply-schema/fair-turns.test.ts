import { expect, it } from 'vitest';
import { FairTurns } from './fair-turns';

/** A clock that jobs advance. */
function stage() {
  const clock = { ms: 0 };
  const turns = new FairTurns(() => clock.ms);
  const done: string[] = [];
  const job = (name: string, takesMs: number) => async () => {
    await Promise.resolve();
    clock.ms += takesMs;
    done.push(name);
  };
  return { clock, turns, done, job };
}

it('does one job at a time, callers by turns', async () => {
  const { turns, done, job } = stage();
  await Promise.all([
    turns.take(1, job('a1', 1)),
    turns.take(1, job('a2', 1)),
    turns.take(1, job('a3', 1)),
    turns.take(2, job('b1', 1)),
    turns.take(3, job('c1', 1)),
  ]);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

it('makes only callers who used much time wait until others had their share', async () => {
  const { clock, turns, done, job } = stage();
  const later = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    clock.ms += ms;
  };
  await turns.take(1, job('expensive', 2_000));
  await later(0);
  const second = turns.take(1, job('again', 1));
  await turns.take(2, job('other', 1));
  expect([done, turns.waitingOf(1)]).toEqual([['expensive', 'other'], 1]);
  // The caller used 1,000 ms beyond the allowance. Regaining them at a quarter of the elapsed time takes 4,000 ms.
  await later(3_980);
  await turns.take(2, job('still other', 1));
  expect(done).not.toContain('again');
  await later(30);
  await turns.take(2, job('more', 1));
  await second;
  expect(done.slice(-2)).toEqual(['again', 'more']);
});

it('does what had to wait as soon as it may, with nobody else about', async () => {
  const turns = new FairTurns();
  const hold = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));
  await turns.take(1, hold(1_050));
  const startedAt = performance.now();
  await turns.take(1, hold(0));
  expect(performance.now() - startedAt).toBeGreaterThan(100);
});

it('goes on after a job that failed', async () => {
  const { turns, done, job } = stage();
  const failed = turns.take(1, () => Promise.reject(new Error('no')));
  const next = turns.take(1, job('next', 1));
  await expect(failed).rejects.toThrow('no');
  await next;
  expect(done).toEqual(['next']);
});
