'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { PageLink } from '@/components/ui/page-link';
import { formatBalance, formatUsdNumber } from '@/lib/browser/text/amounts';
import { useCredential, maskSecret } from '@/lib/browser/credential/credential';
import type { KeptPayment, PaymentProgress } from './tracked-payments';
import { sameAddress, shortAddress } from '@/lib/browser/wallet/wallet-store';
import { receiptHref } from './payment-record';
import { paymentWords } from './payment-words';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { TransactionLink } from './transaction-link';

const words = paymentWords.receipt;

interface ReceiptProps {
  kept: KeptPayment;
  outcome: Extract<PaymentProgress, { status: 'credited' }>['outcome'];
  next: ReactNode;
}

export function Receipt({ kept, outcome, next }: ReceiptProps) {
  return (
    <>
      <div role="status" aria-label={words.label}>
        <dl className="grid gap-2 text-sm">
          <Line name={words.credited}>
            <span className="figures text-good">{formatUsdNumber(outcome.amountCreditedUsd)}</span>
          </Line>
          <Line name={words.newBalance}>
            <span className="figures">{formatBalance(outcome.newBalanceUsd)}</span>
          </Line>
          <Line name={words.payment}>
            <span className="flex items-center gap-1">
              <code className="figures min-w-0 text-xs break-all">{outcome.paymentId}</code>
              <CopyButton
                text={outcome.paymentId}
                label={words.copyId}
                iconOnly
                className="-my-1 size-6 pointer-coarse:size-8"
              />
            </span>
          </Line>
          {outcome.transaction !== '' && (
            <Line name={words.transaction}>
              <TransactionLink rail={kept} transaction={outcome.transaction} />
            </Line>
          )}
        </dl>
      </div>
      <WhoPays payer={kept.payer} />
      <div className="flex flex-wrap gap-2">
        {next}
        <Button asChild>
          <PageLink href={receiptHref(outcome.paymentId)}>
            <Printer aria-hidden />
            {words.toPrint}
          </PageLink>
        </Button>
      </div>
    </>
  );
}

/** Shows what pays for calls if it is not `payer`, because a top-up does not change the payment method. */
function WhoPays({ payer }: { payer: string }) {
  const credential = useCredential();
  if (credential.kind === 'wallet' && sameAddress(credential.address, payer)) return null;
  const others = {
    demo: words.demoKey,
    own: credential.kind === 'own' ? words.yourKey(maskSecret(credential.apiKey)) : '',
    wallet: credential.kind === 'wallet' ? shortAddress(credential.address) : '',
    'signed-out': null,
    none: null,
    pending: null,
  }[credential.kind];
  return (
    <p className="text-sm text-dim">
      {others === null ? words.nobodyPays : words.paidBy(others)} {words.takesSignIn}
    </p>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3">
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
