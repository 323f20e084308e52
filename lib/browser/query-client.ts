'use client';

import { QueryClient } from '@tanstack/react-query';
import { onRecovered } from './connection/connection';
import { isWorthAnotherTry } from './gateway';

const RETRIES = 2;

/**
 * TanStack Query's cache, for what is read and done once somebody acts or a wallet is there: stakes, movements of
 * money, videos. What a page shows when it opens is read without it (`reads/use-read.ts`), since it weighs 12 KB.
 * Hooks are given this client by hand, so that no page needs its provider.
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

// What failed while nothing answered is read again by itself.
onRecovered(() => void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' }));
