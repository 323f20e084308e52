'use client';

import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { formatCost, formatDuration } from '@/lib/browser/amounts';
import { usageHref } from '@/lib/browser/billing/usage-view';
import { useLastCharges } from '@/lib/browser/billing/use-usage';
import { type PastCall, useCallHistory } from '@/lib/browser/rpc/call-history';
import { formatMoment } from '@/lib/browser/moments';
import { requestHref } from '@/lib/browser/rpc/request-href';
import type { Charge } from '@/lib/client';
import { useCredential } from '@/lib/browser/credential';
import { overviewWords } from '@/lib/browser/words/overview';
import { Section } from './section';

const SHOWN = 6;

const words = overviewWords.lastCalls;

/**
 * Lists the last charges of the credential in use. Without charges, lists the last calls of this browser, with links to
 * their requests.
 */
export function RecentCalls({ network }: { network: string }) {
  const calls = useCallHistory().slice(0, SHOWN);
  const charges = useLastCharges().data ?? [];
  if (charges.length > 0) return <LastCharges charges={charges} />;
  return (
    <Section
      title={words.title}
      action={
        calls.length > 0 && (
          <Button asChild tone="quiet" size="sm">
            <PageLink href="/rpc">{words.openRpc}</PageLink>
          </Button>
        )
      }
    >
      {calls.length === 0 ? (
        <div className="grid flex-1 place-content-center justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-10 text-center text-sm text-dim">
          {words.none}
          <Button asChild size="sm">
            <PageLink href={`/rpc?network=${network}`}>{words.makeTheFirst}</PageLink>
          </Button>
        </div>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function LastCharges({ charges }: { charges: readonly Charge[] }) {
  const { kind } = useCredential();
  return (
    <Section
      title={kind === 'demo' ? words.demoTitle : words.title}
      action={
        <Button asChild tone="quiet" size="sm">
          <PageLink href="/usage">{words.allCharges}</PageLink>
        </Button>
      }
    >
      <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {charges.map(({ requestId, timestamp, resource, detail, amount }) => (
          <li key={requestId + timestamp}>
            <PageLink
              href={usageHref({ request: requestId })}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 py-2 text-sm hover:bg-hover"
            >
              <span className="truncate">{resource}</span>
              <span className="figures text-right">{formatCost(amount)}</span>
              <span className="figures truncate text-xs text-dim">{detail}</span>
              <time dateTime={timestamp} className="figures text-right text-xs text-dim">
                {formatMoment(Date.parse(timestamp))}
              </time>
            </PageLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function CallRow({ call }: { call: PastCall }) {
  return (
    <li>
      <PageLink
        href={requestHref({ network: call.network, text: call.requestText })}
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 py-2 text-sm hover:bg-hover"
      >
        <span className="figures truncate">
          {call.method}
          {call.callCount > 1 && <span className="text-faint"> +{call.callCount - 1}</span>}
        </span>
        <span className="figures text-right">{call.costUsd === null ? '–' : formatCost(call.costUsd)}</span>
        <span className="truncate text-xs text-dim">{call.network}</span>
        <span className="figures text-right text-xs text-dim">
          {call.latencyMs === null ? call.outcome : formatDuration(call.latencyMs)}
        </span>
      </PageLink>
    </li>
  );
}
