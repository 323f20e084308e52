'use client';

import { formatDuration } from '@/lib/browser/amounts';
import { formatMoment } from '@/lib/browser/moments';
import type { UpstreamHealth } from '@/lib/client';
import { networkHealthWords } from '@/lib/browser/words/network-health';
import { HealthMark, STATE_MARKS } from './health-mark';

const words = networkHealthWords.table;

/** The upstreams of a network, each with its state, latency, height, lag and last error. On a phone each is a block of its own. */
export function UpstreamTable({ upstreams }: { upstreams: readonly UpstreamHealth[] }) {
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{words.caption}</caption>
      <thead className="border-b border-line text-left text-xs text-faint max-sm:sr-only">
        <tr>
          <th scope="col" className="py-1.5 pr-4 font-normal">{words.upstream}</th>
          <th scope="col" className="py-1.5 pr-4 font-normal">{words.state}</th>
          <th scope="col" className="py-1.5 pr-4 text-right font-normal">{words.latency}</th>
          <th scope="col" className="py-1.5 pr-4 text-right font-normal">{words.height}</th>
          <th scope="col" className="py-1.5 text-right font-normal">{words.lag}</th>
        </tr>
      </thead>
      {upstreams.map((upstream, index) => (
        <UpstreamRows key={index} upstream={upstream} />
      ))}
    </table>
  );
}

const CELL = 'align-middle py-1.5 pr-4 max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-0.5 max-sm:pr-0';
const FIGURES = `${CELL} figures text-right whitespace-nowrap`;

function UpstreamRows({ upstream: { name, state, latencyP50Ms, height, lagBlocks, lastError } }: { upstream: UpstreamHealth }) {
  return (
    <tbody className="border-b border-line last:border-b-0 max-sm:block max-sm:py-1.5">
      <tr className="max-sm:block">
        <th scope="row" className={`${CELL} text-left font-normal whitespace-nowrap`}>{name}</th>
        <td className={CELL}>
          <CellName>{words.state}</CellName>
          <HealthMark mark={STATE_MARKS[state]} />
        </td>
        <td className={FIGURES}>
          <CellName>{words.latency}</CellName>
          {latencyP50Ms === null ? <Unknown /> : formatDuration(latencyP50Ms)}
        </td>
        <td className={FIGURES}>
          <CellName>{words.height}</CellName>
          {height === null ? <Unknown /> : BigInt(height).toLocaleString('en-US')}
        </td>
        <td className={`${FIGURES} sm:pr-0`}>
          <CellName>{words.lag}</CellName>
          {lagBlocks === null ? <Unknown /> : lagBlocks.toLocaleString('en-US')}
        </td>
      </tr>
      {lastError && (
        <tr className="max-sm:block">
          <td colSpan={5} className="pb-2 text-xs text-dim max-sm:block">
            <span className="wrap-anywhere">{words.lastError(lastError.message)}</span>
            {lastError.atMs !== null && (
              <>
                {' '}
                <time dateTime={new Date(lastError.atMs).toISOString()} className="figures whitespace-nowrap text-faint">
                  {formatMoment(lastError.atMs)}
                </time>
              </>
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** What the head of the table says on wide screens. */
function CellName({ children }: { children: string }) {
  return (
    <span aria-hidden className="font-sans text-xs text-faint sm:hidden">
      {children}
    </span>
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
