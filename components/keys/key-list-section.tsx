'use client';

import { useBrand } from '@/lib/browser/brand';
import { CsvButton } from '@/components/billing/csv-button';
import { SlowWallet } from '@/components/wallet/slow-wallet';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { statusOf } from '@/lib/browser/call-failure';
import { keysCsv } from '@/lib/browser/keys/keys-csv';
import { useKeys } from '@/lib/browser/keys/use-keys';
import { useListCredential } from '@/lib/browser/keys/use-list-credential';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { keyListWords as words } from '@/lib/browser/words/wallet-keys';
import { PenLine } from 'lucide-react';
import { KEYS_ANCHOR } from './keys-anchor';

const KeyTable = onDemand(() => import('./key-table').then((module) => module.KeyTable), {
  waiting: <Skeleton className="h-32" />,
});

export function KeyListSection({ wallet }: { wallet: ConnectedWallet | null }) {
  const { slug } = useBrand();
  const credential = useListCredential(wallet);
  const keys = useKeys(credential);
  const { start, isPending, error } = useSignIn({ useForCalls: false });
  const isForbidden = statusOf(keys.error) === 401 || statusOf(keys.error) === 403;
  const canSignIn = wallet !== null && (credential === null || isForbidden);
  if (wallet === null && (credential === null || isForbidden || keys.data === undefined)) return null;
  return (
    <section id={KEYS_ANCHOR} aria-label={words.title} className="grid scroll-mt-4 gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        {!canSignIn && keys.data && keys.data.length > 0 && (
          <CsvButton label={words.csvLabel} fileName={`${slug}-keys.csv`} csv={() => keysCsv(keys.data ?? [])}>
            {words.csv}
          </CsvButton>
        )}
      </div>
      {canSignIn && (
        <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
          {words.signInFirst}
          <Button size="sm" disabled={isPending} onClick={() => start(wallet)}>
            <PenLine aria-hidden />
            {isPending ? words.lookAtWallet : words.signIn}
          </Button>
          {isPending && <SlowWallet />}
          {error !== null && <WalletProblem error={error} />}
        </div>
      )}
      {!canSignIn && keys.isPending && <Skeleton className="h-32" />}
      {!canSignIn && keys.isError && (
        <Notice
          tone="bad"
          title={keys.error.message}
          actions={
            <Button size="sm" onClick={() => void keys.refetch()}>
              {words.tryAgain}
            </Button>
          }
        >
          {words.keysGoOn}
        </Notice>
      )}
      {!canSignIn && keys.data && <KeyTable keys={keys.data} credential={credential} />}
    </section>
  );
}
