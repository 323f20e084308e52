'use client';

import { Button } from '@/components/ui/button';
import { forgetSignIn } from '@/lib/browser/wallet/sign-in-store';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { chooseWallet, sameAddress, useConnectedWallets, type WalletFamily } from '@/lib/browser/wallet/wallet-store';
import type { CallCredential } from '@/lib/client';
import { walletWords } from './words';
import { PenLine } from 'lucide-react';
import { WalletProblem } from './wallet-problem';

/** Removes a sign-in that the gateway refuses, and asks the wallet for a new one. */
export function SignInAgain({
  address,
  family,
  onDone,
}: {
  address: string;
  family: WalletFamily;
  onDone: (presented: CallCredential) => void;
}) {
  const connected = useConnectedWallets();
  const { start, isPending, error } = useSignIn();
  const isConnected = connected.some((wallet) => sameAddress(wallet.address, address));
  const signIn = () => {
    forgetSignIn(address);
    start({ address, family }, (made) => onDone({ kind: 'signIn', signIn: made.header }));
  };
  return (
    <>
      <Button size="sm" disabled={isPending} onClick={isConnected ? signIn : () => chooseWallet('connect')}>
        <PenLine aria-hidden />
        {isPending ? walletWords.asking : isConnected ? walletWords.signIn.again : walletWords.signIn.connectAgain}
      </Button>
      {error !== null && <WalletProblem error={error} />}
    </>
  );
}
