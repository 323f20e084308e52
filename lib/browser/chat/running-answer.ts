'use client';

import { useSyncExternalStore } from 'react';

/** Where an answer that is on its way stands. */
export type AnswerPhase = 'attesting' | 'waiting' | 'answering' | 'checking';

/** The answer that is being given. One at a time; it goes on while other pages are looked at. */
export interface RunningAnswer {
  conversationId: string;
  turnId: string;
  phase: AnswerPhase;
  text: string;
  reasoning: string;
  isPrivate: boolean;
}

/** Text comes faster than a page need be drawn. */
const NOTIFY_EVERY_MS = 50;

let running: RunningAnswer | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<() => void>();

export function runningAnswer(): RunningAnswer | null {
  return running;
}

/** The answer that is being given; null for none. */
export function useRunningAnswer(): RunningAnswer | null {
  return useSyncExternalStore(subscribe, runningAnswer, () => null);
}

/** Notes how it stands. A change of text alone is told to the page a few times a second. */
export function noteRunning(next: RunningAnswer | null): void {
  const isTextOnly =
    running !== null && next !== null && running.turnId === next.turnId && running.phase === next.phase;
  running = next;
  if (!isTextOnly) notify();
  else timer ??= setTimeout(notify, NOTIFY_EVERY_MS);
}

function notify(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
