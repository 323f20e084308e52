'use client';

import { createContext, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { keyText, type Read, type ReadCache, type ReadState } from './read-cache';

export interface ReadOptions<T> extends Read<T> {
  /** If false, reads only by `refetch`, but shows data that other components have read. True by default. */
  enabled?: boolean;
  /** Milliseconds between reads while the page is visible; null for none. */
  everyMs?: number | null | ((state: ReadState<T>) => number | null);
  /** Reads stale data again when the page becomes visible. */
  onReturn?: boolean;
  /** Shows the previous key's data until the new key's data arrives. */
  keepsPrevious?: boolean;
}

export type ReadResult<T> = {
  data: T | undefined;
  isPending: boolean;
  /** Time of the read, Unix milliseconds; 0 for data rendered by the server and for invalidated data. */
  updatedAtMs: number;
  /** Reads again now. Never rejects. */
  refetch: () => Promise<void>;
} & ({ isError: false; error: null } | { isError: true; error: Error });

const ReadsContext = createContext<ReadCache | null>(null);

export const ReadsProvider = ReadsContext.Provider;

/** Returns the cache of this page, for code that invalidates reads. */
export function useReads(): ReadCache {
  const cache = useContext(ReadsContext);
  if (cache === null) throw new Error('No ReadsProvider.');
  return cache;
}

/**
 * Returns the result of a read. All components with the same key share the read. Reads when first shown and when stale.
 * This module stays small, because every page loads it (docs/decisions/console.md, 141).
 */
export function useRead<T>(options: ReadOptions<T>): ReadResult<T> {
  const { enabled = true, keepsPrevious = false, onReturn = false } = options;
  const cache = useReads();
  const text = keyText(options.key);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const state = useReadState<T>(cache, text);
  const everyMs = !enabled
    ? null
    : typeof options.everyMs === 'function'
      ? options.everyMs(state)
      : (options.everyMs ?? null);
  useEffect(() => {
    if (enabled) return cache.watch(() => latest.current);
  }, [cache, text, enabled]);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(
      () => document.visibilityState === 'visible' && void cache.refresh(latest.current),
      everyMs,
    );
    return () => clearInterval(timer);
  }, [cache, text, everyMs, state.updatedAtMs]);
  useEffect(() => {
    if (!onReturn || !enabled) return;
    const look = () => document.visibilityState === 'visible' && void cache.refreshIfStale(latest.current);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [cache, text, onReturn, enabled]);
  const refetch = useCallback(() => cache.refresh(latest.current), [cache]);
  const { data, error, updatedAtMs } = state;
  const previous = usePrevious(keepsPrevious ? data : undefined);
  // Null is a valid answer, so only undefined means that no answer has arrived.
  const shown = data === undefined && error === null ? previous : data;
  const base = { data: shown, isPending: shown === undefined && error === null, updatedAtMs, refetch };
  return error === null ? { ...base, isError: false, error } : { ...base, isError: true, error };
}

function useReadState<T>(cache: ReadCache, text: string): ReadState<T> {
  const subscribe = useCallback((listener: () => void) => cache.subscribe(text, listener), [cache, text]);
  return useSyncExternalStore(
    subscribe,
    () => cache.stateOf(text),
    () => cache.knownStateOf(text),
  ) as ReadState<T>;
}

function usePrevious<T>(data: T | undefined): T | undefined {
  const [previous, setPrevious] = useState(data);
  if (data !== undefined && data !== previous) setPrevious(data);
  return previous;
}

type Progress<Input, Output> =
  | { status: 'idle' }
  | ({ input: Input } & (
      | { status: 'running' }
      | { status: 'done'; data: Output }
      | { status: 'failed'; error: Error }
    ));

export interface Action<Input, Output> {
  /** Runs the action. Ignores the result of an earlier run still in progress. Never rejects. */
  run: (input: Input) => Promise<void>;
  input: Input | undefined;
  isPending: boolean;
  isDone: boolean;
  data: Output | undefined;
  error: Error | null;
}

export function useAction<Output, Input = void>(act: (input: Input) => Promise<Output>): Action<Input, Output> {
  const [progress, setProgress] = useState<Progress<Input, Output>>({ status: 'idle' });
  const turn = useRef(0);
  const run = async (input: Input) => {
    const mine = ++turn.current;
    const enter = (next: Progress<Input, Output>) => turn.current === mine && setProgress(next);
    enter({ status: 'running', input });
    try {
      enter({ status: 'done', input, data: await act(input) });
    } catch (thrown) {
      enter({ status: 'failed', input, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    }
  };
  return {
    run,
    input: progress.status === 'idle' ? undefined : progress.input,
    isPending: progress.status === 'running',
    isDone: progress.status === 'done',
    data: progress.status === 'done' ? progress.data : undefined,
    error: progress.status === 'failed' ? progress.error : null,
  };
}
