'use client';

import { askSandbox } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { useRead, useReads } from './reads/use-read';
import { SETTINGS_READ } from './settings';

const RETRY_EVERY_MS = 5_000;

/** The sandbox's description; `data` is null where the gateway runs live. Asked once a visit, and again every 5 s while the gateway is down. */
export function useSandbox() {
  const reads = useReads();
  return useRead({
    key: ['sandbox'],
    // A live gateway has none, and is not asked for it.
    read: async (signal) =>
      (await reads.ask(SETTINGS_READ)).profile === 'live' ? null : askSandbox(gatewayOptions(), { signal }),
    staleMs: Infinity,
    // A gateway that was down when the page opened is found again without a reload.
    everyMs: ({ error }) => (error === null ? null : RETRY_EVERY_MS),
  });
}
