'use client';

import { quoteFields } from '@/lib/browser/chat/quote-fields';
import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';

/** The quote itself, field by field, as this page reads its bytes. Believed only as far as the checks go. */
export function QuoteFields({ report }: { report: unknown }) {
  const fields = useMemo(() => quoteFields(report), [report]);
  if (fields === null) return null;
  return (
    <details className="group overflow-hidden rounded-md border border-line">
      <summary className="flex min-h-9 items-center gap-2 px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-dim transition-transform group-open:rotate-90" />
        All fields of the quote
      </summary>
      <dl className="grid gap-x-3 gap-y-1.5 border-t border-line bg-surface p-2.5 text-xs sm:grid-cols-[minmax(9rem,auto)_minmax(0,1fr)]">
        {fields.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="figures mb-1 wrap-anywhere sm:mb-0">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
