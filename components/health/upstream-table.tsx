'use client';

import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { formatCount, formatDuration } from '@/lib/browser/text/amounts';
import { formatMoment } from '@/lib/browser/text/moments';
import type { UpstreamHealth } from '@/lib/client';
import { HealthMark, STATE_MARKS } from './health-mark';
import { networkHealthWords } from './words';

const words = networkHealthWords.table;

/** `network` is set if the table lists several networks. Absent fields have no columns. */
export type ShownUpstream = Omit<UpstreamHealth, 'height' | 'checkedAtMs'> & {
  network?: string;
  height?: string | null;
};

interface UpstreamTableProps {
  /** All rows must have the same fields. */
  upstreams: readonly ShownUpstream[];
  caption?: string;
}

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

const limitWords = networkHealthWords.limits;
const METHODS_SHOWN_MAX = 3;
const CHAIN_DATA = ['state', 'history', 'trace'] as const;

/** Lists an upstream's limits as short phrases. Leaves out unknown limits. */
export function limitPhrases({
  prunedBelow,
  rangeBlocksMax,
  batchItemsMax,
  missingMethods,
  outvoted,
}: NonNullable<UpstreamHealth['limits']>): string[] {
  const phrases = CHAIN_DATA.flatMap((data) => {
    const block = isRecord(prunedBelow) ? prunedBelow[data] : null;
    return isCount(block) ? limitWords.prunedBelow(data, formatCount(block)) : [];
  });
  if (isCount(rangeBlocksMax)) phrases.push(limitWords.ranges(formatCount(rangeBlocksMax)));
  if (isCount(batchItemsMax))
    phrases.push(batchItemsMax <= 1 ? limitWords.noBatches : limitWords.batches(formatCount(batchItemsMax)));
  const methods = Array.isArray(missingMethods) ? missingMethods.filter((method) => typeof method === 'string') : [];
  if (methods.length > 0) phrases.push(limitWords.missing(methodsText(methods)));
  if (isCount(outvoted) && outvoted > 0) phrases.push(limitWords.outvoted(formatCount(outvoted)));
  return phrases;
}

function methodsText(methods: readonly string[]): string {
  const hidden = methods.length - METHODS_SHOWN_MAX;
  return [...methods.slice(0, METHODS_SHOWN_MAX), ...(hidden > 0 ? [limitWords.more(hidden)] : [])].join(', ');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
