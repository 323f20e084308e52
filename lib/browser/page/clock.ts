'use client';

import { useEffect, useState } from 'react';

export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

/** Browser timers accept at most 31 bits of milliseconds. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Returns whether a time has passed, accurate to a second; null never passes. */
export function useHasPassed(atMs: number | null): boolean {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (atMs === null) return;
    const timer = setTimeout(() => setNowMs(Date.now()), Math.min(Math.max(atMs - Date.now(), 0) + 50, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  }, [atMs, nowMs]);
  return atMs !== null && nowMs >= atMs;
}

/** Clock difference that sign-ins tolerate (spec, sign-in). */
const TOLERATED_MS = 60_000;

/** Returns whether a clock error exceeds what sign-ins tolerate; false if unknown. */
export function isClockOff(aheadMs: number | null): aheadMs is number {
  return aheadMs !== null && Math.abs(aheadMs) > TOLERATED_MS;
}
