'use client';

import { useAction } from '../reads/use-action';
import { useGatewaySettings } from '../settings';
import type { StoredSignIn } from './sign-in-store';
import type { WalletFamily } from './wallet-address';
import { useWalletChain } from './use-wallet-chain';

interface SigningWallet {
  family: WalletFamily;
  address: string;
}

/** Signs a wallet in and, unless told otherwise, calls with it from then on. The message's code loads with the first use. */
export function useSignIn({ useForCalls = true }: { useForCalls?: boolean } = {}): {
  start: (wallet: SigningWallet, onDone?: (signIn: StoredSignIn) => void) => void;
  isPending: boolean;
  error: Error | null;
} {
  const settings = useGatewaySettings();
  const { chain } = useWalletChain();
  const { run, isPending, error } = useAction(
    async ({ wallet, onDone }: { wallet: SigningWallet; onDone: ((signIn: StoredSignIn) => void) | undefined }) => {
      const { signInWithWallet } = await import('./sign-in');
      const signIn = await signInWithWallet({
        family: wallet.family,
        address: wallet.address,
        settings: settings.data ?? null,
        chainId: chain.id,
        useForCalls,
      });
      // Here, and not when the mutation has settled: the button that asked may be gone with the payer that it replaced.
      onDone?.(signIn);
      return signIn;
    },
  );
  return { start: (wallet, onDone) => void run({ wallet, onDone }), isPending, error };
}
