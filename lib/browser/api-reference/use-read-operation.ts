'use client';

import type { RawAnswer } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { useCredential } from '../credential';
import { gatewayClient } from '../gateway-client';

/** Runs an operation that only reads, with the current credential. Any status is an answer; `error` means there was none. */
export function useReadOperation(): { answer: RawAnswer | null; error: Error | null; isRunning: boolean; run: (path: string) => void } {
  const { presented } = useCredential();
  const { data, error, isPending, mutate } = useMutation({ mutationFn: (path: string) => gatewayClient(presented).read(path) });
  return { answer: data ?? null, error, isRunning: isPending, run: (path) => mutate(path) };
}
