'use client';

import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/class-names';
import { PageLink } from '@/components/ui/page-link';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import { usageHref } from '@/components/billing/usage-view';
import { formatDateTime } from '@/lib/browser/text/moments';
import { type PayRail, usePayRails } from '@/lib/browser/wallet/pay-rails';
import { useReceipts } from './receipts';
import { receiptHref } from './payment-record';
import type { Movement } from '@/lib/client';
import { historyWords as words } from './payment-words';
import { TransactionLink } from './transaction-link';

const TONES = { TOP_UP: 'good', CHARGE: 'neutral', REFUND: 'good', WITHDRAWAL: 'neutral' } as const;

export function MovementsTable({ movements, isStale }: { movements: readonly Movement[]; isStale: boolean }) {
  const receipts = useReceipts();
  const { rails } = usePayRails();
  return (
    <table
      className={cn(
        'w-full border-separate border-spacing-0 rounded-md border border-line text-sm transition-opacity',
        isStale && 'opacity-60',
      )}
    >
      <thead className="hidden text-left text-xs text-faint sm:table-header-group">
        <tr>
          {words.columns.map((title, index) => (
            <th
              key={title}
              scope="col"
              className={cn('border-b border-line px-3 py-2 font-normal', index > 2 && 'text-right')}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {movements.map((movement) => (
          <Row key={movement.id} movement={movement} place={placeOf(movement, receipts, rails)} />
        ))}
      </tbody>
    </table>
  );
}

interface Place {
  rail: Pick<PayRail, 'family' | 'network' | 'rpcNetwork' | 'isStandIn'>;
  transaction: string;
}

/** Returns a movement's chain and transaction from the gateway, else from this browser. */
function placeOf(
  { requestId, network, transaction }: Movement,
  receipts: ReturnType<typeof useReceipts>,
  rails: readonly PayRail[],
): Place | null {
  const rail = rails.find((each) => each.network === network);
  if (rail !== undefined && transaction) return { rail, transaction };
  const kept = receipts.find(({ paymentId }) => paymentId === requestId);
  return kept === undefined || kept.transaction === '' ? null : { rail: kept, transaction: kept.transaction };
}

function Row({
  movement: { createdAt, type, amount, balanceAfter, modelId, requestId },
  place,
}: {
  movement: Movement;
  place: Place | null;
}) {
  const cell = 'sm:border-b sm:border-line sm:px-3 sm:py-2 sm:group-last:border-b-0';
  return (
    <tr className="group grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-b-0 sm:table-row">
      <td className={cn(cell, 'order-3 text-xs whitespace-nowrap text-dim sm:text-sm')}>
        <time dateTime={createdAt} className="figures text-xs">
          {formatDateTime(Date.parse(createdAt))}
        </time>
      </td>
      <td className={cn(cell, 'order-1')}>
        <Badge tone={TONES[type]}>{words.types[type]}</Badge>{' '}
        {modelId !== null && <span className="text-xs text-dim">{modelId}</span>}
      </td>
      <td className={cn(cell, 'order-5 col-span-2 min-w-0')}>
        <span className="flex flex-wrap items-center gap-x-3">
          {place === null ? (
            <code className="figures text-xs break-all text-dim">{requestId}</code>
          ) : (
            <TransactionLink rail={place.rail} transaction={place.transaction} />
          )}
          {type === 'TOP_UP' && (
            <PageLink
              href={receiptHref(requestId)}
              className="text-xs text-amber-ink underline-offset-4 hover:underline"
            >
              {words.receipt}
            </PageLink>
          )}
          {type === 'CHARGE' && (
            <PageLink
              href={usageHref({ request: requestId })}
              className="text-xs text-amber-ink underline-offset-4 hover:underline"
            >
              {words.charge}
            </PageLink>
          )}
        </span>
      </td>
      <td className={cn(cell, 'figures order-2 text-right text-xs', amount > 0 && 'text-good')}>
        {amount > 0 && '+'}
        {formatUsdNumber(amount)}
      </td>
      <td className={cn(cell, 'figures order-4 text-right text-xs text-dim')}>{formatUsdNumber(balanceAfter)}</td>
    </tr>
  );
}
