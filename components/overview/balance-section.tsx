'use client';

import { BalancePots } from '@/components/billing/balance-pots';
import { Skeleton } from '@/components/ui/skeleton';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { useBalance } from '@/lib/browser/billing/use-balance';
import { useCredential } from '@/lib/browser/credential';
import { Section } from './section';

/** What the credential in use has to spend, by pot, and when the allocation is new. */
export function BalanceSection() {
  const credential = useCredential();
  const { balance, totalUsd, error } = useBalance();
  return (
    <Section title="Balance" action={totalUsd !== null && <span className="figures text-lg">{formatUsdNumber(Number(totalUsd.toFixed(6)))}</span>}>
      {balance !== null && <BalancePots balance={balance} />}
      {balance === null && error !== null && <p className="text-sm text-bad">{error.message}</p>}
      {balance === null && error === null && (credential.presented === null && credential.kind !== 'pending' ? <p className="rounded-md border border-dashed border-edge px-4 py-10 text-center text-sm text-dim">No credential is in use. Connect a wallet or enter a key at the top right.</p> : <Skeleton className="h-40" />)}
    </Section>
  );
}
