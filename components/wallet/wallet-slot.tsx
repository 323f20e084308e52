'use client';

import { onDemand } from '@/components/ui/on-demand';
import { afterPaint } from '@/lib/browser/after-paint';
import { useWalletsWanted } from '@/lib/browser/wallet/wallet-store';
import { useEffect, useState } from 'react';

const WalletLayer = onDemand(() => import('./wallet-layer').then((module) => module.WalletLayer), { floats: true });

/** A page that is never idle gets the libraries all the same. */
const IDLE_TIMEOUT_MS = 3_000;

/** Where the wallets' libraries are, once they are wanted: at once by who asks for wallets, when idle for a wallet of before. */
export function WalletSlot() {
  const wanted = useWalletsWanted();
  const isDue = useIsDue(wanted);
  return wanted !== 'no' && isDue ? <WalletLayer /> : null;
}

function useIsDue(wanted: 'now' | 'idle' | 'no'): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    if (wanted === 'no') return;
    const begin = () => setIsDue(true);
    if (wanted === 'now') return afterPaint(begin);
    // Safari has no idle callback.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(begin, IDLE_TIMEOUT_MS);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(begin, { timeout: IDLE_TIMEOUT_MS });
    return () => cancelIdleCallback(request);
  }, [wanted]);
  return isDue;
}
