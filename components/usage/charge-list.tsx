'use client';

import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/amounts';
import { useCharges } from '@/lib/browser/billing/use-usage';
import { keyNameText } from '@/lib/browser/billing/key-name';
import type { Charge, ChargeQuery, Currency } from '@/lib/client';

const POT_NAMES: Record<Currency, string> = { DIEM: 'allocation', BUNDLED_CREDITS: 'bundled', USD: 'USD', X402: 'prepaid' };

/** Single charges, newest first, a page at a time. */
export function ChargeList({ query }: { query: ChargeQuery }) {
  const { data, isPending, isError, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useCharges(query);
  const charges = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section aria-label="Charges" className="grid gap-3">
      <h2 className="text-lg font-semibold">Charges</h2>
      {isPending && <Skeleton className="h-48" />}
      {!isPending && !isError && charges.length === 0 && <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">Nothing was charged in this period. A call on the RPC page would be the first entry.</p>}
      {charges.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {charges.map((charge) => (
            <ChargeRow key={charge.requestId + charge.timestamp} charge={charge} />
          ))}
        </ul>
      )}
      {isError && <GatewayProblem error={error} onRetry={() => void (charges.length > 0 ? fetchNextPage() : refetch())} />}
      {hasNextPage && !isError && (
        <Button className="justify-self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show older charges'}
        </Button>
      )}
    </section>
  );
}

function ChargeRow({ charge: { timestamp, resource, detail, units, amount, pots, apiKey, requestId } }: { charge: Charge }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
      <span className="min-w-0 truncate">
        {resource} <span className="figures text-xs text-dim">{detail}</span>
      </span>
      <span className="figures text-right">{formatCost(amount)}</span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-dim">
        <time dateTime={timestamp}>{new Date(timestamp).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' })}</time>
        <span>{apiKey === null ? 'Wallet sign-in' : keyNameText(apiKey)}</span>
        <span className="figures hidden truncate sm:inline" title={requestId}>
          {requestId.slice(0, 8)}
        </span>
      </span>
      <span className="flex items-center justify-end gap-1.5 text-xs text-dim">
        <span className="figures">{units.toLocaleString('en-US')}</span> units
        {Object.keys(pots).map((pot) => (
          <Badge key={pot}>{POT_NAMES[pot as Currency]}</Badge>
        ))}
      </span>
    </li>
  );
}
