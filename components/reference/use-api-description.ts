'use client';

import { gatewayClient } from '@/lib/browser/reads/gateway-client';
import { useRead } from '@/lib/browser/reads/use-read';
import { type ApiDescription, readApiDescription } from './api-description';

/** The description changes only with the gateway's version or configuration. */
const STALE_AFTER_MS = 15 * 60_000;

export function useApiDescription(): { description: ApiDescription | null; error: Error | null; retry: () => void } {
  const { data, error, refetch } = useRead({
    key: ['api-description'],
    read: async (signal) => readApiDescription(await gatewayClient().description({ signal })),
    staleMs: STALE_AFTER_MS,
  });
  return { description: data ?? null, error, retry: () => void refetch() };
}
