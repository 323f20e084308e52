'use client';

import { type CallCredential, createTurnpikeClient, GatewayError, type TurnpikeClient, type TurnpikeClientOptions } from '@/lib/client';
import { QueryClient } from '@tanstack/react-query';

/** A client of the gateway that served this page. */
export function gatewayClient(credential?: CallCredential | null): TurnpikeClient {
  return createTurnpikeClient(gatewayOptions(credential));
}

/** How to reach the gateway that served this page, for functions of the client that stand alone. */
export function gatewayOptions(credential?: CallCredential | null): TurnpikeClientOptions {
  const baseUrl = window.location.origin;
  if (!credential) return { baseUrl };
  return credential.kind === 'apiKey' ? { baseUrl, apiKey: credential.apiKey } : { baseUrl, signIn: credential.signIn };
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
