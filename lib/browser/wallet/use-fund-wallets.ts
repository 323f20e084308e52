'use client';

import { useMutation } from '@tanstack/react-query';
import { askFaucet } from '@/lib/client';
import { gatewayOptions } from '../gateway';
import { queryClient } from '../query-client';
import { fundedAmounts } from '../faucet-receipt';
import { useChainChanged } from './use-chain-changed';
import { useConnectedWallets } from './wallet-store';

/** Asks the faucet to fund every connected wallet. `funded` lists the amounts with symbols, such as `100 ETH`. */
export function useFundWallets(): {
  fund: () => void;
  isPending: boolean;
  error: Error | null;
  funded: readonly string[];
} {
  const wallets = useConnectedWallets();
  const onSuccess = useChainChanged();
  const { mutate, isPending, error, data } = useMutation(
    {
      mutationFn: async () => {
        const receipts = await Promise.all(wallets.map(({ address }) => askFaucet(gatewayOptions(), address)));
        return [...new Set(receipts.flatMap(fundedAmounts))];
      },
      onSuccess,
    },
    queryClient,
  );
  return { fund: () => mutate(), isPending, error, funded: data ?? [] };
}
