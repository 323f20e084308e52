'use client';

import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { useHasPassed } from '@/lib/browser/page/clock';
import { statusOf } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';
import { useBrand } from '@/lib/browser/reads/settings';
import { saveFile } from '@/lib/browser/storage/save-file';
import { formatBalance } from '@/lib/browser/text/amounts';
import { forgetSignIn, useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { type ConnectedWallet, sameAddress, shortAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-store';
import type { Movement } from '@/lib/client';
import { csvText } from '@/lib/protocol/csv';
import { useMutation } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, PenLine } from 'lucide-react';
import { useState } from 'react';
import { MovementsTable } from './movements-table';
import { historyWords as words } from './payment-words';
import { type KeptReceipt, useReceipts } from './receipts';
import { collectMovements, MOVEMENTS_A_PAGE, useMovements } from './use-movements';
import { WithdrawSection } from './withdraw-section';

/** Lists a connected wallet's movements, newest first. `payer` is the family of the wallet that paid last. */
export function MovementsSection({
  wallets,
  payer,
}: {
  wallets: readonly ConnectedWallet[];
  payer: WalletFamily | null;
}) {
  const [chosen, setChosen] = useState<WalletFamily | null>(null);
  const wallet = wallets.find(({ family }) => family === (chosen ?? payer)) ?? wallets[0];
  if (wallet === undefined) return null;
  return (
    <section aria-label={words.title} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        {wallets.length > 1 && (
          <Choices
            label={words.wallet}
            values={wallets.map(({ family }) => family)}
            chosen={wallet.family}
            nameOf={(each) => shortAddress(wallets.find(({ family }) => family === each)?.address ?? '')}
            onChoose={setChosen}
            className="figures"
          />
        )}
      </div>
      <WalletMovements key={wallet.address} wallet={wallet} />
    </section>
  );
}

function WalletMovements({ wallet }: { wallet: ConnectedWallet }) {
  const signIn = useSignIns().find(({ address }) => sameAddress(address, wallet.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const header = signIn === undefined || hasEnded ? null : signIn.header;
  const [page, setPage] = useState(0);
  const { data, error, isPending, isPlaceholderData, refetch } = useMovements(wallet.address, header, page);
  const status = statusOf(error);
  if (header === null || status === 401 || status === 403)
    return <SignInFirst wallet={wallet} isRefused={header !== null} />;
  if (error !== null && data === undefined) {
    return (
      <Notice
        tone="bad"
        title={error.message}
        actions={
          <Button size="sm" onClick={() => void refetch()}>
            {words.tryAgain}
          </Button>
        }
      >
        {words.balanceIsSafe}
      </Notice>
    );
  }
  if (isPending || data === undefined) return <Skeleton className="h-40" />;
  const { transactions, pagination, currentBalance } = data;
  if (transactions.length === 0 && page === 0) return <EmptyState drawing="coins">{words.empty}</EmptyState>;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="grid flex-1 text-sm text-dim">
          {words.balance}{' '}
          <span className="figures text-2xl font-semibold text-ink">{formatBalance(currentBalance)}</span>
        </p>
        <MovementsExport address={wallet.address} signIn={header} />
      </div>
      <WithdrawSection wallet={wallet} signIn={header} />
      <MovementsTable movements={transactions} isStale={isPlaceholderData} />
      {(page > 0 || pagination.hasMore) && (
        <nav aria-label={words.pages} className="flex items-center gap-2 text-sm text-dim">
          <Button size="sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
            <ChevronLeft aria-hidden />
            {words.newer}
          </Button>
          <Button size="sm" disabled={!pagination.hasMore || isPlaceholderData} onClick={() => setPage(page + 1)}>
            {words.older}
            <ChevronRight aria-hidden />
          </Button>
          <span className="figures text-xs">
            {page * MOVEMENTS_A_PAGE + 1}–{page * MOVEMENTS_A_PAGE + transactions.length}
          </span>
        </nav>
      )}
    </>
  );
}

function SignInFirst({ wallet, isRefused }: { wallet: ConnectedWallet; isRefused: boolean }) {
  const { start, isPending, error } = useSignIn({ useForCalls: false });
  const signIn = () => {
    if (isRefused) forgetSignIn(wallet.address);
    start(wallet);
  };
  return (
    <EmptyState drawing="coins" className="grid justify-items-center gap-3">
      {words.signInFirst}
      <Button size="sm" disabled={isPending} onClick={signIn}>
        <PenLine aria-hidden />
        {isPending ? words.lookAtWallet : words.signIn}
      </Button>
      {error !== null && <WalletProblem error={error} />}
    </EmptyState>
  );
}

function MovementsExport({ address, signIn }: { address: string; signIn: string }) {
  const receipts = useReceipts();
  const { slug } = useBrand();
  const { mutate, isPending, data, error } = useMutation(
    {
      mutationFn: async () => {
        const { movements, isWhole } = await collectMovements(address, signIn);
        saveFile(`${slug}-${address.slice(0, 8)}.csv`, 'text/csv', movementsCsv(movements, receipts));
        return isWhole;
      },
    },
    queryClient,
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {error !== null && (
        <span role="alert" className="text-xs text-bad">
          {words.failed(error.message)}
        </span>
      )}
      {data === false && (
        <span role="status" className="text-xs text-dim">
          {words.isCut}
        </span>
      )}
      <Button
        size="sm"
        aria-label={isPending ? undefined : words.csvLabel}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <Download aria-hidden />
        {isPending ? words.isCollecting : words.csv}
      </Button>
    </div>
  );
}

const COLUMNS = [
  'time',
  'type',
  'amount_usd',
  'balance_after_usd',
  'model',
  'request_or_payment_id',
  'network',
  'transaction',
] as const;

/**
 * Formats movements as CSV (RFC 4180) with a header line. Takes network and transaction from the gateway, else from
 * this browser's receipts.
 */
export function movementsCsv(movements: readonly Movement[], receipts: readonly KeptReceipt[]): string {
  const receiptOf = new Map(receipts.map((receipt) => [receipt.paymentId, receipt]));
  return csvText(
    COLUMNS,
    movements.map(({ createdAt, type, amount, balanceAfter, modelId, requestId, network, transaction }) => {
      const receipt = receiptOf.get(requestId);
      return [
        createdAt,
        type,
        exactUsd(amount),
        exactUsd(balanceAfter),
        modelId ?? '',
        requestId,
        network ?? receipt?.network ?? '',
        transaction ?? receipt?.transaction ?? '',
      ];
    }),
  );
}

/** Formats an amount with nine decimal places, the ledger's precision. */
function exactUsd(usd: number): string {
  return usd.toFixed(9);
}
