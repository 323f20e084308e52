'use client';

import { SlowWallet } from '@/components/wallet/slow-wallet';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import type { StoredSignIn } from '@/lib/browser/wallet/sign-in-store';
import { sameAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-address';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { paymentWords } from '@/lib/browser/words/payment';
import { ArrowRight } from 'lucide-react';

const words = paymentWords.next;

interface PayFromNowOnProps {
  payer: { family: WalletFamily; payer: string };
  /** End of the sentence that begins "Pay with this wallet and". */
  goOn: string;
  onDone?: (signIn: StoredSignIn) => void;
}

/**
 * Asks whether the topped-up wallet becomes the payment method, because only the user may change the payment method.
 */
export function PayFromNowOn({ payer: { family, payer }, goOn, onDone }: PayFromNowOnProps) {
  const { evm, solana } = useWallets();
  const { start, isPending, error } = useSignIn();
  const isConnected = [evm, solana].some((wallet) => wallet !== null && sameAddress(wallet.address, payer));
  const pay = () => start({ family, address: payer }, onDone);
  return (
    <>
      <Button tone="primary" disabled={isPending} onClick={isConnected ? pay : () => chooseWallet('connect')}>
        {isPending ? words.lookAtWallet : isConnected ? words.payWithThis(goOn) : words.connectFirst}
        <ArrowRight aria-hidden />
      </Button>
      {isPending && <SlowWallet />}
      {error !== null && (
        <div className="w-full">
          <WalletProblem error={error} onRetry={pay} />
        </div>
      )}
    </>
  );
}
