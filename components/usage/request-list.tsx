'use client';

import { Badge } from '@/components/ui/badge';
import { ColumnHeads } from '@/components/ui/table-cells';
import { formatCost, formatDuration } from '@/lib/browser/text/amounts';
import { PRODUCT_COLOURS } from '@/components/billing/series-paint';
import { billingWords } from '@/components/billing/words';
import { keyNameText, usageWords } from './words';
import { useRequests } from './use-pages';
import { loadCode } from '@/lib/browser/page/load-code';
import { formatDateTime, formatMoment } from '@/lib/browser/text/moments';
import { chargesWords } from './charge-words';
import type { AnsweredRequest, RequestQuery } from '@/lib/client';
import type { ErrorCode, ERRORS } from '@/lib/protocol/errors';
import { useRead } from '@/lib/browser/reads/use-read';
import { ExportButton, PagedList, RequestId } from './paged-list';

const words = chargesWords.requests;

interface RequestListProps {
  query: RequestQuery;
  isUnderChoice?: boolean;
  onChooseRequest: (request: string) => void;
}

export function RequestList({ query, isUnderChoice = false, onChooseRequest }: RequestListProps) {
  const explains = query.requestId !== undefined || query.status === 'failed';
  const { data: errors } = useRead({
    key: ['error-sentences'],
    read: async () => (await loadCode(() => import('@/lib/protocol/errors'))).ERRORS,
    enabled: explains,
    staleMs: Infinity,
  });
  const empty =
    query.requestId !== undefined ? words.notFound : query.status === 'failed' ? words.noneFailed : words.empty;
  return (
    <PagedList
      words={words}
      isUnderChoice={isUnderChoice}
      empty={empty}
      pages={useRequests(query)}
      action={
        query.requestId === undefined && (
          <ExportButton
            label={usageWords.export.requests}
            list="requests"
            query={query}
            of={async (presented) => (await loadCode(() => import('./export-list'))).exportRequests(presented, query)}
          />
        )
      }
      list={(requests) => (
        <table className="w-full border-y border-line text-sm">
          <ColumnHeads names={HEADS} />
          <tbody className="divide-y divide-line">
            {requests.map((request) => (
              <RequestRow
                key={request.requestId}
                request={request}
                reason={explains ? reasonOf(request, errors) : null}
                onChooseRequest={onChooseRequest}
              />
            ))}
          </tbody>
        </table>
      )}
    />
  );
}

const HEADS = [
  { name: words.columns.time },
  { name: words.columns.product, className: 'sm:max-lg:hidden' },
  { name: words.columns.what, className: 'sm:w-full' },
  { name: words.columns.status },
  { name: words.columns.latency, isFigure: true },
  { name: words.columns.units, isFigure: true, className: 'sm:max-lg:hidden' },
  { name: words.columns.cost, isFigure: true },
  { name: words.columns.id },
];

/** Returns why a request failed; null if it succeeded, empty while the texts load. */
function reasonOf({ status, code, cut }: AnsweredRequest, errors: typeof ERRORS | undefined): string | null {
  if (cut) return words.cutReason;
  if (status < 400 || code === null) return null;
  return errors === undefined ? '' : (errors[code as ErrorCode]?.error ?? words.otherReason);
}

const CELL = 'align-middle sm:py-1.5 sm:pr-4';
const FIGURES_CELL = `${CELL} figures text-right whitespace-nowrap`;
const SMALL_LINE = 'max-sm:row-start-2 max-sm:text-xs max-sm:text-dim';

function RequestRow({
  request: {
    timestamp,
    product,
    network,
    method,
    model,
    status,
    code,
    cut,
    durationMs,
    units,
    amount,
    apiKey,
    requestId,
  },
  reason,
  onChooseRequest,
}: {
  request: AnsweredRequest;
  reason: string | null;
  onChooseRequest: (request: string) => void;
}) {
  const hasFailed = status >= 400 || cut;
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[auto_auto_minmax(0,1fr)_auto] max-sm:items-center max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:py-2.5">
      <td className={`${CELL} ${SMALL_LINE} figures whitespace-nowrap text-dim`}>
        <time
          dateTime={timestamp}
          title={`${formatDateTime(Date.parse(timestamp))} · ${apiKey === null ? chargesWords.charges.wallet : keyNameText(apiKey)}`}
        >
          {formatMoment(Date.parse(timestamp))}
        </time>
      </td>
      <td className={`${CELL} ${SMALL_LINE} sm:max-lg:hidden`}>
        <span className="flex items-center gap-1.5">
          <span aria-hidden className={`size-2 shrink-0 rounded-xs ${PRODUCT_COLOURS[product] ?? 'bg-dim'}`} />
          {billingWords.products[product] ?? product}
        </span>
      </td>
      <td className={`${CELL} max-sm:col-span-3 max-sm:row-start-1 sm:max-w-0`}>
        <span
          className="block min-w-0 wrap-anywhere sm:truncate"
          title={[network ?? model, method].filter(Boolean).join(' ')}
        >
          {network ?? model ?? (reason === null && words.unknown)}{' '}
          <span className="figures text-xs text-dim">{method}</span>
        </span>
        {reason !== null && <span className="block min-h-4 text-xs text-dim">{reason}</span>}
      </td>
      <td className={`${CELL} max-sm:col-start-4 max-sm:row-start-2 max-sm:justify-self-end`}>
        <Badge tone={hasFailed ? 'bad' : 'good'} className="figures max-w-40 sm:max-lg:max-w-28 lg:max-w-72">
          <span className="truncate" title={words.outcome(status, code, cut)}>
            {words.outcome(status, code, cut)}
          </span>
        </Badge>
      </td>
      <td className={`${FIGURES_CELL} ${SMALL_LINE} max-sm:text-left`}>{formatDuration(durationMs)}</td>
      <td className={`${FIGURES_CELL} max-lg:hidden`}>
        {chargesWords.charges.units(units, chargesWords.charges.unitOf[product] ?? chargesWords.charges.anyUnit)}
      </td>
      <td className={`${FIGURES_CELL} max-sm:col-start-4 max-sm:row-start-1`}>
        {Number(amount) === 0 ? words.free : formatCost(amount)}
      </td>
      <td className={`${CELL} max-sm:col-span-4 max-sm:row-start-3 sm:pr-0`}>
        <RequestId requestId={requestId} onChoose={onChooseRequest} className="sm:w-28 sm:max-lg:w-20" />
      </td>
    </tr>
  );
}
