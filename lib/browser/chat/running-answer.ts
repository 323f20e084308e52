'use client';

import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners';

export type AnswerPhase = 'attesting' | 'waiting' | 'answering' | 'checking';

/** Answer that is arriving. It continues while the user visits other pages. */
export interface RunningAnswer {
  conversationId: string;
  /** Id of the turn, or of the second model's answer. */
  turnId: string;
  phase: AnswerPhase;
  text: string;
  reasoning: string;
  isPrivate: boolean;
}

/** Minimum time between redraws. Text arrives faster than users can read. */
const NOTIFY_EVERY_MS = 50;

const NONE: readonly RunningAnswer[] = [];
/** Answers that are arriving: one, or two of one question. */
let running = NONE;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = createListeners();

export function runningAnswers(): readonly RunningAnswer[] {
  return running;
}

export function useRunningAnswers(): readonly RunningAnswer[] {
  return useSyncExternalStore(listeners.subscribe, runningAnswers, () => NONE);
}

/** Updates an arriving answer. Changes of text alone are throttled. */
export function noteRunning(next: RunningAnswer): void {
  const before = running.find(({ turnId }) => turnId === next.turnId);
  running = before === undefined ? [...running, next] : running.map((each) => (each === before ? next : each));
  if (before?.phase !== next.phase) notify();
  else timer ??= setTimeout(notify, NOTIFY_EVERY_MS);
}

export function endRunning(turnId: string): void {
  if (!running.some((each) => each.turnId === turnId)) return;
  running = running.filter((each) => each.turnId !== turnId);
  notify();
}

function notify(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  listeners.tell();
}
