'use client';

import type { RawAnswer } from '@/lib/client';
import { useCredential } from '@/lib/browser/credential/credential';
import { gatewayClient } from '@/lib/browser/reads/gateway-client';
import { useAction } from '@/lib/browser/reads/use-read';

/**
 * Runs a read-only operation with the current credential. `answer` is a response with any HTTP status; `error` means
 * that no response arrived.
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
