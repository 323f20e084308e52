'use client';

import { BalancePots } from '@/components/billing/balance-pots';
import { ChoosePayer } from '@/components/paying/choose-payer';
import { Skeleton } from '@/components/ui/skeleton';
import { formatBalance } from '@/lib/browser/amounts';
import { useBalance } from '@/lib/browser/billing/use-balance';
import { isWithout, useCredential } from '@/lib/browser/credential';
import { overviewWords } from '@/lib/browser/words/overview';
import { ReadFailure } from './read-failure';
import { Section } from './section';

const words = overviewWords.balance;

/** What the credential in use has to spend, by pot, and when the allocation is new. */
export function BalanceSection() {
  const credential = useCredential();
  const { balance, totalUsd, error, retry } = useBalance();
  return (
    <Section
      title={words.title}
      action={totalUsd !== null && <span className="figures text-lg">{formatBalance(totalUsd)}</span>}
    >
      {balance !== null && <BalancePots balance={balance} />}
      {balance === null && error !== null && <ReadFailure error={error} onRetry={retry} />}
      {balance === null && error === null && (isWithout(credential) ? <NobodyPays /> : <Skeleton className="h-41" />)}
    </Section>
  );
}

function NobodyPays() {
  return (
    <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-10 text-center text-sm text-dim">
      <p>{words.nobodyPays}</p>
      <ChoosePayer />
    </div>
  );
}
