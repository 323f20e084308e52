import { formatCount } from '@/lib/browser/text/amounts';
import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { formatMoment } from '@/lib/browser/text/moments';
import { OperatorSection } from './operator-section';
import { operatorWords } from './words';
import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const words = operatorWords.gateways;

const HEADS = [
  { name: words.process },
  { name: words.state },
  { name: words.since },
  { name: words.openCalls, isFigure: true },
  { name: words.refused, isFigure: true },
];

type Gateway = OperatorFigures['gateways'][number];

/** Lists the processes that share the data folder. */
export function GatewayTable({ gateways }: { gateways: OperatorFigures['gateways'] }) {
  return (
    <OperatorSection title={words.title} note={words.note}>
      <table className="w-full border-y border-line text-sm">
        <ColumnHeads names={HEADS} />
        <tbody className="divide-y divide-line">
          {gateways.map((gateway) => (
            <GatewayRow key={gateway.pid} gateway={gateway} />
          ))}
        </tbody>
      </table>
    </OperatorSection>
  );
}

function GatewayRow({ gateway: { pid, figures } }: { gateway: Gateway }) {
  if (figures === null) {
    return (
      <tr className="max-sm:block max-sm:py-1.5">
        <th scope="row" className={`${CELL} figures text-left font-normal`}>
          {pid}
        </th>
        <td colSpan={4} className={CELL}>
          <State icon={<CircleX aria-hidden className="size-4 text-bad" />}>{words.silent}</State>{' '}
          <span className="align-middle text-dim">{words.lookAtLog}</span>
        </td>
      </tr>
    );
  }
  const { startedAt, isDraining, openCalls, refusals } = figures;
  const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0);
  return (
    <tr className="max-sm:block max-sm:py-1.5">
      <th scope="row" className={`${CELL} figures text-left font-normal`}>
        {pid}
      </th>
      <td className={CELL}>
        <CellName>{words.state}</CellName>
        {isDraining ? (
          <State icon={<TriangleAlert aria-hidden className="size-4 text-amber-ink" />}>{words.draining}</State>
        ) : (
          <State icon={<CircleCheck aria-hidden className="size-4 text-good" />}>{words.serving}</State>
        )}
      </td>
      <td className={`${CELL} figures whitespace-nowrap`}>
        <CellName>{words.since}</CellName>
        <time dateTime={startedAt}>{formatMoment(Date.parse(startedAt))}</time>
      </td>
      <td className={FIGURES_CELL}>
        <CellName>{words.openCalls}</CellName>
        {formatCount(openCalls)}
      </td>
      <td className={`${FIGURES_CELL} sm:pr-0`}>
        <CellName>{words.refused}</CellName>
        {formatCount(refused)}
      </td>
    </tr>
  );
}

function State({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      {icon}
      {children}
    </span>
  );
}
