import { withDeadline } from '@/lib/client/with-deadline';

/** Identifies a read. Must be plain JSON. */
export type ReadKey = readonly unknown[];

export interface Read<T> {
  key: ReadKey;
  /** The signal aborts at the timeout, and when no caller needs the answer any more. */
  read: (signal: AbortSignal) => Promise<T>;
  /** Age from which a shown answer is read again; a minute by default. */
  staleMs?: number;
  /** Number of retries; two by default. */
  retries?: number;
}

/** State of a read. If there is an error, the data is from an earlier read. */
export interface ReadState<T> {
  data: T | undefined;
  error: Error | null;
  /** Time when the data was read, Unix milliseconds; 0 if the data has to be read again. */
  updatedAtMs: number;
}

/**
 * Cache of this page's reads. All components with the same read key share one read. Data stays for five minutes after
 * the last component stops using it.
 */
export interface ReadCache {
  stateOf(key: string): ReadState<unknown>;
  /** State during server rendering and hydration. */
  knownStateOf(key: string): ReadState<unknown>;
  subscribe(key: string, listener: () => void): () => void;
  /** Reads missing or stale data now and after each invalidation. @returns function that unsubscribes */
  watch(current: () => Read<unknown>): () => void;
  /** Reads again, or joins the read in progress. Never rejects: the state has the error. */
  refresh(read: Read<unknown>): Promise<void>;
  /** Reads again if stale. Never rejects. */
  refreshIfStale(read: Read<unknown>): Promise<void>;
  /** Returns fresh data; reads first if necessary. Rejects with the read's error. */
  ask<T>(read: Read<T>): Promise<T>;
  dataOf(key: ReadKey): unknown;
  put(key: ReadKey, data: unknown): void;
  /** Stores data that the server rendered, unless the cache has data. The stored data counts as stale. */
  putKnown(key: ReadKey, data: unknown): void;
  /** Invalidates all keys with this prefix. Reads visible data now and other data when shown. */
  readAgain(beginning: ReadKey): Promise<void>;
  /** Retries failed reads of shown data. Called when the gateway answers again. */
  recover(): void;
}

interface Flight {
  done: Promise<unknown>;
  abort: AbortController;
  /** Number of `ask` calls that await the answer. */
  waiting: number;
}

interface Entry {
  key: ReadKey;
  state: ReadState<unknown>;
  known: ReadState<unknown>;
  listeners: Set<() => void>;
  watchers: Set<() => Read<unknown>>;
  flight: Flight | null;
  drop: ReturnType<typeof setTimeout> | undefined;
}

interface ReadCacheOptions {
  isWorthAnother?: (error: Error) => boolean;
  /** Returns a promise that resolves when the network is back; null while the network is up. */
  awaitLine?: () => Promise<void> | null;
  /** Schedules the reads of shown data. By default, they start immediately. */
  pace?: (begin: () => void) => void;
  /**
   * Timeout of an attempt; half a minute by default. Without a timeout, a hanging attempt would block all callers of
   * this read.
   */
  tryTimeoutMs?: number;
}

const NOTHING: ReadState<unknown> = { data: undefined, error: null, updatedAtMs: 0 };
const STALE_MS = 60_000;
const RETRIES = 2;
const FIRST_PAUSE_MS = 1_000;
const TRY_TIMEOUT_MS = 30_000;
const DROP_AFTER_MS = 5 * 60_000;

export function keyText(key: ReadKey): string {
  return JSON.stringify(key);
}

/** Creates a cache: one per open page in the browser, one per rendered page on the server. */
export function createReadCache({
  isWorthAnother = () => true,
  awaitLine = () => null,
  pace = (begin) => begin(),
  tryTimeoutMs = TRY_TIMEOUT_MS,
}: ReadCacheOptions = {}): ReadCache {
  const entries = new Map<string, Entry>();

  const entryOf = (key: ReadKey, text = keyText(key)): Entry => {
    const found = entries.get(text);
    if (found !== undefined) return found;
    const made: Entry = {
      key,
      state: NOTHING,
      known: NOTHING,
      listeners: new Set(),
      watchers: new Set(),
      flight: null,
      drop: undefined,
    };
    entries.set(text, made);
    return made;
  };
  const enter = (entry: Entry, state: ReadState<unknown>) => {
    const before = entry.state;
    entry.state = state;
    // Confirming what the server rendered renders nothing again.
    if (before !== entry.known || before.data !== state.data || before.error !== state.error)
      entry.listeners.forEach((listener) => listener());
  };
  const isStale = ({ state }: Entry, { staleMs = STALE_MS }: Read<unknown>) =>
    state.updatedAtMs === 0 || Date.now() - state.updatedAtMs >= staleMs;
  const isIdle = ({ listeners, watchers, flight }: Entry) =>
    listeners.size === 0 && watchers.size === 0 && flight === null;
  const dropLater = (entry: Entry) => {
    clearTimeout(entry.drop);
    if (isIdle(entry))
      entry.drop = setTimeout(() => isIdle(entry) && entries.delete(keyText(entry.key)), DROP_AFTER_MS);
  };

  const forgetFailure = (entry: Entry) => {
    if (entry.state.data === undefined && entry.state.error !== null) enter(entry, NOTHING);
  };

  const begin = (entry: Entry, read: Read<unknown>): Flight => {
    const abort = new AbortController();
    const { signal } = abort;
    forgetFailure(entry);
    const end = (state: (before: ReadState<unknown>) => ReadState<unknown>) => {
      // Ignores a read that was aborted, or replaced after an invalidation.
      if (entry.flight !== flight) return;
      entry.flight = null;
      enter(entry, state(entry.state));
      dropLater(entry);
    };
    const done = tryFor(read, signal).then(
      (data) => {
        end((before) => ({
          data: isSameData(before.data, data) ? before.data : data,
          error: null,
          updatedAtMs: Date.now(),
        }));
        return data;
      },
      (thrown: unknown) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        end((before) => ({ ...before, error }));
        throw error;
      },
    );
    const flight: Flight = { done, abort, waiting: 0 };
    // Prevents an unhandled rejection. Waiting callers get the error from `done`.
    done.catch(() => undefined);
    entry.flight = flight;
    return flight;
  };

  const tryFor = async (read: Read<unknown>, signal: AbortSignal): Promise<unknown> => {
    for (let failures = 0; ;) {
      try {
        return await withDeadline(signal, tryTimeoutMs, read.read);
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const line = awaitLine();
        // A failure while offline does not count as an attempt.
        if (line !== null) await line;
        else if (failures++ >= (read.retries ?? RETRIES) || !(thrown instanceof Error && isWorthAnother(thrown)))
          throw thrown;
        else await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (failures - 1)));
        if (signal.aborted) throw thrown;
      }
    }
  };

  const flightOf = (entry: Entry, read: Read<unknown>) => entry.flight ?? begin(entry, read);
  const refresh = (read: Read<unknown>): Promise<void> => flightOf(entryOf(read.key), read).done.then(ignore, ignore);
  const refreshIfStale = async (read: Read<unknown>): Promise<void> =>
    isStale(entryOf(read.key), read) ? refresh(read) : undefined;
  const shownRead = ({ watchers }: Entry): Read<unknown> | undefined => watchers.values().next().value?.();
  const leave = (entry: Entry) => {
    if (entry.watchers.size === 0 && entry.flight?.waiting === 0) {
      entry.flight.abort.abort();
      entry.flight = null;
    }
    dropLater(entry);
  };

  return {
    stateOf: (key) => entries.get(key)?.state ?? NOTHING,
    knownStateOf: (key) => entries.get(key)?.known ?? NOTHING,
    dataOf: (key) => entries.get(keyText(key))?.state.data,
    refresh,
    refreshIfStale,
    subscribe(text, listener) {
      const entry = entryOf(JSON.parse(text) as ReadKey, text);
      entry.listeners.add(listener);
      return () => {
        entry.listeners.delete(listener);
        dropLater(entry);
      };
    },
    watch(current) {
      const entry = entryOf(current().key);
      entry.watchers.add(current);
      // Forgets an old failure. Otherwise the failure would look current until the read begins.
      if (entry.flight === null) forgetFailure(entry);
      pace(() => entry.watchers.has(current) && void refreshIfStale(current()));
      return () => {
        entry.watchers.delete(current);
        leave(entry);
      };
    },
    async ask<T>(read: Read<T>) {
      const entry = entryOf(read.key);
      if (!isStale(entry, read)) return entry.state.data as T;
      const flight = flightOf(entry, read);
      flight.waiting++;
      try {
        return (await flight.done) as T;
      } finally {
        flight.waiting--;
      }
    },
    put: (key, data) => enter(entryOf(key), { data, error: null, updatedAtMs: Date.now() }),
    putKnown(key, data) {
      const entry = entryOf(key);
      if (entry.state.data === undefined) entry.state = entry.known = { ...NOTHING, data };
    },
    async readAgain(beginning) {
      const found = [...entries.values()].filter(({ key }) => beginning.every((part, place) => key[place] === part));
      await Promise.all(
        found.map((entry) => {
          entry.state = { ...entry.state, updatedAtMs: 0 };
          const read = shownRead(entry);
          // Drops a running read, because it may have begun before the data changed.
          if (entry.flight?.waiting === 0) entry.flight.abort.abort();
          entry.flight = null;
          return read && refresh(read);
        }),
      );
    },
    recover() {
      for (const entry of entries.values()) {
        const read = shownRead(entry);
        if (read !== undefined && entry.state.error !== null) void refresh(read);
      }
    },
  };
}

function ignore(): void {}

/**
 * Returns whether two answers are equal, so that components need not render again. Compares plain JSON by value and all
 * other values by identity.
 */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameData(one[name], other[name]))
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
