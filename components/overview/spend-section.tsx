'use client';

import { SpendByDay } from '@/components/billing/spend-by-day';
import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { firstDayOf } from '@/lib/browser/billing/days';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { isWithout, useCredential } from '@/lib/browser/credential';
import { overviewWords } from '@/lib/browser/words/overview';
import { ReadFailure } from './read-failure';
import { Section } from './section';

const DAYS = 30;

const words = overviewWords.spend;

/** What the credential in use spent over 30 days. */
export function SpendSection() {
  const credential = useCredential();
  const startDate = firstDayOf(DAYS);
  const sums = useChargeSums('day', { startDate });
  return (
    <Section
      title={credential.kind === 'demo' ? words.demoTitle(DAYS) : words.title(DAYS)}
      action={
        <Button asChild tone="quiet" size="sm">
          <PageLink href="/usage">{words.usage}</PageLink>
        </Button>
      }
    >
      {sums.data ? (
        <SpendByDay sums={sums.data} className="h-44" />
      ) : sums.isError ? (
        <ReadFailure error={sums.error} onRetry={() => void sums.refetch()} />
      ) : isWithout(credential) ? (
        <p className="text-sm text-dim">{words.nobodyPays}</p>
      ) : (
        <Skeleton className="h-52" />
      )}
    </Section>
  );
}
