'use client';

import { createListeners } from '@/lib/browser/storage/stored-value';
import { useEffect, useState, useSyncExternalStore } from 'react';

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
/** Running answers: none, one, or two models' answers to one question. */
let running = NONE;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = createListeners();

export function runningAnswers(): readonly RunningAnswer[] {
  return running;
}

export function useRunningAnswers(): readonly RunningAnswer[] {
  return useSyncExternalStore(listeners.subscribe, runningAnswers, () => NONE);
}

/** Updates an arriving answer. Throttles changes that affect only the text. */
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

const PREFIX = 'turnpike.answer.';
const nameOf = (turnId: string) => PREFIX + turnId;

/** Claims a turn, so that other tabs leave it alone. The claim ends when `until` settles or the tab closes. */
export function claimAnswer(turnId: string, until: Promise<void>): void {
  // The Web Locks API exists only in secure contexts. The chat also works without this API.
  navigator.locks?.request(nameOf(turnId), () => until).catch(() => undefined);
}

/** Returns the turns that tabs of this browser claim; empty without Web Locks. */
export async function claimedTurns(): Promise<ReadonlySet<string>> {
  // TypeScript declares `locks` as always present, but only HTTPS and localhost have it.
  const locks = navigator.locks as LockManager | undefined;
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}

/** Returns whether any tab claims the turn; null until known, false without Web Locks. */
export function useIsClaimed(turnId: string): boolean | null {
  const [isClaimed, setIsClaimed] = useState<boolean | null>(() => (navigator.locks === undefined ? false : null));
  useEffect(() => {
    if (navigator.locks === undefined) return;
    const waiting = new AbortController();
    const look = async () => {
      const { held = [] } = await navigator.locks.query();
      if (waiting.signal.aborted) return;
      setIsClaimed(held.some(({ name }) => name === nameOf(turnId)));
      // The browser grants the shared lock when the claim ends.
      await navigator.locks.request(nameOf(turnId), { signal: waiting.signal, mode: 'shared' }, () =>
        setIsClaimed(false),
      );
    };
    look().catch(() => undefined);
    return () => waiting.abort();
  }, [turnId]);
  return isClaimed;
}
