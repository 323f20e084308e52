import { formatCount, formatUsdNumber } from '@/lib/browser/amounts';
import { formatMoment } from '@/lib/browser/moments';
import { operatorWords } from '@/lib/browser/words/operator';
import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { useId } from 'react';

const words = operatorWords.payments;

export function OpenPayments({ payments }: { payments: BooksFigures['openPayments'] }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 content-start gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {words.title}
      </h2>
      {payments.length === 0 ? (
        <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
          {words.nothing}
        </p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {payments.map(({ state, payments: count, nanoUsd, oldestAt }) => (
            <li key={state} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
              <span>{words.states[state] ?? state}</span>
              <span className="figures text-right">{formatCount(count)}</span>
              <span className="text-xs text-dim">
                {words.oldest}{' '}
                <time dateTime={oldestAt} className="figures">
                  {formatMoment(Date.parse(oldestAt))}
                </time>
              </span>
              <span className="figures text-right text-xs text-dim">{formatUsdNumber(nanoUsd / 1e9)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
