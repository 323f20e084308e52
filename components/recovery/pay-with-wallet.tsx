'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential';
import type { AwaitedPayer } from '@/lib/browser/recovery/use-resume';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import { sameAddress, shortAddress } from '@/lib/browser/wallet/wallet-address';
import { chooseWallet, type ConnectedWallet, useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { recoveryWords } from '@/lib/browser/words/recovery';
import { Wallet } from 'lucide-react';

/** Switches the payment method to a wallet's balance. Connects a wallet first if necessary. */
export function PayWithWallet({ isFirst, onDone }: { isFirst: boolean; onDone: (awaited: AwaitedPayer) => void }) {
  const credential = useCredential();
  const others = useConnectedWallets().filter(
    ({ address }) => credential.kind !== 'wallet' || !sameAddress(credential.address, address),
  );
  if (others.length > 0)
    return others.map((wallet, index) => (
      <PayWith key={wallet.address} wallet={wallet} isFirst={isFirst && index === 0} onDone={onDone} />
    ));
  return (
    <Button
      size="sm"
      tone={isFirst ? 'primary' : 'outline'}
      onClick={() => {
        onDone('any-wallet');
        chooseWallet('pay');
      }}
    >
      <Wallet aria-hidden />
      {recoveryWords.payWithWallet}
    </Button>
  );
}

function PayWith({
  wallet,
  isFirst,
  onDone,
}: {
  wallet: ConnectedWallet;
  isFirst: boolean;
  onDone: (awaited: AwaitedPayer) => void;
}) {
  const { start, isPending, error } = useSignIn();
  const pay = () => start(wallet, (signIn) => onDone({ kind: 'signIn', signIn: signIn.header }));
  return (
    <>
      <Button size="sm" tone={isFirst ? 'primary' : 'outline'} disabled={isPending} onClick={pay}>
        <Wallet aria-hidden />
        {isPending ? (
          recoveryWords.asking
        ) : (
          <span>
            {recoveryWords.payWith(wallet.walletName)} <span className="figures">{shortAddress(wallet.address)}</span>
          </span>
        )}
      </Button>
      {error !== null && (
        <div className="w-full">
          <WalletProblem error={error} />
        </div>
      )}
    </>
  );
}
