'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { gatewayClient } from './gateway';

/** The sandbox's description; `data` is null where the gateway runs live. Asked once a visit. */
export function useSandbox() {
  return useQuery({
    queryKey: ['sandbox'],
    queryFn: ({ signal }) => gatewayClient().sandbox({ signal }),
    staleTime: Infinity,
  });
}

/** Asks the faucet to fund an address. */
export function useFaucet() {
  return useMutation({ mutationFn: (address: string) => gatewayClient().faucet(address) });
}
