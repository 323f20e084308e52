'use client';

import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/class-names';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { useReceipts } from '@/lib/browser/top-up/receipts';
import type { Movement } from '@/lib/client';
import { TransactionLink } from './transaction-link';

const TYPES = { TOP_UP: { word: 'top-up', tone: 'good' }, CHARGE: { word: 'charge', tone: 'neutral' }, REFUND: { word: 'credit', tone: 'good' } } as const;

/** Movements of a balance, one a line; on a phone each is two lines. */
export function MovementsTable({ movements, isStale }: { movements: readonly Movement[]; isStale: boolean }) {
  const receipts = useReceipts();
  return (
    <table className={cn('w-full border-separate border-spacing-0 rounded-md border border-line text-sm transition-opacity', isStale && 'opacity-60')}>
      <thead className="hidden text-left text-xs text-faint sm:table-header-group">
        <tr>
          {['Time', 'What', 'Reference', 'Amount', 'Balance after'].map((title, index) => (
            <th key={title} scope="col" className={cn('border-b border-line px-3 py-2 font-normal', index > 2 && 'text-right')}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {movements.map((movement) => (
          <Row key={movement.id} movement={movement} receipt={receipts.find(({ paymentId }) => paymentId === movement.requestId)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ movement: { createdAt, type, amount, balanceAfter, modelId, requestId }, receipt }: { movement: Movement; receipt: ReturnType<typeof useReceipts>[number] | undefined }) {
  const { word, tone } = TYPES[type];
  const cell = 'sm:border-b sm:border-line sm:px-3 sm:py-2 sm:group-last:border-b-0';
  return (
    <tr className="group grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-b-0 sm:table-row">
      <td className={cn(cell, 'order-3 text-xs whitespace-nowrap text-dim sm:text-sm')}>
        <time dateTime={createdAt} className="figures text-xs">
          {formatTime(createdAt)}
        </time>
      </td>
      <td className={cn(cell, 'order-1')}>
        <Badge tone={tone}>{word}</Badge> {modelId !== null && <span className="text-xs text-dim">{modelId}</span>}
      </td>
      <td className={cn(cell, 'order-5 col-span-2 min-w-0')}>{receipt === undefined ? <code className="figures text-xs break-all text-dim">{requestId}</code> : <TransactionLink rail={receipt} transaction={receipt.transaction} />}</td>
      <td className={cn(cell, 'figures order-2 text-right text-xs', amount > 0 && 'text-good')}>
        {amount > 0 && '+'}
        {formatUsdNumber(amount)}
      </td>
      <td className={cn(cell, 'figures order-4 text-right text-xs text-dim')}>{formatUsdNumber(balanceAfter)}</td>
    </tr>
  );
}

/** `21 Nov 2026, 20:59:03` in the time of this device. */
function formatTime(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
