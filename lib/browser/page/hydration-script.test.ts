import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HYDRATION_TASK_SCRIPT } from './head-scripts';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs the script, then what Next does with the queue. */
function hydrateIn(requestAnimationFrame: (callback: () => void) => void) {
  const self: { __next_s?: unknown[] } = {};
  vi.stubGlobal('self', self);
  vi.stubGlobal('requestAnimationFrame', requestAnimationFrame);
  new Function(HYDRATION_TASK_SCRIPT)();
  const hydrate = vi.fn();
  expect(self.__next_s).toHaveLength(1);
  void self.__next_s?.reduce<Promise<void>>((before) => before, Promise.resolve()).then(hydrate);
  return hydrate;
}

it('hydration starts in a task after the first frame', async () => {
  let showFrame = () => {};
  const hydrate = hydrateIn((callback) => (showFrame = callback));
  await vi.advanceTimersByTimeAsync(50);
  showFrame();
  await Promise.resolve();
  expect(hydrate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(0);
  expect(hydrate).toHaveBeenCalledOnce();
});

it('hydration of a hidden page, which has no frames, starts after 300 ms', async () => {
  const hydrate = hydrateIn(() => undefined);
  await vi.advanceTimersByTimeAsync(299);
  expect(hydrate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(hydrate).toHaveBeenCalledOnce();
});
