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

const UNITS: Readonly<Record<string, string>> = { rpc: 'credit', chat: 'token', speech: 'character', video: 'second' };

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
    <li className="grid gap-y-0.5 px-3 py-2 text-sm">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          {resource} <span className="figures text-xs text-dim">{detail}</span>
        </span>
        <span className="figures shrink-0">{formatCost(amount)}</span>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-dim">
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <time dateTime={timestamp}>{new Date(timestamp).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' })}</time>
          <span className="wrap-anywhere">{apiKey === null ? 'Wallet sign-in' : keyNameText(apiKey)}</span>
          <span className="figures hidden sm:inline" title={requestId}>
            {requestId.slice(0, 8)}
          </span>
        </span>
        <span className="flex items-center gap-1.5">
          <span>
            <span className="figures">{units.toLocaleString('en-US')}</span> {unitOf(resource, units)}
          </span>
          {Object.keys(pots).map((pot) => (
            <Badge key={pot}>{POT_NAMES[pot as Currency]}</Badge>
          ))}
        </span>
      </div>
    </li>
  );
}

/** What a resource is counted in; the part of its name before the slash says what kind it is. */
function unitOf(resource: string, units: number): string {
  const unit = UNITS[resource.split('/', 1)[0] ?? ''] ?? 'unit';
  return units === 1 ? unit : `${unit}s`;
}
