import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { stopOnSignals } from './stop-signals';

/** Returns a process that can be signalled, a clock, and a `stop` that the test ends. */
function signalled() {
  let nowMs = 1_000;
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const exit = vi.fn();
  const process = Object.assign(new EventEmitter(), { exit });
  const stop = vi.fn(() => new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject])));
  const begin = stopOnSignals(stop, process, () => nowMs);
  return {
    process,
    exit,
    stop,
    begin,
    end: () => end(),
    fail: (error: Error) => fail(error),
    pass: (ms: number) => (nowMs += ms),
  };
}

describe('signals to end', () => {
  it('stop once, however often one signal is passed on, and end with 0 when that is through', async () => {
    const { process, exit, stop, end, pass } = signalled();
    process.emit('SIGTERM');
    pass(300);
    process.emit('SIGTERM');
    process.emit('SIGINT');
    expect(stop).toHaveBeenCalledTimes(1);
    expect(exit).not.toHaveBeenCalled();
    end();
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]));
  });

  it('end at once with a second one later', () => {
    const { process, exit, pass } = signalled();
    process.emit('SIGTERM');
    pass(1_200);
    process.emit('SIGTERM');
    expect(exit.mock.calls).toEqual([[1]]);
  });

  it('are not doubled by another reason to stop, such as a parent that has gone', () => {
    const { process, exit, stop, begin, pass } = signalled();
    process.emit('SIGTERM');
    pass(5_000);
    begin();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(exit).not.toHaveBeenCalled();
  });

  it('end with 1 where the stop fails', async () => {
    const { begin, exit, fail } = signalled();
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    begin();
    fail(new Error('the store was gone'));
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]));
  });
});
