'use client';

import { PayWithWallet } from './pay-with-wallet';
import { SignInAgain } from '@/components/wallet/sign-in-again';
import { useCredential } from '@/lib/browser/credential';
import type { AwaitedPayer } from '@/lib/browser/recovery/use-resume';

export function SignInAndGoOn({ onDone }: { onDone: (awaited: AwaitedPayer) => void }) {
  const credential = useCredential();
  if (credential.kind !== 'wallet' && credential.kind !== 'signed-out')
    return <PayWithWallet isFirst onDone={onDone} />;
  return <SignInAgain address={credential.address} family={credential.family} onDone={onDone} />;
}
