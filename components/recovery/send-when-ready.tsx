'use client';

import { Button } from '@/components/ui/button';
import { useNow } from '@/lib/browser/clock';
import { recoveryWords } from '@/lib/browser/words/recovery';
import { Clock, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/** Longest wait for which the page offers automatic sending. */
const PATIENCE_MS = 15 * 60_000;

/** Counts down to the earliest next attempt. Then sends the call if the user asked for that. */
export function SendWhenReady({ readyAtMs, onSend }: { readyAtMs: number | null; onSend: () => void }) {
  const nowMs = useNow(500);
  const leftMs = readyAtMs === null ? 0 : Math.max(0, readyAtMs - nowMs);
  const [isWaiting, setIsWaiting] = useState(false);
  const latest = useRef(onSend);
  useEffect(() => {
    latest.current = onSend;
  });
  const isDue = isWaiting && leftMs === 0;
  useEffect(() => {
    if (isDue) latest.current();
  }, [isDue]);
  if (leftMs === 0) {
    return (
      <Button size="sm" disabled={isDue} onClick={onSend}>
        <RotateCw aria-hidden />
        {recoveryWords.sendAgain}
      </Button>
    );
  }
  return (
    <>
      {leftMs <= PATIENCE_MS && (
        <Button size="sm" aria-pressed={isWaiting} onClick={() => setIsWaiting(!isWaiting)}>
          <Clock aria-hidden />
          {isWaiting ? recoveryWords.doNotSend : recoveryWords.sendWhenReady}
        </Button>
      )}
      <span className="flex items-center text-xs text-dim">
        {isWaiting ? recoveryWords.sendsIn : recoveryWords.possibleIn}&nbsp;
        <span className="figures">{waitText(leftMs)}</span>
      </span>
    </>
  );
}

function waitText(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  if (seconds < 120) return recoveryWords.wait.seconds(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? recoveryWords.wait.minutes(minutes) : recoveryWords.wait.hours(Math.ceil(minutes / 60));
}
