'use client';

import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential';
import { noteSolved, useInterruptedCall } from '@/lib/browser/recovery/interrupted-call';
import type { KeptPayment } from '@/lib/browser/top-up/kept-payments';
import { notePaymentView } from '@/lib/browser/top-up/tracked-payments';
import { sameAddress } from '@/lib/browser/wallet/wallet-address';
import { paymentWords } from '@/lib/browser/words/payment';
import { ArrowRight } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { PayFromNowOn } from './pay-from-now-on';

const words = paymentWords.next;

/**
 * Offers the next step after a receipt: the page of the interrupted call, else the RPC page. If the wallet that paid is
 * not the payment method, first asks whether it becomes the payment method.
 */
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
