'use client';

import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { ColumnHeads } from '@/components/ui/table-cells';
import { formatCost, formatDuration } from '@/lib/browser/text/amounts';
import { usageHref } from '@/components/billing/usage-view';
import { useLastCharges } from '@/components/billing/use-usage';
import { type PastCall, useCallHistory } from '@/components/rpc/call-history';
import { formatMoment } from '@/lib/browser/text/moments';
import { bodyHref } from '@/lib/browser/page/console-pages';
import type { Charge } from '@/lib/client';
import { useCredential } from '@/lib/browser/credential/credential';
import { overviewWords } from './words';
import type { ComponentProps, ReactNode } from 'react';
import { Section } from './section';

const SHOWN = 6;

const words = overviewWords.lastCalls;

/** Lists the last charges of the credential in use; without charges, the last calls of this browser. */
export function RecentCalls({ network }: { network: string }) {
  const calls = useCallHistory().slice(0, SHOWN);
  const charges = useLastCharges().data ?? [];
  if (charges.length > 0) return <LastCharges charges={charges} />;
  return (
    <Section
      title={words.title}
      action={
        calls.length > 0 && (
          <Button asChild tone="quiet" size="sm" className="-mr-2">
            <PageLink href="/rpc">{words.openRpc}</PageLink>
          </Button>
        )
      }
    >
      {calls.length === 0 ? (
        <div
          data-drawing="chain"
          className="grid flex-1 place-content-center justify-items-center gap-3 rounded-md bg-surface px-4 py-10 text-center text-sm text-dim"
        >
          {words.none}
          <Button asChild size="sm">
            <PageLink href={`/rpc?network=${network}`}>{words.makeTheFirst}</PageLink>
          </Button>
        </div>
      ) : (
        <CallTable heads={[...HEADS, { name: words.columns.latency, isFigure: true }, COST]}>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </CallTable>
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
        <Button asChild tone="quiet" size="sm" className="-mr-2">
          <PageLink href="/usage">{words.allCharges}</PageLink>
        </Button>
      }
    >
      <CallTable heads={[...HEADS, { name: words.columns.time, isFigure: true }, COST]}>
        {charges.map(({ requestId, timestamp, resource, detail, amount }) => (
          <tr key={requestId + timestamp}>
            <CallCell href={usageHref({ request: requestId })} name={resource}>
              {detail}
            </CallCell>
            <td className={`${CELL} figures text-right text-xs whitespace-nowrap text-dim`}>
              <time dateTime={timestamp}>{formatMoment(Date.parse(timestamp))}</time>
            </td>
            <td className={`${CELL} figures text-right whitespace-nowrap`}>{formatCost(amount)}</td>
          </tr>
        ))}
      </CallTable>
    </Section>
  );
}

const CELL = 'py-2 pr-4 last:pr-0';
const HEADS = [{ name: words.columns.resource, className: 'w-full' }];
const COST = { name: words.columns.cost, isFigure: true };

function CallTable({ heads, children }: { heads: ComponentProps<typeof ColumnHeads>['names']; children: ReactNode }) {
  return (
    <table className="w-full border-y border-line text-sm">
      <ColumnHeads names={heads} />
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  );
}

/** Uses two lines, because one line would leave no room for the prices. */
function CallCell({ href, name, children }: { href: string; name: string; children: ReactNode }) {
  return (
    <td className={`${CELL} w-full max-w-0`}>
      <PageLink href={href} className="block truncate underline-offset-4 hover:underline">
        {name}
      </PageLink>
      <span className="figures block truncate text-xs text-dim">{children}</span>
    </td>
  );
}

function CallRow({ call }: { call: PastCall }) {
  return (
    <tr>
      <CallCell href={bodyHref(call.network, call.requestText)} name={call.network}>
        {call.method}
        {call.callCount > 1 && <span className="text-faint"> +{call.callCount - 1}</span>}
      </CallCell>
      <td className={`${CELL} figures text-right text-xs whitespace-nowrap text-dim`}>
        {call.latencyMs === null ? call.outcome : formatDuration(call.latencyMs)}
      </td>
      <td className={`${CELL} figures text-right whitespace-nowrap`}>
        {call.costUsd === null ? '–' : formatCost(call.costUsd)}
      </td>
    </tr>
  );
}
