'use client';

import { SpendByDay } from '@/components/billing/spend-by-day';
import { ChoosePayer } from '@/components/paying/choose-payer';
import { FailureCard } from '@/components/recovery/failure-card';
import { RequestCode } from '@/components/samples/request-code';
import { onApproach } from '@/components/ui/on-approach';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { usageRequests } from '@/lib/browser/billing/usage-requests';
import {
  chargesQueryOf,
  readUsageView,
  requestsQueryOf,
  sumsQueryOf,
  usageHref,
  type UsageView,
} from '@/lib/browser/billing/usage-view';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { isWithout, useCredential } from '@/lib/browser/credential';
import { usageWords as words } from '@/lib/browser/words/usage';
import { useSearchParams } from 'next/navigation';
import { FindRequest } from './find-request';
import { UsageFilters } from './usage-filters';

const Reconciliation = onDemand(() => import('./reconciliation').then((module) => module.Reconciliation), {
  waiting: <Skeleton className="h-48" />,
});
const UsageDetails = onApproach(() => import('./usage-details').then((module) => module.UsageDetails), {
  waiting: <Skeleton className="h-96" />,
});
const RequestList = onDemand(() => import('./request-list').then((module) => module.RequestList), {
  waiting: <Skeleton className="h-24" />,
});
const ChargeList = onDemand(() => import('./charge-list').then((module) => module.ChargeList), {
  waiting: <Skeleton className="h-48" />,
});

/** Shows the charges of the credential in use, and that they add up to the balance. */
export function UsagePage() {
  const credential = useCredential();
  const view = readUsageView(useSearchParams());
  // Adds a history entry, so that Back returns to the previous view.
  const show = (change: Partial<UsageView>) => window.history.pushState(null, '', usageHref({ ...view, ...change }));
  const showRequest = (request: string) => window.history.pushState(null, '', usageHref({ request }));
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="grid max-w-2xl gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
          <p className="text-dim">{words.intro}</p>
        </div>
        {!isWithout(credential) && <FindRequest key={view.request} request={view.request} onFind={showRequest} />}
      </header>
      {isWithout(credential) ? (
        <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-12 text-center text-sm text-dim">
          <p>{words.nobodyPays}</p>
          <ChoosePayer />
        </div>
      ) : (
        <>
          <UsageFilters view={view} onChange={show} />
          {view.request === '' ? (
            <Sums view={view} onChange={show} />
          ) : (
            <>
              <RequestList query={requestsQueryOf(view)} onChooseRequest={showRequest} />
              <ChargeList query={chargesQueryOf(view)} isOfRequest onChooseRequest={showRequest} />
            </>
          )}
          <RequestCode
            requests={usageRequests(chargesQueryOf(view), requestsQueryOf(view))}
            credential={credential.presented}
          />
        </>
      )}
    </div>
  );
}

function Sums({ view, onChange }: { view: UsageView; onChange: (change: Partial<UsageView>) => void }) {
  const query = sumsQueryOf(view);
  const byDay = useChargeSums('day', query);
  const isFiltered = view.resource !== '' || view.key !== '';
  if (byDay.data === undefined)
    return byDay.isError ? (
      <FailureCard isRead error={byDay.error} onRetry={() => void byDay.refetch()} />
    ) : (
      <SumsSkeleton />
    );
  return (
    <>
      <section aria-label={words.byDay} className="grid gap-3">
        <h2 className="text-lg font-semibold">{words.byDay}</h2>
        <SpendByDay
          sums={byDay.data}
          query={query}
          isFiltered={isFiltered}
          onChoose={(resource) => onChange({ resource })}
        />
      </section>
      {byDay.isError && <FailureCard isRead error={byDay.error} onRetry={() => void byDay.refetch()} />}
      {Object.keys(byDay.data.totals.pots).length > 0 && <Reconciliation sums={byDay.data} isFiltered={isFiltered} />}
      <UsageDetails view={view} onChange={onChange} />
    </>
  );
}

/** Placeholder taller than the window, so that nothing visible moves when the sums arrive. */
function SumsSkeleton() {
  return (
    <>
      <div className="grid gap-3">
        <h2 className="text-lg font-semibold">{words.byDay}</h2>
        <div className="grid gap-2">
          <Skeleton className="h-5 w-60" />
          <Skeleton className="h-72 pointer-coarse:h-75" />
        </div>
      </div>
      <div className="grid min-h-dvh content-start gap-3">
        <Skeleton className="h-5 w-72" />
        <Skeleton className="h-40" />
      </div>
    </>
  );
}
