'use client';

import { useEffect, useState } from 'react';

const PREFIX = 'turnpike.answer.';
const nameOf = (turnId: string) => PREFIX + turnId;

/**
 * Claims a turn while this tab receives its answer, so that other tabs leave the turn alone. The claim ends when
 * `until` settles or the tab closes.
 */
export function claimAnswer(turnId: string, until: Promise<void>): void {
  // Only secure contexts have the Web Locks API. The chat works without it.
  navigator.locks?.request(nameOf(turnId), () => until).catch(() => undefined);
}

/** Returns the turns that any tab of this browser claims; empty without Web Locks. */
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
