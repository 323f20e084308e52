'use client';

import { useEffect, useState } from 'react';

const PREFIX = 'turnpike.answer.';
const nameOf = (turnId: string) => PREFIX + turnId;

/**
 * Claims a turn while its answer is given, so that other tabs of this browser know that it is on its way. The claim
 * ends with what it is held for, and with the tab, however that ends.
 */
export function claimAnswer(turnId: string, until: Promise<void>): void {
  // Only secure contexts have locks; without them other tabs know less, and nothing breaks.
  navigator.locks?.request(nameOf(turnId), () => until).catch(() => undefined);
}

/** The turns that are claimed by a tab of this browser now; none where locks are missing. */
export async function claimedTurns(): Promise<ReadonlySet<string>> {
  // Typed as always there, which they are on HTTPS and on localhost only.
  const locks = navigator.locks as LockManager | undefined;
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}

/** Whether a tab, this one or another, claims the turn now; null until that is known. Without locks none is known of. */
export function useIsClaimed(turnId: string): boolean | null {
  const [isClaimed, setIsClaimed] = useState<boolean | null>(() => (navigator.locks === undefined ? false : null));
  useEffect(() => {
    if (navigator.locks === undefined) return;
    const waiting = new AbortController();
    const look = async () => {
      const { held = [] } = await navigator.locks.query();
      if (waiting.signal.aborted) return;
      setIsClaimed(held.some(({ name }) => name === nameOf(turnId)));
      // Granted when the claim ends.
      await navigator.locks.request(nameOf(turnId), { signal: waiting.signal, mode: 'shared' }, () =>
        setIsClaimed(false),
      );
    };
    look().catch(() => undefined);
    return () => waiting.abort();
  }, [turnId]);
  return isClaimed;
}
