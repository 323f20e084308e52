import { Summary } from '@/components/ui/summary';
import { formatDay } from '@/lib/browser/text/moments';

export function PlotSign({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2.5 rounded-xs ${className}`} />
      {children}
    </span>
  );
}

interface DayDetailsProps {
  summary: string;
  names: readonly string[];
  days: readonly { day: string; cells: readonly string[] }[];
}

export function DayDetails({ summary, names, days }: DayDetailsProps) {
  return (
    <details className="group text-sm">
      <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">{summary}</Summary>
      <div className="overflow-x-auto">
        <table className="mt-2 w-full border-y border-line">
          <thead className="text-xs text-faint">
            <tr>
              {names.map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={`py-1.5 font-normal ${index === 0 ? 'text-left' : 'pl-4 text-right'}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {days.toReversed().map(({ day, cells }) => (
              <tr key={day}>
                <th scope="row" className="figures py-1.5 text-left font-normal whitespace-nowrap">
                  <time dateTime={day}>{formatDay(day)}</time>
                </th>
                {cells.map((cell, index) => (
                  <td key={index} className="figures py-1.5 pl-4 text-right">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
