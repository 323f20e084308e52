import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnreachableError } from '@/lib/client';
import { createReadCache, keyText, type Read } from './read-cache';

const KEY = ['balance', { wallet: 'a' }];
const TEXT = keyText(KEY);

/** Returns a read whose answers the test settles itself, in the order of requests. */
function slowRead(key: readonly unknown[] = KEY, options: Partial<Read<unknown>> = {}) {
  const asked: { answer: (data: unknown) => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  const read: Read<unknown> = {
    key,
    read: (signal) => new Promise((answer, fail) => void asked.push({ answer, fail, signal })),
    ...options,
  };
  return { asked, read, show: () => read };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

describe('what is shown', () => {
  it('is read once, however many show it', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead();
    const changed = vi.fn();
    cache.subscribe(TEXT, changed);
    cache.watch(show);
    cache.watch(show);
    expect(asked).toHaveLength(1);
    expect(cache.stateOf(TEXT)).toEqual({ data: undefined, error: null, updatedAtMs: 0 });
    asked[0]?.answer(7);
    await settle();
    expect(cache.stateOf(TEXT)).toEqual({ data: 7, error: null, updatedAtMs: 1_000_000 });
    expect(changed).toHaveBeenCalledOnce();
  });

  it('is read again by the next that shows it once it is old, and not before', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead(KEY, { staleMs: 5_000 });
    cache.watch(show)();
    cache.watch(show);
    asked[1]?.answer(1);
    await vi.advanceTimersByTimeAsync(4_999);
    cache.watch(show);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    cache.watch(show);
    expect(asked).toHaveLength(3);
  });

  it('stays the same object for an answer that says the same', async () => {
    const cache = createReadCache();
    const { asked, read, show } = slowRead();
    cache.watch(show);
    asked[0]?.answer([{ id: 'a', price: { usd: 1 } }]);
    await settle();
    const first = cache.stateOf(TEXT).data;
    void cache.refresh(read);
    asked[1]?.answer([{ id: 'a', price: { usd: 1 } }]);
    await settle();
    expect(cache.stateOf(TEXT).data).toBe(first);
    void cache.refresh(read);
    asked[2]?.answer([{ id: 'a', price: { usd: 2 } }]);
    await settle();
    expect(cache.stateOf(TEXT).data).toEqual([{ id: 'a', price: { usd: 2 } }]);
  });

  it('is ended where nobody shows it any more, and says nothing then', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead();
    const changed = vi.fn();
    cache.subscribe(TEXT, changed);
    cache.watch(show)();
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.fail(new Error('aborted'));
    await settle();
    expect(changed).not.toHaveBeenCalled();
    cache.watch(show);
    expect(asked).toHaveLength(2);
  });

  it('is known for five minutes after the last has gone', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead();
    const stop = cache.watch(show);
    asked[0]?.answer(7);
    await settle();
    stop();
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
    expect(cache.dataOf(KEY)).toBe(7);
    await vi.advanceTimersByTimeAsync(1);
    expect(cache.dataOf(KEY)).toBeUndefined();
  });

  it('is not forgotten while it is shown', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead();
    cache.watch(show)();
    cache.watch(show);
    asked[1]?.answer(7);
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    expect(cache.dataOf(KEY)).toBe(7);
  });
});

describe('a try that fails', () => {
  it('is made twice more, each after a longer pause, and then told', async () => {
    const cache = createReadCache();
    const read = vi.fn(() => Promise.reject(new Error('down')));
    cache.watch(() => ({ key: KEY, read }));
    await vi.advanceTimersByTimeAsync(999);
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(cache.stateOf(TEXT).error).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toHaveBeenCalledTimes(3);
    expect(cache.stateOf(TEXT).error?.message).toBe('down');
  });

  it('is told at once where another cannot help', async () => {
    const cache = createReadCache({ isWorthAnother: ({ message }) => message !== 'refused' });
    const read = vi.fn(() => Promise.reject(new Error('refused')));
    cache.watch(() => ({ key: KEY, read }));
    await settle();
    expect(cache.stateOf(TEXT).error?.message).toBe('refused');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledOnce();
  });

  it('is told at once where none is wanted, whatever was thrown', async () => {
    const cache = createReadCache();
    cache.watch(() => ({ key: KEY, read: () => Promise.reject('a text' as unknown as Error), retries: 0 }));
    await settle();
    expect(cache.stateOf(TEXT).error).toEqual(new Error('a text'));
  });

  it('leaves what was known, and both until an answer comes', async () => {
    const cache = createReadCache();
    const { asked, read, show } = slowRead(KEY, { retries: 0 });
    cache.watch(show);
    asked[0]?.answer(7);
    await settle();
    void cache.refresh(read);
    asked[1]?.fail(new Error('down'));
    await settle();
    expect(cache.stateOf(TEXT)).toMatchObject({ data: 7, error: new Error('down') });
    void cache.refresh(read);
    expect(cache.stateOf(TEXT)).toMatchObject({ data: 7, error: new Error('down') });
    asked[2]?.answer(8);
    await settle();
    expect(cache.stateOf(TEXT)).toMatchObject({ data: 8, error: null });
  });

  it('counts no more while it is tried again and there is nothing else to show', async () => {
    const cache = createReadCache();
    const { asked, read, show } = slowRead(KEY, { retries: 0 });
    cache.watch(show);
    asked[0]?.fail(new Error('down'));
    await settle();
    void cache.refresh(read);
    expect(cache.stateOf(TEXT).error).toBeNull();
  });

  it('waits for the line where there is none, without being counted or told', async () => {
    let arrive: (() => void) | null = null;
    let isOnline = false;
    const cache = createReadCache({
      awaitLine: () => (isOnline ? null : new Promise((resolve) => (arrive = resolve))),
    });
    const { asked, show } = slowRead(KEY, { retries: 0 });
    cache.watch(show);
    asked[0]?.fail(new TypeError('Failed to fetch'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(cache.stateOf(TEXT).error).toBeNull();
    isOnline = true;
    (arrive as (() => void) | null)?.();
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.answer(7);
    await settle();
    expect(cache.stateOf(TEXT).data).toBe(7);
  });

  it('is not made again once nobody shows it', async () => {
    const cache = createReadCache();
    const read = vi.fn(() => Promise.reject(new Error('down')));
    const stop = cache.watch(() => ({ key: KEY, read }));
    await settle();
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledOnce();
  });
});

describe('what the server knew', () => {
  it('is shown at once, and read again', async () => {
    const cache = createReadCache();
    cache.putKnown(KEY, 5);
    expect(cache.stateOf(TEXT)).toEqual({ data: 5, error: null, updatedAtMs: 0 });
    const { asked, show } = slowRead(KEY, { staleMs: Infinity });
    cache.watch(show);
    asked[0]?.answer(6);
    await settle();
    expect(cache.stateOf(TEXT).data).toBe(6);
    expect(cache.knownStateOf(TEXT).data).toBe(5);
  });

  it('is shown without another rendering if the answer is the same', async () => {
    const cache = createReadCache();
    cache.putKnown(KEY, { one: 1 });
    let renderings = 0;
    cache.subscribe(TEXT, () => renderings++);
    const { asked, read } = slowRead();
    void cache.refresh(read);
    asked[0]?.answer({ one: 1 });
    await settle();
    expect(renderings).toBe(0);
    expect(cache.stateOf(TEXT).updatedAtMs).toBeGreaterThan(0);
    void cache.refresh(read);
    asked[1]?.answer({ one: 2 });
    await settle();
    expect(renderings).toBe(1);
  });

  it('is not put over what the browser knows', () => {
    const cache = createReadCache();
    cache.put(KEY, 7);
    cache.putKnown(KEY, 5);
    expect(cache.dataOf(KEY)).toBe(7);
    expect(cache.knownStateOf(TEXT).data).toBeUndefined();
  });
});

describe('an answer that is asked for', () => {
  it('is what is known while it is new', async () => {
    const cache = createReadCache();
    cache.put(KEY, 7);
    const { asked, read } = slowRead();
    await expect(cache.ask(read)).resolves.toBe(7);
    expect(asked).toHaveLength(0);
  });

  it('is read where it is old, and is not given up with those who only show it', async () => {
    const cache = createReadCache();
    cache.putKnown(KEY, 5);
    const { asked, read, show } = slowRead();
    const stop = cache.watch(show);
    const answer = cache.ask(read);
    stop();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.answer(6);
    await expect(answer).resolves.toBe(6);
  });

  it('rejects as the reading does', async () => {
    const cache = createReadCache();
    const { asked, read } = slowRead(KEY, { retries: 0 });
    const answer = cache.ask(read);
    asked[0]?.fail(new Error('down'));
    await expect(answer).rejects.toThrow('down');
  });
});

describe('what has changed', () => {
  it('is read again now where it is shown, and when it is shown elsewhere', async () => {
    const cache = createReadCache();
    const shown = slowRead(['keys', 'a']);
    const hidden = slowRead(['keys', 'b']);
    const other = slowRead(['usage']);
    cache.watch(shown.show);
    cache.watch(other.show);
    const stop = cache.watch(hidden.show);
    for (const { asked } of [shown, hidden, other]) asked[0]?.answer(1);
    await settle();
    stop();
    void cache.readAgain(['keys']);
    expect([shown.asked.length, hidden.asked.length, other.asked.length]).toEqual([2, 1, 1]);
    cache.watch(hidden.show);
    expect(hidden.asked).toHaveLength(2);
  });

  it('overtakes a reading that was under way, whose answer is of before', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead();
    cache.watch(show);
    void cache.readAgain(['balance']);
    expect(asked).toHaveLength(2);
    asked[1]?.answer('after');
    await settle();
    asked[0]?.answer('before');
    await settle();
    expect(cache.stateOf(TEXT).data).toBe('after');
  });

  it('resolves when all of it is read, and does not reject where that fails', async () => {
    const cache = createReadCache();
    const { asked, show } = slowRead(KEY, { retries: 0 });
    cache.watch(show);
    const done = cache.readAgain(['balance']);
    asked[1]?.fail(new Error('down'));
    await expect(done).resolves.toBeUndefined();
  });
});

describe('readings that begin when their turn comes', () => {
  /** Reads that wait for their turn. */
  const waiting: (() => void)[] = [];
  const paced = () => createReadCache({ pace: (begin) => void waiting.push(begin) });

  it('begin then, but for those that are not shown any more', () => {
    const cache = paced();
    const [first, gone, last] = [slowRead(['first']), slowRead(['gone']), slowRead(['last'])];
    cache.watch(first.show);
    cache.watch(gone.show)();
    cache.watch(last.show);
    const begun = () => [first, gone, last].map(({ asked }) => asked.length);
    expect(begun()).toEqual([0, 0, 0]);
    waiting.splice(0).forEach((begin) => begin());
    expect(begun()).toEqual([1, 0, 1]);
  });

  it('show no failure of before while they wait', async () => {
    const cache = paced();
    const { asked, show } = slowRead(KEY, { retries: 0 });
    const stop = cache.watch(show);
    waiting.splice(0).forEach((begin) => begin());
    asked[0]?.fail(new Error('down'));
    await settle();
    expect(cache.stateOf(TEXT).error?.message).toBe('down');
    stop();
    cache.watch(show);
    expect(cache.stateOf(TEXT).error).toBeNull();
  });
});

describe('a try that hangs', () => {
  it('ends in time as a gateway that does not answer, and the next is not held up by it', async () => {
    vi.useRealTimers();
    const cache = createReadCache({ tryTimeoutMs: 20 });
    let tries = 0;
    const hangs: Read<unknown> = {
      key: KEY,
      retries: 0,
      read: (signal) =>
        ++tries > 1
          ? Promise.resolve(7)
          : new Promise((_, fail) =>
              signal.addEventListener('abort', () => fail(new UnreachableError('http://gateway.test', true))),
            ),
    };
    await cache.refresh(hangs);
    expect(cache.stateOf(TEXT).error?.message).toBe('The gateway at http://gateway.test does not answer.');
    await cache.refresh(hangs);
    expect(cache.stateOf(TEXT)).toMatchObject({ data: 7, error: null });
  });
});

describe('a gateway that answers again', () => {
  it('is asked for what failed, and not for what did not or is not shown', async () => {
    const cache = createReadCache();
    const failed = slowRead(['failed'], { retries: 0 });
    const old = slowRead(['old'], { staleMs: 1_000 });
    const fresh = slowRead(['fresh']);
    const gone = slowRead(['gone']);
    for (const { show } of [failed, old, fresh]) cache.watch(show);
    cache.watch(gone.show)();
    failed.asked[0]?.fail(new Error('down'));
    old.asked[0]?.answer(1);
    fresh.asked[0]?.answer(1);
    await vi.advanceTimersByTimeAsync(1_000);
    cache.recover();
    expect([failed, old, fresh, gone].map(({ asked }) => asked.length)).toEqual([2, 1, 1, 1]);
  });
});
