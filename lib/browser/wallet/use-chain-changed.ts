'use client';

import { useCallback } from 'react';
import { queryClient } from '../query-client';
import type { ReadCache } from '../reads/read-cache';
import { useReads } from '../reads/use-read';

/** What is read of chains has changed: it is read again. */
export async function chainChanged(reads: ReadCache): Promise<void> {
  await Promise.all([reads.readAgain(['chain']), queryClient.invalidateQueries({ queryKey: ['chain'] })]);
}

/** The same, for components. */
export function useChainChanged(): () => Promise<void> {
  const reads = useReads();
  return useCallback(() => chainChanged(reads), [reads]);
}
