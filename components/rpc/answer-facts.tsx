'use client';

import { CopyButton } from '@/components/ui/copy-button';
import { PageLink } from '@/components/ui/page-link';
import { formatCost, formatCount, formatDuration } from '@/lib/browser/text/amounts';
import { rpcWords } from './words';
import type { ReactNode } from 'react';

const words = rpcWords.answer.facts;

export interface Facts {
  latencyMs: number | null;
  credits: number | null;
  costUsd: string | null;
  requestId: string | null;
}

export const UNKNOWN_FACTS: Facts = { latencyMs: null, credits: null, costUsd: null, requestId: null };

/**
 * Shows latency, cost and request id of the last call. Rendered before the first answer too, so that the layout does
 * not shift.
 */
export function AnswerFacts({ latencyMs, credits, costUsd, requestId }: Facts) {
  return (
    <dl className="grid shrink-0 grid-cols-3 gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-2 sm:grid-cols-[auto_auto_auto_minmax(0,1fr)] sm:gap-x-8 lg:px-4">
      <Fact name={words.time}>{latencyMs === null ? null : formatDuration(latencyMs)}</Fact>
      <Fact name={words.credits}>{credits === null ? null : formatCount(credits)}</Fact>
      <Fact name={words.cost}>{costUsd === null ? null : formatCost(costUsd)}</Fact>
      <Fact name={words.requestId} className="col-span-3 sm:col-span-1">
        {requestId === null ? null : (
          <span className="flex min-w-0 items-center gap-1">
            <PageLink
              href={`/usage?request=${encodeURIComponent(requestId)}`}
              title={words.openRequest}
              className="truncate text-dim underline underline-offset-4 hover:text-ink"
            >
              {requestId}
            </PageLink>
            <CopyButton text={requestId} label={words.copyRequestId} iconOnly className="-my-1 size-6" />
          </span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children, className = '' }: { name: string; children: ReactNode; className?: string }) {
  return (
    <div className={`min-w-14 ${className}`}>
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="figures truncate text-sm">{children ?? <span className="text-faint">–</span>}</dd>
    </div>
  );
}
