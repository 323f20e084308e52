'use client';

import type { PageRequest } from '@/components/samples/http-request';
import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { useCredential } from '@/lib/browser/credential/credential';
import { usePayRails } from '@/lib/browser/wallet/pay-rails';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { useSearchParams } from 'next/navigation';
import { useLayoutEffect } from 'react';
import { PaySection, TWO_COLUMNS } from './pay-section';
import { readReceiptId } from './payment-record';
import { dismissPayment, dismissSeenReceipts } from './tracked-payments';
import { useResumedPayments } from './use-resumed-payments';
import { topUpWords as words } from './words';

const MovementsSection = onDemand(() => import('./movements-section').then((module) => module.MovementsSection), {
  waiting: <Skeleton className="h-56" />,
});
const AfterReceipt = onDemand(() => import('./after-receipt').then((module) => module.AfterReceipt));
const PaymentCard = onDemand(() => import('./payment-card').then((module) => module.PaymentCard), {
  waiting: <Skeleton className="h-56" />,
});

const ReceiptPage = onDemand(() => import('./receipt-page').then((module) => module.ReceiptPage), {
  waiting: <PaySkeleton />,
});

const STEP_COUNT = 4;

/** Shows the form for a top-up, or a receipt if the URL contains a payment id. */
export function TopUpPage() {
  const receipt = readReceiptId(useSearchParams());
  return receipt === null ? <TopUp /> : <ReceiptPage paymentId={receipt} />;
}

function TopUp() {
  const { rails, isLoading, error, retry } = usePayRails();
  const { evm, solana } = useWallets();
  const credential = useCredential();
  const { payments, isComing } = useResumedPayments();
  // Dismissed receipts remain in the history.
  useLayoutEffect(() => () => dismissSeenReceipts(), []);
  // Hides the form, to prevent an accidental second payment.
  const isPaying = payments.length > 0 || isComing;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight max-sm:sr-only">{words.title}</h1>
        <p className="text-dim">{words.intro}</p>
      </header>
      {isComing && <PaySkeleton />}
      {payments.map((payment) => (
        <PaymentCard
          key={payment.kept.id}
          payment={payment}
          next={
            <>
              <AfterReceipt kept={payment.kept} />
              <Button onClick={() => dismissPayment(payment.kept.id)}>{words.payMore}</Button>
            </>
          }
        />
      ))}
      {!isPaying && error !== null && (
        <Notice
          tone="bad"
          title={words.noTerms}
          actions={
            <Button size="sm" onClick={retry}>
              {words.tryAgain}
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      {!isPaying && !isLoading && error === null && rails.length === 0 && (
        <Notice tone="warn" title={words.noRails}>
          {words.askOperator}
        </Notice>
      )}
      {!isPaying && isLoading && error === null && <PaySkeleton />}
      {!isPaying && !isLoading && rails.length > 0 && <PaySection rails={rails} />}
      {!isLoading && (evm !== null || solana !== null) && (
        <MovementsSection
          wallets={[evm, solana].flatMap((wallet) => (wallet === null ? [] : [wallet]))}
          payer={payments[0]?.kept.family ?? null}
        />
      )}
      {!isLoading && (
        <RequestCode
          requests={topUpRequests(
            credential.kind === 'wallet' ? credential.address : ((evm ?? solana)?.address ?? null),
          )}
          credential={credential.presented}
        />
      )}
    </div>
  );
}

function PaySkeleton() {
  return (
    <div role="status" aria-label={words.loading} className="min-h-dvh">
      <div className={TWO_COLUMNS}>
        <div className="grid content-start gap-5">
          <Skeleton className="h-36" />
          <Skeleton className="h-44" />
          <Skeleton className="h-9 w-52" />
        </div>
        <div className="grid content-start gap-3">
          {Array.from({ length: STEP_COUNT }, (_, step) => (
            <Skeleton key={step} className="h-10" />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Leaves out payments, which need a wallet's signature. */
function topUpRequests(address: string | null): readonly PageRequest[] {
  const wallet = address ?? '<WALLET_ADDRESS>';
  return [
    { name: 'The prepaid balance of the wallet', verb: 'GET', path: `/api/v1/x402/balance/${wallet}` },
    { name: 'The history of the wallet', verb: 'GET', path: `/api/v1/x402/transactions/${wallet}?limit=20&offset=0` },
  ];
}
