'use client';

import { WalletSlot } from '@/components/wallet/wallet-slot';
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
