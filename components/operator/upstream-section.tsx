'use client';

import { HealthMark, STATE_MARKS } from '@/components/health/health-mark';
import { Select } from '@/components/ui/select';
import { Summary } from '@/components/ui/summary';
import { formatDuration } from '@/lib/browser/amounts';
import { formatMoment } from '@/lib/browser/moments';
import { type ListedUpstream, upstreamsByUse } from '@/lib/browser/operator/upstreams-by-use';
import { operatorWords } from '@/lib/browser/words/operator';
import type { GatewayFigures } from '@/lib/protocol/gateway-figures';
import { useId, useState } from 'react';
import { CellName } from './cell-name';

const words = operatorWords.upstreams;

/** The upstreams of networks as one process sees them, those in trouble first. */
export function UpstreamSection({ gateways }: { gateways: readonly (GatewayFigures & { pid: number })[] }) {
  const id = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const gateway = gateways.find(({ pid }) => pid === chosen) ?? gateways[0];
  const { used, unused } = upstreamsByUse(gateway?.networks ?? []);
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="text-lg font-semibold">{words.title}</h2>
        {gateways.length > 1 && (
          <label className="flex items-center gap-2 text-xs text-dim">
            {words.seenBy}
            <Select value={gateway?.pid} onChange={(event) => setChosen(Number(event.target.value))} className="w-auto">
              {gateways.map(({ pid }) => (
                <option key={pid}>{pid}</option>
              ))}
            </Select>
          </label>
        )}
      </div>
      {used.length === 0 ? <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">{words.nothing}</p> : <UpstreamTable upstreams={used} />}
      {unused.length > 0 && (
        <details className="group text-sm">
          <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">{words.unused(unused.length)}</Summary>
          <ul className="figures mt-2 grid gap-x-6 gap-y-1 text-xs text-dim sm:grid-cols-2 lg:grid-cols-4">
            {unused.map((network) => (
              <li key={network} className="truncate">{network}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const CELL = 'py-1.5 pr-4 align-middle max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-0.5 max-sm:pr-0';
const FIGURES = `${CELL} figures text-right whitespace-nowrap`;

function UpstreamTable({ upstreams }: { upstreams: readonly ListedUpstream[] }) {
  return (
    <table className="w-full border-y border-line text-sm">
      <caption className="sr-only">{words.caption}</caption>
      <thead className="border-b border-line text-left text-xs text-faint max-sm:sr-only">
        <tr>
          <th scope="col" className="py-1.5 pr-4 font-normal">{words.network}</th>
          <th scope="col" className="py-1.5 pr-4 font-normal">{words.upstream}</th>
          <th scope="col" className="py-1.5 pr-4 font-normal">{words.state}</th>
          <th scope="col" className="py-1.5 pr-4 text-right font-normal">{words.latency}</th>
          <th scope="col" className="py-1.5 text-right font-normal">{words.lag}</th>
        </tr>
      </thead>
      {upstreams.map((upstream) => (
        <UpstreamRows key={`${upstream.network} ${upstream.name}`} upstream={upstream} />
      ))}
    </table>
  );
}

function UpstreamRows({ upstream: { network, name, state, latencyP50Ms, lagBlocks, lastError } }: { upstream: ListedUpstream }) {
  return (
    <tbody className="border-b border-line last:border-b-0 max-sm:block max-sm:py-1.5">
      <tr className="max-sm:block">
        <th scope="row" className={`${CELL} text-left font-normal`}>{network}</th>
        <td className={CELL}>
          <CellName>{words.upstream}</CellName>
          {name}
        </td>
        <td className={CELL}>
          <CellName>{words.state}</CellName>
          <HealthMark mark={STATE_MARKS[state]} />
        </td>
        <td className={FIGURES}>
          <CellName>{words.latency}</CellName>
          {latencyP50Ms === null ? <Unknown /> : formatDuration(latencyP50Ms)}
        </td>
        <td className={`${FIGURES} sm:pr-0`}>
          <CellName>{words.lag}</CellName>
          {lagBlocks === null ? <Unknown /> : lagBlocks.toLocaleString('en-US')}
        </td>
      </tr>
      {lastError && (
        <tr className="max-sm:block">
          <td colSpan={5} className="pb-2 text-xs text-dim max-sm:block">
            <span className="wrap-anywhere">{words.lastFailure(lastError.message)}</span>{' '}
            <time dateTime={lastError.at} className="figures ml-1 whitespace-nowrap text-faint">{formatMoment(Date.parse(lastError.at))}</time>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Unknown() {
  return (
    <span className="text-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{words.notKnown}</span>
    </span>
  );
}
