'use client';

import { SpendByDay } from '@/components/billing/spend-by-day';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { firstDayOf } from '@/lib/browser/billing/days';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { useCredential } from '@/lib/browser/credential';
import Link from 'next/link';
import { Section } from './section';

const DAYS = 30;

/** What the credential in use spent over 30 days. */
export function SpendSection() {
  const credential = useCredential();
  const startDate = firstDayOf(DAYS);
  const sums = useChargeSums('day', { startDate });
  return (
    <Section
      title="Spent in 30 days"
      action={
        <Button asChild tone="quiet" size="sm">
          <Link href="/usage">Usage</Link>
        </Button>
      }
    >
      {sums.data ? <SpendByDay sums={sums.data} className="h-44" /> : sums.isError ? <p className="text-sm text-bad">{sums.error.message}</p> : credential.presented === null && credential.kind !== 'pending' ? <p className="text-sm text-dim">Nothing to show without a credential.</p> : <Skeleton className="h-52" />}
    </Section>
  );
}
