'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { chatLockWords as words } from '@/lib/browser/words/chat-lock';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';

const QuoteFieldList = onDemand(() => import('./quote-field-list').then((module) => module.QuoteFieldList), { waiting: <Skeleton className="h-96" /> });

/** The quote itself, field by field, as this page reads its bytes. Believed only as far as the checks go. */
export function QuoteFields({ report }: { report: unknown }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className="group overflow-hidden rounded-md border border-line" onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
      <summary onPointerEnter={QuoteFieldList.preload} onFocus={QuoteFieldList.preload} className="flex min-h-9 items-center gap-2 px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-dim transition-transform group-open:rotate-90" />
        {words.quote.title}
      </summary>
      <div className="border-t border-line bg-surface p-2.5 text-xs">{wasOpened && <QuoteFieldList report={report} />}</div>
    </details>
  );
}
