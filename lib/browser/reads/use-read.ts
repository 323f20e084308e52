'use client';

import { createContext, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { keyText, type Read, type ReadCache, type ReadState } from './read-cache';

export interface ReadOptions<T> extends Read<T> {
  /** Whether it is read; otherwise what others have read is shown. Yes unless given. */
  enabled?: boolean;
  /** Reads again so often while the page is looked at; null for not. */
  everyMs?: number | null | ((state: ReadState<T>) => number | null);
  /** Reads what is old again when the page is looked at again. */
  onReturn?: boolean;
  /** Shows what was read under the key before until this one has come. */
  keepsPrevious?: boolean;
}

/** What is known of a reading, and how to have it made again. */
export type ReadResult<T> = {
  data: T | undefined;
  /** Whether there is neither an answer nor an error yet. */
  isPending: boolean;
  /** When the data was read, Unix time in milliseconds; 0 while it is of the server's page, or must be read again. */
  updatedAtMs: number;
  /** Reads again now. Never rejects. */
  refetch: () => Promise<void>;
} & ({ isError: false; error: null } | { isError: true; error: Error });

const ReadsContext = createContext<ReadCache | null>(null);

/** Gives what is inside a cache for what it reads. */
export const ReadsProvider = ReadsContext.Provider;

/** The cache of this page, for what changes something that others show. */
export function useReads(): ReadCache {
  const cache = useContext(ReadsContext);
  if (cache === null) throw new Error('Nothing is read outside of ReadsProvider.');
  return cache;
}

/**
 * Shows what a function reads, shared with all that name it alike. It is read when it is first shown and when it has
 * become old; a try that fails is made again where that can help. It is for what pages show when they open, and weighs
 * little for that (docs/decisions.md, 141).
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
  // null is an answer: there is none of that.
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

/** The last that there was. */
function usePrevious<T>(data: T | undefined): T | undefined {
  const [previous, setPrevious] = useState(data);
  if (data !== undefined && data !== previous) setPrevious(data);
  return previous;
}
