'use client';

import { CsvButton } from '@/components/billing/csv-button';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { SlowWallet, WalletProblem } from '@/components/wallet/wallet-problem';
import { useKeys, useListCredential } from '@/lib/browser/credential/use-keys';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { statusOf } from '@/lib/browser/reads/gateway';
import { useBrand } from '@/lib/browser/reads/settings';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import type { ListedKey } from '@/lib/client';
import { csvText } from '@/lib/protocol/csv';
import { PenLine } from 'lucide-react';
import { KEYS_ANCHOR } from './key-changes';
import { keyListWords as words } from './key-list-words';

const KeyTable = onDemand(() => import('./key-table').then((module) => module.KeyTable), {
  waiting: <Skeleton className="h-32" />,
});

/** The list must show calls made elsewhere, such as in a terminal, without a reload. */
const REFRESH_EVERY_MS = 5_000;

export function KeyListSection({ wallet }: { wallet: ConnectedWallet | null }) {
  const { slug } = useBrand();
  const credential = useListCredential(wallet);
  const keys = useKeys(credential, REFRESH_EVERY_MS);
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
        <EmptyState drawing="key" className="grid justify-items-center gap-3">
          {words.signInFirst}
          <Button size="sm" disabled={isPending} onClick={() => start(wallet)}>
            <PenLine aria-hidden />
            {isPending ? words.lookAtWallet : words.signIn}
          </Button>
          {isPending && <SlowWallet />}
          {error !== null && <WalletProblem error={error} />}
        </EmptyState>
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

const COLUMNS = [
  'name',
  'last6',
  'type',
  'created',
  'last_used',
  'expires',
  'spent_usd',
  'limit_credits_and_usd',
  'limit_allocation_usd',
  'limit_period',
] as const;

/** Formats keys as CSV with a header line. The CSV has no secrets, because the gateway does not store them. */
export function keysCsv(keys: readonly ListedKey[]): string {
  return csvText(
    COLUMNS,
    keys.map(
      ({
        description,
        last6Chars,
        apiKeyType,
        createdAt,
        lastUsedAt,
        expiresAt,
        usage,
        consumptionLimit,
        limitPeriod,
      }) => [
        description,
        last6Chars,
        apiKeyType,
        createdAt,
        lastUsedAt ?? '',
        expiresAt ?? '',
        (usage.total.usd + usage.total.diem).toFixed(9),
        limitText(consumptionLimit.usd),
        limitText(consumptionLimit.diem),
        consumptionLimit.usd === null && consumptionLimit.diem === null ? '' : limitPeriod,
      ],
    ),
  );
}

function limitText(usd: number | null): string {
  return usd === null ? '' : usd.toFixed(9);
}
