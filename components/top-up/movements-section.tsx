'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { statusOf } from '@/lib/browser/call-failure';
import { useHasPassed } from '@/lib/browser/clock';
import { formatBalance } from '@/lib/browser/amounts';
import { MOVEMENTS_A_PAGE, useMovements } from '@/lib/browser/top-up/use-movements';
import { forgetSignIn, useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import { sameAddress, shortAddress, type WalletFamily } from '@/lib/browser/wallet/wallet-address';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { historyWords as words } from '@/lib/browser/words/payment';
import { ChevronLeft, ChevronRight, PenLine } from 'lucide-react';
import { useState } from 'react';
import { MovementsExport } from './movements-export';
import { MovementsTable } from './movements-table';
import { WithdrawSection } from './withdraw-section';

/**
 * Lists a connected wallet's top-ups and charges, newest first. `payer` is the family (EVM or Solana) of the wallet
 * that paid last.
 */
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
          <div role="group" aria-label={words.wallet} className="flex gap-1">
            {wallets.map(({ family, address }) => (
              <Button
                key={family}
                size="sm"
                tone="quiet"
                aria-pressed={family === wallet.family}
                className="figures aria-pressed:bg-hover aria-pressed:text-ink"
                onClick={() => setChosen(family)}
              >
                {shortAddress(address)}
              </Button>
            ))}
          </div>
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
  if (transactions.length === 0 && page === 0)
    return (
      <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
        {words.empty}
      </p>
    );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex-1 text-sm text-dim">
          {words.balance} <span className="figures text-ink">{formatBalance(currentBalance)}</span>
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
    <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
      {words.signInFirst}
      <Button size="sm" disabled={isPending} onClick={signIn}>
        <PenLine aria-hidden />
        {isPending ? words.lookAtWallet : words.signIn}
      </Button>
      {error !== null && <WalletProblem error={error} />}
    </div>
  );
}
