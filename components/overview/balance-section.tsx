'use client';

import { BalancePots } from '@/components/billing/balance-pots';
import { Skeleton } from '@/components/ui/skeleton';
import { formatBalance } from '@/lib/browser/amounts';
import { useBalance } from '@/lib/browser/billing/use-balance';
import { isWithout, useCredential } from '@/lib/browser/credential';
import { overviewWords } from '@/lib/browser/words/overview';
import { Section } from './section';

const words = overviewWords.balance;

/** What the credential in use has to spend, by pot, and when the allocation is new. */
export function BalanceSection() {
  const credential = useCredential();
  const { balance, totalUsd, error } = useBalance();
  return (
    <Section title={words.title} action={totalUsd !== null && <span className="figures text-lg">{formatBalance(totalUsd)}</span>}>
      {balance !== null && <BalancePots balance={balance} />}
      {balance === null && error !== null && <p className="text-sm text-bad">{error.message}</p>}
      {balance === null && error === null && (isWithout(credential) ? <p className="rounded-md border border-dashed border-edge px-4 py-10 text-center text-sm text-dim">{words.nobodyPays}</p> : <Skeleton className="h-41" />)}
    </Section>
  );
}
