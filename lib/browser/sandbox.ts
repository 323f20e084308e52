'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { askFaucet, askSandbox } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { SETTINGS_QUERY } from './settings';

const RETRY_EVERY_MS = 5_000;

/** The sandbox's description; `data` is null where the gateway runs live. Asked once a visit, and again every 5 s while the gateway is down. */
export function useSandbox() {
  return useQuery({
    queryKey: ['sandbox'],
    // A live gateway has none, and is not asked for it.
    queryFn: async ({ signal, client }) => ((await client.fetchQuery(SETTINGS_QUERY)).profile === 'live' ? null : askSandbox(gatewayOptions(), { signal })),
    staleTime: Infinity,
    // A gateway that was down when the page opened is found again without a reload.
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_EVERY_MS : false),
  });
}

/** Asks the faucet to fund an address. */
export function useFaucet() {
  return useMutation({ mutationFn: (address: string) => askFaucet(gatewayOptions(), address) });
}
