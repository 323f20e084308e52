'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { chatPrivacyWords as words } from '@/lib/browser/words/chat-privacy';
import { useState } from 'react';

const MeaningList = onDemand(() => import('./meaning-list').then((module) => module.MeaningList), {
  waiting: <Skeleton className="h-96" />,
});

const ID = 'what-verified-means';

export function showMeaning(): void {
  const details = document.getElementById(ID) as HTMLDetailsElement | null;
  if (details === null) return;
  details.open = true;
  details.scrollIntoView({ block: 'start' });
  details.querySelector('summary')?.focus({ preventScroll: true });
}

/** Explains the verdict "verified". */
export function Meaning() {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details
      id={ID}
      className="group scroll-mt-2 overflow-hidden rounded-md border border-line"
      onToggle={(event) => event.currentTarget.open && setWasOpened(true)}
    >
      <Summary
        onPointerEnter={MeaningList.preload}
        onFocus={MeaningList.preload}
        className="min-h-9 px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11"
      >
        {words.meaning.title}
      </Summary>
      <div className="grid gap-4 border-t border-line bg-surface p-3 text-sm">
        <p className="text-dim">{words.meaning.lead}</p>
        {wasOpened && <MeaningList />}
      </div>
    </details>
  );
}
