'use client';

import { Badge } from '@/components/ui/badge';
import { formatCost, formatDuration } from '@/lib/browser/amounts';
import { keyNameText } from '@/lib/browser/billing/key-name';
import { useRequests } from '@/lib/browser/billing/use-requests';
import { formatDateTime } from '@/lib/browser/moments';
import { chargesWords } from '@/lib/browser/words/charges';
import type { AnsweredRequest, RequestQuery } from '@/lib/client';
import { PagedList } from './paged-list';
import { RequestId } from './request-id';

const words = chargesWords.requests;

interface RequestListProps {
  query: RequestQuery;
  onChooseRequest: (request: string) => void;
}

/** Lists single requests with their outcome, newest first, page by page. */
export function RequestList({ query, onChooseRequest }: RequestListProps) {
  const empty =
    query.requestId !== undefined ? words.notFound : query.status === 'failed' ? words.noneFailed : words.empty;
  return (
    <PagedList
      words={words}
      empty={empty}
      pages={useRequests(query)}
      row={(request) => <RequestRow key={request.requestId} request={request} onChooseRequest={onChooseRequest} />}
    />
  );
}

function RequestRow({
  request: { timestamp, product, network, method, model, status, code, cut, durationMs, amount, apiKey, requestId },
  onChooseRequest,
}: {
  request: AnsweredRequest;
  onChooseRequest: (request: string) => void;
}) {
  const resource = [product, network ?? model].filter((part) => part !== null).join('/');
  const hasFailed = status >= 400 || cut;
  return (
    <li className="grid gap-y-0.5 px-3 py-2 text-sm">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          {resource} <span className="figures text-xs text-dim">{method}</span>
        </span>
        <Badge tone={hasFailed ? 'bad' : 'good'} className="figures">
          {words.outcome(status, code, cut)}
        </Badge>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-dim">
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <time dateTime={timestamp}>{formatDateTime(Date.parse(timestamp))}</time>
          <span className="wrap-anywhere">{apiKey === null ? chargesWords.charges.wallet : keyNameText(apiKey)}</span>
        </span>
        <span className="figures flex items-center gap-3">
          <span>{formatDuration(durationMs)}</span>
          <span>{Number(amount) === 0 ? words.free : formatCost(amount)}</span>
        </span>
      </div>
      <RequestId requestId={requestId} onChoose={onChooseRequest} />
    </li>
  );
}
