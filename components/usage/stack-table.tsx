'use client';

import { Button } from '@/components/ui/button';
import { usageWords } from './words';
import type { StackedPlotProps } from './stacked-plot';

const words = usageWords.plot;

/** Shows the plot's values as a table, without empty hours and days. */
export function StackTable(props: StackedPlotProps) {
  const { series, buckets, isByHour, nameOf, format, shownOf = ({ parts }) => parts, totalName, onChoose } = props;
  const heads = [...series.map(({ label }) => label), ...(totalName === null ? [] : [totalName])];
  return (
    <div tabIndex={0} role="group" aria-label={words.table} className="mt-2 overflow-x-auto border-y border-line">
      <table className="w-full">
        <thead className="text-xs text-faint">
          <tr>
            <th scope="col" className="py-1.5 text-left font-normal">
              {isByHour ? words.hour : words.day}
            </th>
            {heads.map((name, index) => (
              <th key={index} scope="col" className="py-1.5 pl-4 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {buckets
            .filter(({ value }) => value > 0)
            .toReversed()
            .map((bucket) => ({
              ...bucket,
              shown: [...shownOf(bucket), ...(totalName === null ? [] : [bucket.value])],
            }))
            .map(({ start, shown }) => (
              <tr key={start}>
                <th scope="row" className="figures py-1 text-left font-normal whitespace-nowrap">
                  {onChoose === undefined ? (
                    <time dateTime={start}>{nameOf(start)}</time>
                  ) : (
                    <Button
                      size="sm"
                      tone="quiet"
                      className="-ml-2"
                      aria-label={words.open(nameOf(start))}
                      onClick={() => onChoose(start)}
                    >
                      <time dateTime={start}>{nameOf(start)}</time>
                    </Button>
                  )}
                </th>
                {shown.map((amount, index) => (
                  <td key={index} className="figures py-1.5 pl-4 text-right whitespace-nowrap">
                    {format(amount)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
