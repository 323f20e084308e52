'use client';

import { useCallback } from 'react';
import { queryClient } from '../query-client';
import type { ReadCache } from '../reads/read-cache';
import { useReads } from '../reads/use-read';

export async function chainChanged(reads: ReadCache): Promise<void> {
  await Promise.all([reads.readAgain(['chain']), queryClient.invalidateQueries({ queryKey: ['chain'] })]);
}

export function useChainChanged(): () => Promise<void> {
  const reads = useReads();
  return useCallback(() => chainChanged(reads), [reads]);
}
