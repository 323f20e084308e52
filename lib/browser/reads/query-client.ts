'use client';

import { QueryClient } from '@tanstack/react-query';
import { onRecovered } from '@/lib/browser/connection/connection';
import { isWorthAnotherTry } from './gateway';

const RETRIES = 2;

/**
 * TanStack Query's cache, for reads that follow an action or need a wallet. A page's first reads use `use-read.ts`,
 * because this library takes 12 KB. Hooks take this client as an argument, so that no page needs a provider.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < RETRIES && isWorthAnotherTry(error),
    },
  },
});

onRecovered(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }));
