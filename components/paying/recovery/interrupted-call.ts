'use client';

import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

const PLACES = {
  chat: { href: '/chat', name: 'your question' },
  rpc: { href: '/rpc', name: 'your call' },
  speech: { href: '/speech', name: 'your text' },
  video: { href: '/video', name: 'your video' },
} as const;

export type InterruptedKind = keyof typeof PLACES;

interface Interruption {
  kind: InterruptedKind;
  isSolved: boolean;
}

/** Interrupted call of this tab. Survives a reload, because the user may leave the page to pay. */
const interruptionStore = createStoredValue<Interruption | null>({
  key: 'turnpike.interrupted-call',
  initial: null,
  parse: parseInterruption,
  sessionOnly: () => true,
});

/**
 * Returns the page of the interrupted call, and the call's name such as `your question`; null if no call is
 * interrupted.
 */
export function useInterruptedCall(): { href: string; name: string } | null {
  const interruption = useStoredValue(interruptionStore);
  return interruption === null ? null : PLACES[interruption.kind];
}

/** Returns whether an interrupted call of this kind can continue now. */
export function useIsSolved(kind: InterruptedKind | undefined): boolean {
  const interruption = useStoredValue(interruptionStore);
  return kind !== undefined && interruption?.kind === kind && interruption.isSolved;
}

export function noteInterrupted(kind: InterruptedKind): void {
  if (interruptionStore.get()?.kind !== kind) interruptionStore.set({ kind, isSolved: false });
}

/** Marks the top-up as received. The interrupted call continues when the page of that call is shown. */
export function noteSolved(): void {
  const interruption = interruptionStore.get();
  if (interruption !== null) interruptionStore.set({ ...interruption, isSolved: true });
}

export function forgetInterrupted(kind: InterruptedKind): void {
  if (interruptionStore.get()?.kind === kind) interruptionStore.set(null);
}

export function parseInterruption(stored: unknown): Interruption | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, isSolved } = stored as { kind?: unknown; isSolved?: unknown };
  return typeof kind === 'string' && Object.hasOwn(PLACES, kind) && typeof isSolved === 'boolean'
    ? { kind: kind as InterruptedKind, isSolved }
    : null;
}
