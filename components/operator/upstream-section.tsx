'use client';

import { UpstreamTable } from '@/components/health/upstream-table';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/select';
import { Summary } from '@/components/ui/summary';
import { OperatorSection } from './operator-section';
import { upstreamsByUse } from './use-operator';
import { operatorWords } from './words';
import type { GatewayFigures } from '@/lib/protocol/operator-figures';
import { useId, useState } from 'react';

const words = operatorWords.upstreams;

/** Shows upstreams as seen by one process, unhealthy upstreams first. */
export function UpstreamSection({ gateways }: { gateways: readonly (GatewayFigures & { pid: number })[] }) {
  const id = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const gateway = gateways.find(({ pid }) => pid === chosen) ?? gateways[0];
  const { used, unused } = upstreamsByUse(gateway?.networks ?? []);
  return (
    <OperatorSection
      title={words.title}
      action={
        gateways.length > 1 && (
          <span className="flex items-center gap-2 text-xs text-dim">
            <label htmlFor={`${id}-gateway`}>{words.seenBy}</label>
            <Select
              id={`${id}-gateway`}
              value={String(gateway?.pid ?? '')}
              onChange={(pid) => setChosen(Number(pid))}
              options={gateways.map(({ pid }) => ({ value: String(pid) }))}
              className="w-auto"
            />
          </span>
        )
      }
    >
      {used.length === 0 ? (
        <EmptyState drawing="chain">{words.nothing}</EmptyState>
      ) : (
        <div className="border-y border-line">
          <UpstreamTable upstreams={used} caption={words.caption} />
        </div>
      )}
      {unused.length > 0 && (
        <details className="group text-sm">
          <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">
            {words.unused(unused.length)}
          </Summary>
          <ul className="figures mt-2 grid gap-x-6 gap-y-1 text-xs text-dim sm:grid-cols-2 lg:grid-cols-4">
            {unused.map((network) => (
              <li key={network} className="truncate">
                {network}
              </li>
            ))}
          </ul>
        </details>
      )}
    </OperatorSection>
  );
}
