'use client';

import { onDemand } from '@/components/ui/on-demand';
import { useWalletsWanted } from '@/lib/browser/wallet/wallet-store';
import { useEffect, useState } from 'react';

const WalletLayer = onDemand(() => import('./wallet-layer').then((module) => module.WalletLayer), { floats: true });

/** Time after which the libraries load even if the page is never idle. */
const IDLE_TIMEOUT_MS = 3_000;

/** Mounts the wallet libraries immediately on request, or when idle if this browser remembers a wallet. */
export function WalletSlot() {
  const wanted = useWalletsWanted();
  const isIdle = useIdle(wanted === 'idle');
  return wanted === 'now' || (wanted === 'idle' && isIdle) ? <WalletLayer /> : null;
}

function useIdle(isAsked: boolean): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    // Safari has no idle callback.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(() => setIsIdle(true), IDLE_TIMEOUT_MS);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(() => setIsIdle(true), { timeout: IDLE_TIMEOUT_MS });
    return () => cancelIdleCallback(request);
  }, [isAsked]);
  return isIdle;
}
