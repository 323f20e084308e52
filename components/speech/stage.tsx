'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { speechWords } from '@/lib/browser/words/speech';
import type { SpeechDesk } from './use-speech-desk';

const RecordingCards = onDemand(() => import('./recording-cards').then((module) => module.RecordingCards), {
  waiting: <Skeleton className="h-48" />,
});

export function Stage({ desk }: { desk: SpeechDesk }) {
  if (desk.recordings.length > 0) return <RecordingCards desk={desk} />;
  return (
    <p className="rounded-md border border-dashed border-edge px-4 py-12 text-center text-sm text-dim">
      {speechWords.empty.help}
    </p>
  );
}

export const preloadStage = RecordingCards.preload;
