'use client';

import { SpendByDay } from '@/components/billing/spend-by-day';
import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { RequestCode } from '@/components/samples/request-code';
import { Skeleton } from '@/components/ui/skeleton';
import { firstDayOf } from '@/lib/browser/billing/days';
import { usageRequests } from '@/lib/browser/billing/usage-requests';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { useCredential } from '@/lib/browser/credential';
import type { ChargeQuery } from '@/lib/client';
import { useState } from 'react';
import { ChargeList } from './charge-list';
import { Reconciliation } from './reconciliation';
import { SumTable } from './sum-table';
import { UsageFilters } from './usage-filters';

const NO_KEY = { id: '', name: '' };

/** What the credential in use was charged, and that it adds up to the balance. */
export function UsagePage() {
  const credential = useCredential();
  const [days, setDays] = useState(30);
  const [resource, setResource] = useState('');
  const [key, setKey] = useState(NO_KEY);
  const query: ChargeQuery = { startDate: firstDayOf(days), ...(resource === '' ? {} : { resource }), ...(key.id === '' ? {} : { apiKeyId: key.id }) };
  const byDay = useChargeSums('day', query);
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">Usage</h1>
        <p className="text-dim">Every charge of the credential in use, exact to a billionth of a dollar. Days are of UTC.</p>
      </header>
      {credential.presented === null && credential.kind !== 'pending' ? (
        <p className="rounded-md border border-dashed border-edge px-4 py-12 text-center text-sm text-dim">No credential is in use. Sign in with a wallet or enter a key at the top right to see what it was charged.</p>
      ) : (
        <>
          <UsageFilters days={days} onDays={setDays} resource={resource} onResource={setResource} keyName={key.name} onAnyKey={() => setKey(NO_KEY)} query={query} />
          {byDay.isError && <GatewayProblem error={byDay.error} onRetry={() => void byDay.refetch()} />}
          {byDay.data === undefined ? !byDay.isError && <Skeleton className="h-64" /> : (
            <>
              <section aria-label="Charges by day" className="grid gap-3">
                <h2 className="text-lg font-semibold">By day</h2>
                <SpendByDay sums={byDay.data} isFiltered={resource !== '' || key.id !== ''} />
              </section>
              <Reconciliation sums={byDay.data} isFiltered={resource !== '' || key.id !== ''} />
            </>
          )}
          {!byDay.isError && (
            <>
              <div className="grid gap-8 lg:grid-cols-2">
                <SumTable title="By resource" groupBy="resource" query={query} onChoose={setResource} chosen={resource} />
                <SumTable title="By key" groupBy="key" query={query} onChoose={(id, name) => setKey(id === '' ? NO_KEY : { id, name })} chosen={key.id} />
              </div>
              <ChargeList query={query} />
            </>
          )}
          <RequestCode requests={usageRequests(query)} credential={credential.presented} />
        </>
      )}
    </div>
  );
}
