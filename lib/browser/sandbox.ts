'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { gatewayClient } from './gateway';

const RETRY_EVERY_MS = 5_000;

/** The sandbox's description; `data` is null where the gateway runs live. Asked once a visit, and again every 5 s while the gateway is down. */
export function useSandbox() {
  return useQuery({
    queryKey: ['sandbox'],
    queryFn: ({ signal }) => gatewayClient().sandbox({ signal }),
    staleTime: Infinity,
    // A gateway that was down when the page opened is found again without a reload.
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_EVERY_MS : false),
  });
}

/** Asks the faucet to fund an address. */
export function useFaucet() {
  return useMutation({ mutationFn: (address: string) => gatewayClient().faucet(address) });
}
