'use client';

import type { RawAnswer } from '@/lib/client';
import { useCredential } from '../credential';
import { gatewayClient } from '../gateway-client';
import { useAction } from '../reads/use-action';

/** Runs an operation that only reads, with the current credential. Any status is an answer; `error` means there was none. */
export function useReadOperation(): {
  answer: RawAnswer | null;
  error: Error | null;
  isRunning: boolean;
  run: (path: string) => void;
} {
  const { presented } = useCredential();
  const { data, error, isPending, run } = useAction((path: string) => gatewayClient(presented).read(path));
  return { answer: data ?? null, error, isRunning: isPending, run: (path) => void run(path) };
}
