'use client';

import { useQuery } from '@tanstack/react-query';
import { gatewayClient } from '../gateway-client';
import { type ApiDescription, readApiDescription } from './api-description';

/** It changes with a restart of the gateway. */
const STALE_AFTER_MS = 15 * 60_000;

/** The served description of the API; null until it has arrived. Shared by all that ask. */
export function useApiDescription(): { description: ApiDescription | null; error: Error | null; retry: () => void } {
  const query = useQuery({
    queryKey: ['api-description'],
    queryFn: async ({ signal }) => readApiDescription(await gatewayClient().description({ signal })),
    staleTime: STALE_AFTER_MS,
  });
  return { description: query.data ?? null, error: query.error, retry: () => void query.refetch() };
}
