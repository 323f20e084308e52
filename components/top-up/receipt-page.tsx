'use client';

import { BrandName } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { queryClient } from '@/lib/browser/reads/query-client';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import { formatUtc } from '@/lib/browser/text/moments';
import { usePayRails } from '@/lib/browser/wallet/pay-rails';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Printer } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { type PaymentRecord, recordOfMovement, recordOfReceipt } from './payment-record';
import { receiptPageWords as words } from './payment-words';
import { useReceipts } from './receipts';
import { TransactionLink } from './transaction-link';
import { collectMovements } from './use-movements';

export function ReceiptPage({ paymentId }: { paymentId: string }) {
  const { record, isLoading, error, retry } = usePaymentRecord(paymentId);
  useDocumentTitle(words.documentTitle(paymentId));
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-6 lg:px-8 lg:py-8">
      <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
        <Button asChild tone="quiet">
          <PageLink href="/top-up">
            <ArrowLeft aria-hidden />
            {words.back}
          </PageLink>
        </Button>
        {record !== null && (
          <Button tone="primary" onClick={() => window.print()}>
            <Printer aria-hidden />
            {words.print}
          </Button>
        )}
      </div>
      {record !== null && <ReceiptSheet record={record} />}
      {record === null && isLoading && <Skeleton className="h-112" />}
      {record === null && !isLoading && <NoReceipt error={error} onRetry={retry} />}
    </div>
  );
}

function ReceiptSheet({ record }: { record: PaymentRecord }) {
  const { number, creditedAtMs, payer, payTo, network, networkTitle, transaction, rail, paid, creditedUsd } = record;
  return (
    <article
      aria-label={words.title}
      className="grid gap-8 rounded-md border border-line p-6 sm:p-10 print:border-0 print:p-0"
    >
      <header className="grid gap-1">
        <p className="text-sm font-semibold">
          <BrandName />
        </p>
        <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
        <p className="text-sm text-dim">{words.about(typeof window === 'undefined' ? '' : window.location.host)}</p>
      </header>
      <dl className="grid gap-3 text-sm">
        <Line name={words.number}>{number}</Line>
        <Line name={words.date}>
          <time dateTime={new Date(creditedAtMs).toISOString()}>{formatUtc(creditedAtMs)}</time>
        </Line>
        <Line name={words.payer}>{payer}</Line>
        <Line name={words.receiver}>{payTo ?? words.notKnown}</Line>
        <Line name={words.network}>{networkTitle === '' ? words.notKnown : `${networkTitle} (${network})`}</Line>
        <Line name={words.transaction}>
          {transaction ?? words.notKnown}
          {transaction !== null && rail !== null && (
            <span className="block print:hidden">
              <TransactionLink hasCode={false} rail={rail} transaction={transaction} />
            </span>
          )}
        </Line>
      </dl>
      <dl className="grid gap-3 border-t border-line pt-6 text-sm">
        <Line name={words.paid}>{paid}</Line>
        <Line name={words.fee}>{words.noFee}</Line>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-t border-line pt-4 text-lg font-semibold">
          <dt>{words.credited}</dt>
          <dd className="figures">{formatUsdNumber(creditedUsd)}</dd>
        </div>
      </dl>
      <p className="text-xs text-dim">{words.note}</p>
    </article>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 sm:grid-cols-[11rem_minmax(0,1fr)] print:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-dim">{name}</dt>
      <dd className="figures min-w-0 text-xs leading-5 wrap-anywhere">{children}</dd>
    </div>
  );
}

function NoReceipt({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const isSignedIn = useSignIns().length > 0;
  if (error !== null) {
    return (
      <Notice
        tone="bad"
        title={words.notFound}
        actions={
          <Button size="sm" onClick={onRetry}>
            {words.tryAgain}
          </Button>
        }
      >
        {error.message}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      title={words.notFound}
      actions={
        <Button size="sm" onClick={() => chooseWallet('any')}>
          {words.wallets}
        </Button>
      }
    >
      {isSignedIn ? words.notOurs : words.signInFirst}
    </Notice>
  );
}

function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** Returns the record of a payment: from this browser, else from the gateway for a signed-in wallet, else null. */
function usePaymentRecord(paymentId: string): {
  record: PaymentRecord | null;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const { rails, isLoading } = usePayRails();
  const signIns = useSignIns();
  const receipt = useReceipts().find((each) => each.paymentId === paymentId);
  const kept = receipt === undefined ? null : recordOfReceipt(receipt, rails);
  const query = useQuery(
    {
      queryKey: ['payment-record', paymentId, signIns.map(({ address }) => address)],
      enabled: kept === null && signIns.length > 0 && !isLoading,
      queryFn: async () => {
        for (const { address, header } of signIns) {
          const { movements } = await collectMovements(address, header);
          const found = movements.find(({ type, requestId }) => type === 'TOP_UP' && requestId === paymentId);
          if (found !== undefined) return recordOfMovement(found, address, rails);
        }
        return null;
      },
    },
    queryClient,
  );
  return {
    record: kept ?? query.data ?? null,
    isLoading: isLoading || query.isLoading,
    error: kept === null ? query.error : null,
    retry: () => void query.refetch(),
  };
}
