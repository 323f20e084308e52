'use client';

import type { RawAnswer } from '@/lib/client';
import { useCredential } from '../credential';
import { gatewayClient } from '../gateway-client';
import { useAction } from '../reads/use-action';

/**
 * Runs a read-only operation with the current credential. Any HTTP status counts as an answer; `error` means that no
 * response arrived.
 */
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
