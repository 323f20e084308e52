'use client';

import { noteSolved, useInterruptedCall } from '@/components/paying/recovery/interrupted-call';
import { Button } from '@/components/ui/button';
import { SlowWallet, WalletProblem } from '@/components/wallet/wallet-problem';
import { useCredential } from '@/lib/browser/credential/credential';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import type { StoredSignIn } from '@/lib/browser/wallet/sign-in-store';
import { chooseWallet, sameAddress, useWallets, type WalletFamily } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { paymentWords } from './payment-words';
import { type KeptPayment, notePaymentView } from './tracked-payments';

const words = paymentWords.next;

/** Offers the next step after a receipt: the page of the interrupted call, else the RPC page. */
export function AfterReceipt({ kept }: { kept: KeptPayment }) {
  const credential = useCredential();
  const interrupted = useInterruptedCall();
  const router = useRouter();
  const { href, name } = interrupted ?? { href: '/rpc', name: words.rpcPage };
  const goOn = interrupted === null ? words.goTo(name) : words.goBackTo(name);
  const paysAlready = credential.kind === 'wallet' && sameAddress(credential.address, kept.payer);
  const leave = () => {
    notePaymentView(kept.id, { isSeen: true });
    noteSolved();
    router.push(href);
  };
  if (paysAlready) {
    return (
      <Button tone="primary" onClick={leave}>
        {goOn.replace(/^go/, 'Go')}
        <ArrowRight aria-hidden />
      </Button>
    );
  }
  return <PayFromNowOn payer={kept} goOn={goOn} onDone={leave} />;
}

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
