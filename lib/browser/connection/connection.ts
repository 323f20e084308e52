'use client';

import { useSyncExternalStore } from 'react';

/**
 * Connection of this page to its gateway. `offline`: this machine has no network. `unanswered`: the gateway does not
 * answer. `replaced`: the gateway serves another version of this console.
 */
export type ConnectionState = 'online' | 'offline' | 'unanswered' | 'replaced';

export interface Connection {
  state: ConnectionState;
  /** Milliseconds by which this machine's clock is ahead of the gateway's; null while unknown. */
  clockAheadMs: number | null;
}

const HEALTH_PATH = '/api/health';
const LOOK_EVERY_MS = 10_000;
const LOOK_AGAIN_EVERY_MS = 2_000;
const TIMEOUT_MS = 5_000;
/** Slower responses would make the clock comparison imprecise. */
const CLOCK_ANSWER_MS_MAX = 2_000;

const START: Connection = { state: 'online', clockAheadMs: null };

let connection: Connection = START;
let timer: ReturnType<typeof setTimeout> | null = null;
let looking: Promise<void> | null = null;
const listeners = new Set<() => void>();
const recovered = new Set<() => void>();

/** Returns the connection's state. The page checks the connection while a component uses this hook. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    subscribe,
    () => connection,
    () => START,
  );
}

export function connectionNow(): Connection {
  return connection;
}

/** Calls back whenever the gateway answers again. @returns function that unsubscribes */
export function onRecovered(listener: () => void): () => void {
  recovered.add(listener);
  return () => recovered.delete(listener);
}

/** Checks now whether the gateway answers. Never rejects. */
export function lookNow(): Promise<void> {
  return (looking ??= look().finally(() => {
    looking = null;
    schedule();
  }));
}

/** Wraps the browser's fetch: a request without a response triggers a connection check. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    if (connection.state === 'unanswered' || connection.state === 'offline') void lookNow();
    return response;
  } catch (error) {
    if (init?.signal?.aborted !== true) void lookNow();
    throw error;
  }
};

/** Finds out why code did not load: the gateway is down or serves another console version. */
export async function noteLoadFailure(): Promise<void> {
  await lookNow();
  if (connection.state === 'online' && (await isConsoleReplaced())) change({ state: 'replaced' });
}

async function look(): Promise<void> {
  if (!navigator.onLine && !isLoopback()) return change({ state: 'offline' });
  const startedMs = performance.now();
  try {
    const response = await fetch(HEALTH_PATH, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    noteClock(response.headers.get('date'), performance.now() - startedMs);
    // An unread body would hold one of the browser's six connections.
    await response.text();
    await answered();
  } catch {
    change({ state: navigator.onLine ? 'unanswered' : 'offline' });
  }
}

async function answered(): Promise<void> {
  if (connection.state === 'online' || connection.state === 'replaced') return;
  // The gateway may have been upgraded while it was down.
  change({ state: (await isConsoleReplaced()) ? 'replaced' : 'online' });
  recovered.forEach((listener) => listener());
}

/** Subtracts half the round trip, and 500 ms because the `Date` header has whole seconds. */
function noteClock(date: string | null, tookMs: number): void {
  const writtenMs = Date.parse(date ?? '');
  if (Number.isFinite(writtenMs) && tookMs <= CLOCK_ANSWER_MS_MAX)
    change({ clockAheadMs: Date.now() - tookMs / 2 - writtenMs - 500 });
}

/** Returns whether the gateway is on this machine and needs no network. */
function isLoopback(): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(window.location.hostname);
}

function change(next: Partial<Connection>): void {
  if (Object.entries(next).every(([name, value]) => connection[name as keyof Connection] === value)) return;
  connection = { ...connection, ...next };
  listeners.forEach((listener) => listener());
}

function schedule(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (listeners.size === 0) return;
  const isAway = connection.state === 'unanswered' || connection.state === 'offline';
  timer = setTimeout(
    () => (document.visibilityState === 'visible' ? void lookNow() : schedule()),
    isAway ? LOOK_AGAIN_EVERY_MS : LOOK_EVERY_MS,
  );
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) watch();
  listeners.add(listener);
  schedule();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) unwatch();
  };
}

const lookAtOnce = () => void lookNow();

function watch(): void {
  window.addEventListener('online', lookAtOnce);
  window.addEventListener('offline', lookAtOnce);
  document.addEventListener('visibilitychange', lookAtOnce);
  lookAtOnce();
}

function unwatch(): void {
  if (timer !== null) clearTimeout(timer);
  window.removeEventListener('online', lookAtOnce);
  window.removeEventListener('offline', lookAtOnce);
  document.removeEventListener('visibilitychange', lookAtOnce);
}

/** Maximum number of scripts to check. A page starts with about twenty scripts. */
const SCRIPTS_MAX = 60;

/**
 * Returns whether the gateway now serves another version of the console. If so, a script of this page is gone, because
 * script names contain content hashes. False if there is no response.
 */
async function isConsoleReplaced(): Promise<boolean> {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src*="/_next/static/"]')].slice(
    0,
    SCRIPTS_MAX,
  );
  const found = await Promise.all(scripts.map(({ src }) => isGone(src)));
  return found.includes(true);
}

async function isGone(src: string): Promise<boolean> {
  try {
    const { status } = await fetch(src, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return status === 404;
  } catch {
    return false;
  }
}
