'use client';

import { useMutation } from '@tanstack/react-query';
import { useWalletChain } from './use-wallet-chain';
import { walletFailureOf } from './wallet-failure';
import { walletState } from './wallet-store';

/** Adds the gateway's chain to the EVM wallet where it does not have it, and switches the wallet to it (EIP-3085, EIP-3326). */
export function useSwitchChain(): { switchChain: () => void; isPending: boolean; problem: string | null; chainName: string } {
  const { chain } = useWalletChain();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { layer } = walletState();
      if (layer === null) throw new Error('Connect a wallet first.');
      const { switchChain } = await import('wagmi/actions');
      await switchChain(layer.evmConfig, { chainId: chain.id });
    },
  });
  return { switchChain: () => mutate(), isPending, problem: error === null ? null : walletFailureOf(error).sentence, chainName: chain.name };
}
