'use client';

import { bestOf, useNetworkHealth } from '@/components/health/network-health';
import { summarizeQuantity } from '@/components/json/summarize-quantity';
import { NetworkMark } from '@/components/marks/mark';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { describeNetwork } from '@/lib/browser/reads/networks';
import { formatCount, formatDuration } from '@/lib/browser/text/amounts';
import type { CallCredential } from '@/lib/client';
import { type ReactNode, useMemo, useState } from 'react';
import { rpcCompareWords as words } from '../tool-words';
import { compareAnswers, type ComparedCall, type ComparedField, type Comparison, placeOf } from './use-comparison';
import { CompareCard } from './compare-card';

const FIELDS_SHOWN = 60;

interface CompareResultsProps {
  comparison: Comparison;
  isOutdated: boolean;
  onRetry: (network: string, presented?: CallCredential) => void;
}

/** Shows all networks' answers path by path, with differences marked. */
export function CompareResults({ comparison: { calls, isRunning }, isOutdated, onRetry }: CompareResultsProps) {
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const [shown, setShown] = useState(FIELDS_SHOWN);
  const answered = useMemo(() => answeredAmong(calls), [calls]);
  const fields = useMemo(() => compareAnswers(answered.map(({ answer }) => answer.bodyText)), [answered]);
  if (calls.length === 0)
    return (
      <p data-drawing="plot" className="py-8 text-center text-sm text-dim">
        {words.empty}
      </p>
    );
  const listed = onlyDifferences ? fields.filter(({ differs }) => differs) : fields;
  const fastestMs = answered.length > 1 ? Math.min(...answered.map(({ answer }) => answer.latencyMs)) : null;
  return (
    <section aria-label={words.region} aria-busy={isRunning} className="grid gap-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-0 flex-1 text-sm">
          {comparisonSentence(calls, fields)} {isOutdated && <span className="text-faint">{words.outdated}</span>}
        </p>
        {answered.length > 1 && (
          <Button
            size="sm"
            tone="quiet"
            aria-pressed={onlyDifferences}
            onClick={() => setOnlyDifferences(!onlyDifferences)}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
          >
            {words.onlyDifferences}
          </Button>
        )}
      </div>
      <ComparePlot calls={calls} fields={fields} fastestMs={fastestMs} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-3">
        {calls.map((call) => (
          <CompareCard
            key={call.network}
            call={call}
            cells={cellsOf(
              listed.slice(0, shown),
              answered.findIndex(({ network }) => network === call.network),
            )}
            onRetry={(presented) => onRetry(call.network, presented)}
          />
        ))}
      </div>
      {listed.length > shown && (
        <Button
          size="sm"
          tone="quiet"
          className="justify-self-center"
          onClick={() => setShown(shown + FIELDS_SHOWN * 5)}
        >
          {words.showMore(formatCount(listed.length))}
        </Button>
      )}
    </section>
  );
}

function cellsOf(fields: readonly ComparedField[], column: number) {
  return fields.flatMap(({ path, cells }) => {
    const cell = cells[column];
    return cell === undefined ? [] : [{ path, ...cell }];
  });
}

const BAR_LEAST = 2;

function ComparePlot({
  calls,
  fields,
  fastestMs,
}: {
  calls: readonly ComparedCall[];
  fields: readonly ComparedField[];
  fastestMs: number | null;
}) {
  const { healthOf } = useNetworkHealth();
  const answered = answeredAmong(calls);
  const slowestMs = Math.max(...answered.map(({ answer }) => answer.latencyMs), 1);
  return (
    <table aria-label={words.plot} className="w-full text-sm max-sm:block">
      <ColumnHeads
        names={[
          { name: words.network },
          { name: words.time },
          { name: words.height, isFigure: true },
          { name: words.value, isFigure: true },
        ]}
      />
      <tbody className="divide-y divide-line max-sm:block">
        {calls.map((call) => {
          const health = healthOf(call.network);
          const height = health === null ? null : bestOf(health).height;
          const ms = call.status === 'answered' ? call.answer.latencyMs : null;
          return (
            <tr key={call.network} className="max-sm:block max-sm:py-2">
              <th scope="row" className={`${CELL} text-left font-medium whitespace-nowrap`}>
                <span className="inline-flex items-center gap-2 align-middle">
                  <NetworkMark slug={call.network} className="size-3.5 text-dim" />
                  {describeNetwork(call.network)?.name ?? call.network}
                </span>
              </th>
              <td className={`${CELL} w-2/5`}>
                <CellName>{words.time}</CellName>
                <Bar ms={ms} slowestMs={slowestMs} isFastest={ms !== null && ms === fastestMs} />
              </td>
              <td className={FIGURES_CELL}>
                <CellName>{words.height}</CellName>
                {height === null ? <Nothing /> : formatCount(BigInt(height))}
              </td>
              <td className={cn(FIGURES_CELL, 'pr-0')}>
                <CellName>{words.value}</CellName>
                <Value
                  call={call}
                  column={answered.findIndex(({ network }) => network === call.network)}
                  fields={fields}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Bar({ ms, slowestMs, isFastest }: { ms: number | null; slowestMs: number; isFastest: boolean }) {
  if (ms === null) return <Nothing />;
  return (
    <span className="flex flex-1 items-center gap-2">
      <span aria-hidden className="h-2 min-w-16 flex-1 overflow-hidden rounded-full bg-surface">
        <span
          className="block h-full rounded-full bg-blue"
          style={{ width: `${Math.max(BAR_LEAST, (ms / slowestMs) * 100)}%` }}
        />
      </span>
      <span className="figures w-28 shrink-0 text-xs">
        {formatDuration(ms)}
        {isFastest && <span className="ml-1.5 font-sans text-good">{words.fastest}</span>}
      </span>
    </span>
  );
}

function Value({ call, column, fields }: { call: ComparedCall; column: number; fields: readonly ComparedField[] }) {
  if (call.status === 'failed') return <span className="font-sans text-xs text-bad">{words.noResult}</span>;
  if (call.status !== 'answered' || column < 0) return <Nothing />;
  const cells = fields.map(({ path, cells: all }) => ({ path, cell: all[column] }));
  const odd = cells.filter(({ cell }) => cell?.isOdd).length;
  const [only] = cells;
  const text = only?.cell?.text ?? null;
  if (cells.length !== 1 || only === undefined || text === null)
    return <Odd isOdd={odd > 0}>{odd === 0 ? words.same : words.fieldsDiffer(odd)}</Odd>;
  const plain = text.replaceAll(/^"|"$/g, '');
  const { name, item } = placeOf(only.path);
  const place = {
    name,
    method: call.request.calls[item]?.method,
    symbol: describeNetwork(call.network)?.nativeSymbol,
  };
  const shown = summarizeQuantity(plain, place)?.text ?? plain;
  return (
    <Odd isOdd={odd > 0}>
      <span title={plain} className="inline-block max-w-60 truncate align-bottom">
        {shown}
      </span>
    </Odd>
  );
}

function Odd({ isOdd, children }: { isOdd: boolean; children: ReactNode }) {
  return (
    <span className={isOdd ? 'rounded-sm bg-amber-soft px-1.5 py-0.5 text-amber-ink' : undefined}>
      {isOdd && <span className="sr-only">{words.otherValue} </span>}
      {children}
    </span>
  );
}

function Nothing() {
  return <span className="text-faint">–</span>;
}

/** Returns the calls with an answer, including JSON-RPC errors. */
export function answeredAmong(calls: readonly ComparedCall[]): Extract<ComparedCall, { status: 'answered' }>[] {
  return calls.filter((call) => call.status === 'answered');
}

/** Describes the comparison's progress, then its result, in one sentence. */
export function comparisonSentence(calls: readonly ComparedCall[], fields: readonly ComparedField[]): string {
  const answered = answeredAmong(calls).length;
  const failed = calls.filter(({ status }) => status === 'failed').length;
  if (answered + failed < calls.length) return words.progress(answered + failed, calls.length);
  const failures = failed === 0 ? '' : ` ${words.failed(failed, calls.length)}`;
  if (answered === 0) return words.none;
  if (answered === 1) return words.one + failures;
  const differing = fields.filter(({ differs }) => differs).length;
  if (differing === 0) return words.equal(answered) + failures;
  return words.differ(differing, fields.length) + failures;
}
