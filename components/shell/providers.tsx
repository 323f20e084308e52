'use client';

import { BrandProvider, SETTINGS_READ } from '@/lib/browser/reads/settings';
import { onRecovered } from '@/lib/browser/connection/connection';
import { createGatewayReads } from '@/lib/browser/reads/gateway';
import type { KnownFacts } from '@/lib/browser/reads/known-facts';
import { NETWORKS_KEY } from '@/lib/browser/reads/known-keys';
import { guardFields } from '@/lib/browser/credential/pasted-secret';
import type { ReadCache } from '@/lib/browser/reads/read-cache';
import { ReadsProvider } from '@/lib/browser/reads/use-read';
import type { PageBrand } from '@/lib/protocol/brand';
import { type ReactNode, useEffect, useState } from 'react';
import { onDemand } from '@/components/ui/on-demand';
import { useWalletsWanted } from '@/lib/browser/wallet/wallet-store';

interface ProvidersProps {
  brand: PageBrand;
  known: KnownFacts;
  children: ReactNode;
}

/**
 * Context providers of every page.
 * @param known data from the server's rendering
 */
export function Providers({ brand, known, children }: ProvidersProps) {
  const [reads] = useState(() => readsWith(known));
  useEffect(() => {
    const stopGuarding = guardFields();
    const stopListening = onRecovered(reads.recover);
    return () => {
      stopGuarding();
      stopListening();
    };
  }, [reads]);
  return (
    <BrandProvider value={brand}>
      <ReadsProvider value={reads}>
        {children}
        <WalletSlot />
      </ReadsProvider>
    </BrandProvider>
  );
}

function readsWith({ settings, networks }: KnownFacts): ReadCache {
  const reads = createGatewayReads();
  if (settings !== null) reads.putKnown(SETTINGS_READ.key, settings);
  if (networks !== null) reads.putKnown(NETWORKS_KEY, networks);
  return reads;
}

const WalletLayer = onDemand(() => import('@/components/wallet/wallet-layer').then((module) => module.WalletLayer), {
  floats: true,
});

/** Time after which the libraries load even if the page is never idle. */
const IDLE_TIMEOUT_MS = 3_000;

/** Mounts the wallet libraries immediately on request, or when idle if this browser remembers a wallet. */
function WalletSlot() {
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
