'use client';

import { useEffect, useState } from 'react';

/** The time, Unix milliseconds, renewed every so often while the component is there. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

/** Timers hold no more than 31 bits of milliseconds. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Whether a moment has passed, kept true to the second; null never passes. */
export function useHasPassed(atMs: number | null): boolean {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (atMs === null) return;
    const timer = setTimeout(() => setNowMs(Date.now()), Math.min(Math.max(atMs - Date.now(), 0) + 50, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  }, [atMs, nowMs]);
  return atMs !== null && nowMs >= atMs;
}

/** Time left as a clock shows it: `6 d 23:59:04`, `7:59:04`, `14:05`; never below zero. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} d ${two(hours)}:${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * Every date and time that the console shows comes from here: one way of writing them, by a clock of 24 hours, whatever
 * the language of the browser. Where no zone is named it is that of this device.
 */
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** A moment as the clock here shows it, `14:05:30`; with its date where that is not today's. */
export function formatMoment(atMs: number, nowMs: number = Date.now()): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return isToday ? write(atMs, TIME) : formatDateTime(atMs);
}

/** A moment with its date: `23 Nov 2026, 14:05:30`. */
export function formatDateTime(atMs: number): string {
  return write(atMs, { ...DATE, ...TIME });
}

/** A moment with its date and the zone of this device: `23 Nov 2026, 14:05:30 CET`. */
export function formatZonedDateTime(atMs: number): string {
  return write(atMs, { ...DATE, ...TIME, timeZoneName: 'short' });
}

/** A moment in UTC, for what is filed or compared: `23 Nov 2026, 14:05:30 UTC`. */
export function formatUtc(atMs: number): string {
  return `${write(atMs, { ...DATE, ...TIME, timeZone: 'UTC' })} UTC`;
}

/** A moment within a day from now, to the minute: `14:05`, or `Tue 02:13` where that is not today. */
export function formatUntil(atMs: number, nowMs: number = Date.now()): string {
  const time = write(atMs, { hour: '2-digit', minute: '2-digit' });
  return new Date(atMs).toDateString() === new Date(nowMs).toDateString() ? time : `${write(atMs, { weekday: 'short' })} ${time}`;
}

/** A day as the API gives it (`2026-11-23`, of UTC), without its year: `23 Nov`. */
export function formatDay(day: string): string {
  return write(Date.parse(`${day}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** What is no time, from outside, is a dash: `toLocaleString` would write "Invalid Date". */
function write(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? '–' : at.toLocaleString('en-GB', options);
}
