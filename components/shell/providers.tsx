'use client';

import { WalletSlot } from '@/components/wallet/wallet-slot';
import { onRecovered } from '@/lib/browser/connection/connection';
import { createQueryClient } from '@/lib/browser/gateway';
import type { KnownFacts } from '@/lib/browser/known-facts';
import { NETWORKS_KEY } from '@/lib/browser/networks-key';
import { guardFields } from '@/lib/browser/pasted-secret/guard-fields';
import { SETTINGS_QUERY } from '@/lib/browser/settings';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

/**
 * What every page needs around it. Heavy things, such as wallets, load where they are used.
 * @param known what the server knew when it rendered the page: shown at once, and asked again
 */
export function Providers({ known, children }: { known: KnownFacts; children: ReactNode }) {
  const [queryClient] = useState(() => createQueryClient([[SETTINGS_QUERY.queryKey, known.settings], [NETWORKS_KEY, known.networks]]));
  useEffect(() => {
    const stopGuarding = guardFields();
    // What failed while nothing answered is read again by itself.
    const stopListening = onRecovered(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }));
    return () => {
      stopGuarding();
      stopListening();
    };
  }, [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <WalletSlot />
    </QueryClientProvider>
  );
}
