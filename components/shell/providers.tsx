'use client';

import { WalletSlot } from '@/components/wallet/wallet-slot';
import { createQueryClient } from '@/lib/browser/gateway';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

/** What every page needs around it. Heavy things, such as wallets, load where they are used. */
export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <WalletSlot />
    </QueryClientProvider>
  );
}
