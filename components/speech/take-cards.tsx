'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { Skeleton } from '@/components/ui/skeleton';
import type { Take } from '@/lib/browser/speech/takes';
import { takeWords } from '@/lib/browser/words/speech-takes';
import { BrokenOff } from './broken-off';
import { TakePlayer } from './take-player';
import type { SpeechDesk } from './use-speech-desk';

/** The takes of the stage, one below the other. */
export function TakeCards({ desk }: { desk: SpeechDesk }) {
  return (
    <div className="grid gap-4">
      {desk.takes.map((take) => (
        <TakeCard key={take.id} take={take} desk={desk} isCompared={desk.takes.length > 1} />
      ))}
    </div>
  );
}

function TakeCard({ take, desk, isCompared }: { take: Take; desk: SpeechDesk; isCompared: boolean }) {
  const { voice, model } = take.request;
  const isFirst = desk.takes[0]?.id === take.id;
  const cameToNothing = take.status === 'failed' && take.bytes === 0;
  return (
    <article
      tabIndex={-1}
      aria-label={takeWords.name(voice, model)}
      aria-busy={take.status === 'asking' || take.status === 'arriving'}
      className="grid min-w-0 gap-3 rounded-md border border-line p-3 lg:p-4"
    >
      <header className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{voice}</h2>
        <span className="figures min-w-0 text-xs wrap-anywhere text-faint">{model}</span>
        <span className="flex-1" />
        <span role="status" className="text-xs text-dim">
          {takeWords.status(take.status, take.bytes)}
        </span>
      </header>
      {take.status === 'failed' && take.error !== null && take.restFrom === null && (
        <FailureCard
          interrupts={isFirst ? 'speech' : undefined}
          error={take.error}
          onRetry={(presented) => desk.speakAgain(take, presented)}
        />
      )}
      {take.restFrom !== null && <BrokenOff take={take} desk={desk} />}
      {take.status === 'asking' && <Skeleton className="h-24" />}
      {(take.status === 'arriving' || (take.playUrl !== null && !cameToNothing)) && (
        <TakePlayer take={take} desk={desk} isCompared={isCompared} />
      )}
    </article>
  );
}
