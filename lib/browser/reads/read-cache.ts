import { withDeadline } from '@/lib/client/with-deadline';
import { isSameData } from './same-data';

/** Names what is read; equal keys share one answer. Plain JSON. */
export type ReadKey = readonly unknown[];

/** How something is read, and for how long it counts as new. */
export interface Read<T> {
  key: ReadKey;
  /** The signal ends it once nobody waits for the answer, and when a try takes too long. */
  read: (signal: AbortSignal) => Promise<T>;
  /** How old an answer may be before whoever shows it has it read again; a minute unless given. */
  staleMs?: number;
  /** Tries after the first; two unless given. */
  retries?: number;
}

/** What is known. With data and an error, the data is of before. */
export interface ReadState<T> {
  data: T | undefined;
  error: Error | null;
  /** Of the data, Unix time in milliseconds; 0 for what has to be read again. */
  updatedAtMs: number;
}

/** What this page has read, for all that shows it: read once however many ask, and kept for five minutes after the last has gone. */
export interface ReadCache {
  stateOf(key: string): ReadState<unknown>;
  /** What was known when the server rendered the page, for as long as React takes that over. */
  knownStateOf(key: string): ReadState<unknown>;
  subscribe(key: string, listener: () => void): () => void;
  /** Reads what is missing or old now, and again whenever it is said to have changed. @returns what ends that */
  watch(current: () => Read<unknown>): () => void;
  /** Reads again, whatever is known, or joins the reading under way. Never rejects: the state tells. */
  refresh(read: Read<unknown>): Promise<void>;
  /** Reads again unless it is still new. Never rejects. */
  refreshIfStale(read: Read<unknown>): Promise<void>;
  /** The answer, read unless a new one is known. Rejects as the reading does. */
  ask<T>(read: Read<T>): Promise<T>;
  dataOf(key: ReadKey): unknown;
  put(key: ReadKey, data: unknown): void;
  /** Puts what the server knew, unless something is known already: it is shown at once, and read again. */
  putKnown(key: ReadKey, data: unknown): void;
  /** What has this beginning of a key has changed: what is shown is read again now, the rest when it is shown. */
  readAgain(beginning: ReadKey): Promise<void>;
  /** The gateway answers again: what is shown and failed meanwhile is read again. */
  recover(): void;
}

interface Flight {
  done: Promise<unknown>;
  abort: AbortController;
  /** Those who wait for the answer itself, who are no watchers. */
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
  /** Whether a try that failed is worth another. */
  isWorthAnother?: (error: Error) => boolean;
  /** Resolves when there is a line again; null while there is one. */
  awaitLine?: () => Promise<void> | null;
  /** Begins what is read because it is shown: at once unless given. */
  pace?: (begin: () => void) => void;
  /** How long a try may take; half a minute unless given. Whoever asks meanwhile joins it, so one that hangs would hang for all. */
  tryTimeoutMs?: number;
}

const NOTHING: ReadState<unknown> = { data: undefined, error: null, updatedAtMs: 0 };
const STALE_MS = 60_000;
const RETRIES = 2;
const FIRST_PAUSE_MS = 1_000;
const TRY_TIMEOUT_MS = 30_000;
const DROP_AFTER_MS = 5 * 60_000;

/** A key as the cache files it. */
export function keyText(key: ReadKey): string {
  return JSON.stringify(key);
}

/** Makes a cache: one for each page that is open, and on the server one for each page that is rendered. */
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
    entry.state = state;
    entry.listeners.forEach((listener) => listener());
  };
  const isStale = ({ state }: Entry, { staleMs = STALE_MS }: Read<unknown>) =>
    state.updatedAtMs === 0 || Date.now() - state.updatedAtMs >= staleMs;
  /** Nobody shows it, and nobody waits for it. */
  const isIdle = ({ listeners, watchers, flight }: Entry) =>
    listeners.size === 0 && watchers.size === 0 && flight === null;
  const dropLater = (entry: Entry) => {
    clearTimeout(entry.drop);
    if (isIdle(entry))
      entry.drop = setTimeout(() => isIdle(entry) && entries.delete(keyText(entry.key)), DROP_AFTER_MS);
  };

  /** What failed before counts no more, unless there is something to show beside it. */
  const forgetFailure = (entry: Entry) => {
    if (entry.state.data === undefined && entry.state.error !== null) enter(entry, NOTHING);
  };

  const begin = (entry: Entry, read: Read<unknown>): Flight => {
    const abort = new AbortController();
    const { signal } = abort;
    forgetFailure(entry);
    const end = (state: (before: ReadState<unknown>) => ReadState<unknown>) => {
      // Given up, or overtaken by a change: what it says counts no more.
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
    // The state tells; who waits for the answer itself hears of it beside that.
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
        // Without a line nothing is said of what is read, and nothing is counted.
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
  /** The way to read it that somebody has who shows it. */
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
      // What failed before is not shown as if it were of now, however soon the reading begins.
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
          // What is under way may have been answered before the change.
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
