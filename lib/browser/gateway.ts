'use client';

import { type CallCredential, GatewayError, type TurnpikeClientOptions } from '@/lib/client';
import { watchedFetch } from './connection/connection';
import { QueryClient } from '@tanstack/react-query';

/** How to reach the gateway that served this page, for functions of the client that stand alone. */
export function gatewayOptions(credential?: CallCredential | null): TurnpikeClientOptions {
  const gateway = { baseUrl: window.location.origin, fetch: watchedFetch };
  if (!credential) return gateway;
  return credential.kind === 'apiKey' ? { ...gateway, apiKey: credential.apiKey } : { ...gateway, signIn: credential.signIn };
}

/**
 * A cache whose reads are retried only where a second try can help: no answer, or a fault of the server.
 * @param known what is known from before, by its key; null is not. It is shown at once, and asked for again.
 */
export function createQueryClient(known: readonly (readonly [key: readonly string[], data: unknown])[] = []): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && !(error instanceof GatewayError && error.status < 500),
      },
    },
  });
  for (const [key, data] of known) if (data !== null) client.setQueryData(key, data, { updatedAt: 0 });
  return client;
}
