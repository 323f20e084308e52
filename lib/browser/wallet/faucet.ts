'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';
import { askFaucet, type FaucetReceipt } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { useChainChanged } from './use-switch-chain';
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

export function useFaucet() {
  return useMutation({ mutationFn: (address: string) => askFaucet(gatewayOptions(), address) }, queryClient);
}

/**
 * Returns the amounts in a faucet's receipt, such as `100 ETH`. Lists each amount once, even if several chains give it.
 */
export function fundedAmounts(receipt: FaucetReceipt): readonly string[] {
  const funded = Array.isArray(receipt.funded) ? (receipt.funded as unknown[]) : [];
  const amounts = funded.flatMap((entry) => {
    const { tokens } = (entry ?? {}) as { tokens?: unknown };
    return [entry, ...(Array.isArray(tokens) ? (tokens as unknown[]) : [])].flatMap(amountOf);
  });
  return [...new Set(amounts)];
}

function amountOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { amount, symbol } = entry as { amount?: unknown; symbol?: unknown };
  return typeof amount === 'string' && typeof symbol === 'string' ? [`${groupDigits(amount)} ${symbol}`] : [];
}

function groupDigits(amount: string): string {
  const [whole = '0', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
