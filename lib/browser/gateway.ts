'use client';

import { createTurnpikeClient, GatewayError, type TurnpikeClient } from '@/lib/client';
import { QueryClient } from '@tanstack/react-query';

/** A client of the gateway that served this page. */
export function gatewayClient(apiKey?: string | null): TurnpikeClient {
  return createTurnpikeClient({ baseUrl: window.location.origin, ...(apiKey ? { apiKey } : {}) });
}

/** A cache whose reads are retried only where a second try can help: no answer, or a fault of the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && !(error instanceof GatewayError && error.status < 500),
      },
    },
  });
}
