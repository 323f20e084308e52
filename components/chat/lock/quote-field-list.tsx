import { quoteFields } from '@/lib/browser/chat/quote-fields';
import { chatLockWords as words } from '@/lib/browser/words/chat-lock';
import { useMemo } from 'react';

/** The fields of a quote with what stands in them. */
export function QuoteFieldList({ report }: { report: unknown }) {
  const fields = useMemo(() => quoteFields(report), [report]);
  if (fields === null) return <p className="text-dim">{words.quote.unreadable}</p>;
  return (
    <dl className="grid gap-x-3 gap-y-1.5 sm:grid-cols-[minmax(9rem,auto)_minmax(0,1fr)]">
      {fields.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-faint">{name}</dt>
          <dd className="figures mb-1 wrap-anywhere sm:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
