'use client';

import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { formatCount, formatDuration } from '@/lib/browser/amounts';
import { formatMoment } from '@/lib/browser/moments';
import { limitPhrases } from '@/lib/browser/upstream-limits';
import type { UpstreamHealth } from '@/lib/client';
import { networkHealthWords } from '@/lib/browser/words/network-health';
import { HealthMark, STATE_MARKS } from './health-mark';

const words = networkHealthWords.table;

/** Row of the table. `network` is set if the table lists several networks. An absent field has no column. */
export type ShownUpstream = Omit<UpstreamHealth, 'height' | 'checkedAtMs'> & {
  network?: string;
  height?: string | null;
};

interface UpstreamTableProps {
  /** All rows must have the same fields. */
  upstreams: readonly ShownUpstream[];
  caption?: string;
}

/** Lists upstreams with state, latency, height, lag, limits and last error. */
export function UpstreamTable({ upstreams, caption = words.caption }: UpstreamTableProps) {
  const [first] = upstreams;
  const heads = [
    ...(first?.network === undefined ? [] : [{ name: words.network }]),
    { name: words.upstream },
    { name: words.state },
    { name: words.latency, isFigure: true },
    ...(first?.height === undefined ? [] : [{ name: words.height, isFigure: true }]),
    { name: words.lag, isFigure: true },
  ];
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{caption}</caption>
      <ColumnHeads names={heads} />
      {upstreams.map((upstream, index) => (
        <UpstreamRows key={index} upstream={upstream} columns={heads.length} />
      ))}
    </table>
  );
}

function UpstreamRows({
  upstream: { network, name, state, latencyP50Ms, height, lagBlocks, lastError, limits },
  columns,
}: {
  upstream: ShownUpstream;
  columns: number;
}) {
  const phrases = limits ? limitPhrases(limits) : [];
  const nameCell = `${CELL} text-left font-normal whitespace-nowrap`;
  return (
    <tbody className="border-b border-line last:border-b-0 max-sm:block max-sm:py-1.5">
      <tr className="max-sm:block">
        <th scope="row" className={nameCell}>
          {network ?? name}
        </th>
        {network !== undefined && (
          <td className={CELL}>
            <CellName>{words.upstream}</CellName>
            {name}
          </td>
        )}
        <td className={CELL}>
          <CellName>{words.state}</CellName>
          <HealthMark mark={STATE_MARKS[state]} />
        </td>
        <td className={FIGURES_CELL}>
          <CellName>{words.latency}</CellName>
          {latencyP50Ms === null ? <Unknown /> : formatDuration(latencyP50Ms)}
        </td>
        {height !== undefined && (
          <td className={FIGURES_CELL}>
            <CellName>{words.height}</CellName>
            {height === null ? <Unknown /> : formatCount(BigInt(height))}
          </td>
        )}
        <td className={`${FIGURES_CELL} sm:pr-0`}>
          <CellName>{words.lag}</CellName>
          {lagBlocks === null ? <Unknown /> : formatCount(lagBlocks)}
        </td>
      </tr>
      {phrases.length > 0 && (
        <tr className="max-sm:block">
          <td colSpan={columns} className="pb-2 text-xs text-dim wrap-anywhere max-sm:block">
            {phrases.join(' · ')}
          </td>
        </tr>
      )}
      {lastError && (
        <tr className="max-sm:block">
          <td colSpan={columns} className="pb-2 text-xs text-dim max-sm:block">
            <span className="wrap-anywhere">{words.lastError(lastError.message)}</span>
            {lastError.atMs !== null && (
              <>
                {' '}
                <time
                  dateTime={new Date(lastError.atMs).toISOString()}
                  className="figures whitespace-nowrap text-faint"
                >
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

function Unknown() {
  return (
    <span className="text-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{words.notKnown}</span>
    </span>
  );
}
