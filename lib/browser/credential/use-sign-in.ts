'use client';

import { useAction } from '@/lib/browser/reads/use-read';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import type { StoredSignIn } from '@/lib/browser/wallet/sign-in-store';
import type { WalletFamily } from '@/lib/browser/wallet/wallet-store';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';

interface SigningWallet {
  family: WalletFamily;
  address: string;
}

/** Signs a wallet in and, by default, makes it the payment method. */
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
      // Calls `onDone` here, because the button may be unmounted before the action settles.
      onDone?.(signIn);
      return signIn;
    },
  );
  return { start: (wallet, onDone) => void run({ wallet, onDone }), isPending, error };
}
