'use client';

import { useMutation } from '@tanstack/react-query';
import { useGatewaySettings } from '../settings';
import type { WalletFamily } from './wallet-address';
import { useWalletChain } from './use-wallet-chain';

interface SigningWallet {
  family: WalletFamily;
  address: string;
}

/** Signs a wallet in and, unless told otherwise, calls with it from then on. The message's code loads with the first use. */
export function useSignIn({ useForCalls = true }: { useForCalls?: boolean } = {}): { start: (wallet: SigningWallet, onDone?: () => void) => void; isPending: boolean; error: Error | null } {
  const settings = useGatewaySettings();
  const { chain } = useWalletChain();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (wallet: SigningWallet) => {
      const { signInWithWallet } = await import('./sign-in');
      return signInWithWallet({ ...wallet, settings: settings.data ?? null, chainId: chain.id, useForCalls });
    },
  });
  return { start: (wallet, onDone) => mutate(wallet, onDone ? { onSuccess: onDone } : {}), isPending, error };
}
