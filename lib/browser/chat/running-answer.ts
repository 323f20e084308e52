'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners';

export type AnswerPhase = 'attesting' | 'waiting' | 'answering' | 'checking';

/** Current answer. Only one runs at a time; it continues while the user visits other pages. */
export interface RunningAnswer {
  conversationId: string;
  turnId: string;
  phase: AnswerPhase;
  text: string;
  reasoning: string;
  isPrivate: boolean;
}

/** Minimum time between redraws. Text arrives faster than users can read. */
const NOTIFY_EVERY_MS = 50;

let running: RunningAnswer | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = createListeners();

export function runningAnswer(): RunningAnswer | null {
  return running;
}

export function useRunningAnswer(): RunningAnswer | null {
  return useSyncExternalStore(listeners.subscribe, runningAnswer, () => null);
}

/** Updates the current answer. Changes of text alone are throttled. */
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
  listeners.tell();
}
