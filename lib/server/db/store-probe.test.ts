import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreProbe } from './store-status';

const TIMEOUT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('whether the store answers', () => {
  it('is asked for once by many who ask at once, and again only after a moment', async () => {
    const ping = vi.fn(() => Promise.resolve());
    const probe = new StoreProbe(ping, TIMEOUT_MS);
    expect(await Promise.all([probe.reason(), probe.reason(), probe.reason()])).toEqual([null, null, null]);
    expect(await probe.reason()).toBeNull();
    expect(ping).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(300);
    await probe.reason();
    expect(ping).toHaveBeenCalledTimes(2);
  });

  it('is no where it refuses, in words that say nothing of its address', async () => {
    const probe = new StoreProbe(
      () => Promise.reject(new Error('connect ECONNREFUSED postgres://user:secret@db')),
      TIMEOUT_MS,
    );
    expect(await probe.reason()).toBe('The database cannot be reached.');
  });

  it('is yes again with the first ping that comes back', async () => {
    const ping = vi.fn(() => Promise.resolve());
    ping.mockRejectedValueOnce(new Error('away'));
    const probe = new StoreProbe(ping, TIMEOUT_MS);
    expect(await probe.reason()).not.toBeNull();
    vi.advanceTimersByTime(300);
    expect(await probe.reason()).toBeNull();
  });
});

/** Uses real time, because fake clocks do not affect the timers of node:timers/promises. */
describe('a store that hangs', () => {
  it('is told within the time-out, and gets no second ping while the first is out', async () => {
    vi.useRealTimers();
    let answer: () => void = () => undefined;
    const ping = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
    const probe = new StoreProbe(ping, 20);
    expect(await probe.reason()).toBe('The database did not answer within 20 ms.');
    expect(await probe.reason()).toBe('The database did not answer within 20 ms.');
    expect(ping).toHaveBeenCalledTimes(1);
    answer();
    await vi.waitFor(async () => expect(await probe.reason()).toBeNull());
  });
});
