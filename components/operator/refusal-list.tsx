import { formatCount } from '@/lib/browser/amounts';
import { operatorWords } from '@/lib/browser/words/operator';
import { useId } from 'react';

const words = operatorWords.refusals;

export function RefusalList({ refusals }: { refusals: readonly { code: string; count: number }[] }) {
  const id = useId();
  const most = refusals[0]?.count ?? 0;
  return (
    <section aria-labelledby={id} className="grid min-w-0 content-start gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {words.title}
      </h2>
      {refusals.length === 0 ? (
        <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
          {words.nothing}
        </p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {refusals.map(({ code, count }) => (
            <li key={code} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-3 py-2 text-sm">
              <code className="figures text-xs wrap-anywhere">{code}</code>
              <span className="figures text-right">{formatCount(count)}</span>
              <span aria-hidden className="col-span-2 mt-1.5 h-1 rounded-full bg-hover">
                <span
                  className="block h-full rounded-full bg-amber"
                  style={{ width: `${Math.max(1, (count / most) * 100)}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
