'use client';

import { askSandbox } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { useRead, useReads } from './reads/use-read';
import { SETTINGS_READ } from './settings';

const RETRY_EVERY_MS = 5_000;

/**
 * Returns the sandbox's description; `data` is null for a live gateway. Reads once per visit, and every 5 s while the
 * gateway does not answer.
 */
export function useSandbox() {
  const reads = useReads();
  return useRead({
    key: ['sandbox'],
    read: async (signal) =>
      (await reads.ask(SETTINGS_READ)).profile === 'live' ? null : askSandbox(gatewayOptions(), { signal }),
    staleMs: Infinity,
    // If the gateway was down when the page opened, detects its return without a reload.
    everyMs: ({ error }) => (error === null ? null : RETRY_EVERY_MS),
  });
}
