'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { chatPrivacyWords as words } from '@/lib/browser/words/chat-privacy';
import { useState } from 'react';

const QuoteFieldList = onDemand(() => import('./quote-field-list').then((module) => module.QuoteFieldList), {
  waiting: <Skeleton className="h-96" />,
});

/** Shows the quote's fields as this page parses them. Only the checks decide whether to trust them. */
export function QuoteFields({ report }: { report: unknown }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details
      className="group overflow-hidden rounded-md border border-line"
      onToggle={(event) => event.currentTarget.open && setWasOpened(true)}
    >
      <Summary
        onPointerEnter={QuoteFieldList.preload}
        onFocus={QuoteFieldList.preload}
        className="min-h-9 px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11"
      >
        {words.quote.title}
      </Summary>
      <div className="border-t border-line bg-surface p-2.5 text-xs">
        {wasOpened && <QuoteFieldList report={report} />}
      </div>
    </details>
  );
}
