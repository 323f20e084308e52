'use client';

import { createStoredValue, useStoredValue } from '../stored-value';

const PLACES = {
  chat: { href: '/chat', name: 'your question' },
  rpc: { href: '/rpc', name: 'your call' },
  speech: { href: '/speech', name: 'your text' },
  video: { href: '/video', name: 'your video' },
} as const;

export type InterruptedKind = keyof typeof PLACES;

/** A call that waits for money. */
interface Interruption {
  kind: InterruptedKind;
  /** Whether what it waited for is there: it goes on as soon as its page is shown. */
  isSolved: boolean;
}

/** Of this tab, beyond a reload: a payment may take the person to another page. */
const interruptionStore = createStoredValue<Interruption | null>({
  key: 'turnpike.interrupted-call',
  initial: null,
  parse: parseInterruption,
  sessionOnly: () => true,
});

/** What a top-up leads back to: its page, and a name for a button; null where nothing waits. */
export function useInterruptedCall(): { href: string; name: string } | null {
  const interruption = useStoredValue(interruptionStore);
  return interruption === null ? null : PLACES[interruption.kind];
}

/** Whether the call of this kind waited for something that is there now. */
export function useIsSolved(kind: InterruptedKind | undefined): boolean {
  const interruption = useStoredValue(interruptionStore);
  return kind !== undefined && interruption?.kind === kind && interruption.isSolved;
}

/** Remembers that a call waits for money. */
export function noteInterrupted(kind: InterruptedKind): void {
  if (interruptionStore.get()?.kind !== kind) interruptionStore.set({ kind, isSolved: false });
}

/** The money is there: the call goes on when its page is shown. */
export function noteSolved(): void {
  const interruption = interruptionStore.get();
  if (interruption !== null) interruptionStore.set({ ...interruption, isSolved: true });
}

/** The call of this kind goes on, or is not wanted any more. */
export function forgetInterrupted(kind: InterruptedKind): void {
  if (interruptionStore.get()?.kind === kind) interruptionStore.set(null);
}

/** Takes what is whole, whoever wrote it. */
export function parseInterruption(stored: unknown): Interruption | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, isSolved } = stored as { kind?: unknown; isSolved?: unknown };
  return typeof kind === 'string' && Object.hasOwn(PLACES, kind) && typeof isSolved === 'boolean'
    ? { kind: kind as InterruptedKind, isSolved }
    : null;
}
