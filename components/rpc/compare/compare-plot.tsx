'use client';

import { cn } from '@/components/ui/class-names';
import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { formatCount, formatDuration } from '@/lib/browser/amounts';
import { bestOf, useNetworkHealth } from '@/lib/browser/network-health';
import { describeNetwork } from '@/lib/browser/networks';
import { type ComparedField, placeOf } from '@/lib/browser/rpc/comparison/compare-answers';
import type { ComparedCall } from '@/lib/browser/rpc/comparison/use-comparison';
import { summarizeQuantity } from '@/lib/browser/rpc/decoding/summarize-quantity';
import { rpcCompareWords as words } from '@/lib/browser/words/rpc-tools';
import type { ReactNode } from 'react';
import { answeredAmong } from './comparison-sentence';

/** Narrowest bar, in percent. */
const BAR_LEAST = 2;

/** Shows a row per network: how long it took, its height, and its value with differences marked. */
export function ComparePlot({
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
                {describeNetwork(call.network)?.name ?? call.network}
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
