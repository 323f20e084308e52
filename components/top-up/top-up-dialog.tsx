'use client';

import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { useCredential } from '@/lib/browser/credential/credential';
import type { AwaitedPayer } from '@/components/paying/recovery/use-resume';
import { dismissPayment, type TrackedPayment, usePayments } from './tracked-payments';
import { usePayRails } from '@/lib/browser/wallet/pay-rails';
import { sameAddress, shortAddress } from '@/lib/browser/wallet/wallet-store';
import { paymentWords, topUpDialogWords as words } from './payment-words';
import { topUpWords } from './words';
import { useEffect, useRef, useState } from 'react';
import { PaySection } from './pay-section';
import { PaymentCard } from './payment-card';
import { PayFromNowOn } from './after-receipt';

interface TopUpDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called when the interrupted call can continue. `awaited` is the payment method whose balance was topped up. */
  onPaid: (awaited: AwaitedPayer) => void;
}

export function TopUpDialog({ isOpen, onOpenChange, onPaid }: TopUpDialogProps) {
  const credential = useCredential();
  const payer = credential.kind === 'wallet' || credential.kind === 'signed-out' ? credential.address : null;
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title={words.title}
        description={
          <>
            {words.whoseBalance}
            {payer !== null && (
              <>
                {words.callsPaidBy} <span className="figures">{shortAddress(payer)}</span>
              </>
            )}
            {words.goesOn}
          </>
        }
      >
        <Paying
          onPaid={(awaited) => {
            onOpenChange(false);
            onPaid(awaited);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

function Paying({ onPaid }: { onPaid: (awaited: AwaitedPayer) => void }) {
  const { rails, isLoading, error, retry } = usePayRails();
  const payments = usePayments();
  // Payments credited before the dialog opened. The dialog does not show them.
  const [before] = useState(
    () => new Set(payments.filter(({ progress }) => progress.status === 'credited').map(({ kept }) => kept.id)),
  );
  const current = payments.filter(({ kept }) => !before.has(kept.id));
  if (current.length > 0)
    return current.map((payment) => <Followed key={payment.kept.id} payment={payment} onPaid={onPaid} />);
  if (error !== null)
    return (
      <Notice
        tone="bad"
        title={topUpWords.noTerms}
        actions={
          <Button size="sm" onClick={retry}>
            {topUpWords.tryAgain}
          </Button>
        }
      >
        {topUpWords.nothingSigned}
      </Notice>
    );
  if (isLoading) return <Skeleton className="h-72" />;
  if (rails.length === 0)
    return (
      <Notice tone="warn" title={topUpWords.noRails}>
        {words.noRails}
      </Notice>
    );
  return <PaySection rails={rails} isCompact />;
}

/**
 * Tracks a payment until it is credited, then continues the interrupted call. If another payment method is in use,
 * first asks whether to switch to the wallet that paid.
 */
function Followed({ payment, onPaid }: { payment: TrackedPayment; onPaid: (awaited: AwaitedPayer) => void }) {
  const { kept, progress } = payment;
  const credential = useCredential();
  const paysAlready = credential.kind === 'wallet' && sameAddress(credential.address, kept.payer);
  const goesOn = progress.status === 'credited' && paysAlready;
  const latest = useRef(onPaid);
  useEffect(() => {
    latest.current = onPaid;
  });
  useEffect(() => {
    if (!goesOn) return;
    dismissPayment(kept.id);
    latest.current('same');
  }, [goesOn, kept.id]);
  return <PaymentCard payment={payment} isCompact next={<PayFromNowOn payer={kept} goOn={paymentWords.next.goOn} />} />;
}
