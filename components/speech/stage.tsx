'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { speechWords } from '@/lib/browser/words/speech';
import type { SpeechDesk } from './use-speech-desk';

const TakeCards = onDemand(() => import('./take-cards').then((module) => module.TakeCards), {
  waiting: <Skeleton className="h-48" />,
});

/** What was asked for last: a take, or two that are compared. */
export function Stage({ desk }: { desk: SpeechDesk }) {
  if (desk.takes.length > 0) return <TakeCards desk={desk} />;
  return (
    <p className="rounded-md border border-dashed border-edge px-4 py-12 text-center text-sm text-dim">
      {speechWords.empty.help}
    </p>
  );
}

/** Loads what a take is shown with, for the moment in which somebody is about to speak. */
export const preloadStage = TakeCards.preload;
