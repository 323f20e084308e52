'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { Skeleton } from '@/components/ui/skeleton';
import type { Recording } from '@/lib/browser/speech/recordings';
import { recordingWords } from '@/lib/browser/words/speech-recordings';
import { BrokenOff } from './broken-off';
import { RecordingPlayer } from './recording-player';
import type { SpeechDesk } from './use-speech-desk';

export function RecordingCards({ desk }: { desk: SpeechDesk }) {
  return (
    <div className="grid gap-4">
      {desk.recordings.map((recording) => (
        <RecordingCard key={recording.id} recording={recording} desk={desk} isCompared={desk.recordings.length > 1} />
      ))}
    </div>
  );
}

function RecordingCard({
  recording,
  desk,
  isCompared,
}: {
  recording: Recording;
  desk: SpeechDesk;
  isCompared: boolean;
}) {
  const { voice, model } = recording.request;
  const isFirst = desk.recordings[0]?.id === recording.id;
  const cameToNothing = recording.status === 'failed' && recording.bytes === 0;
  return (
    <article
      tabIndex={-1}
      aria-label={recordingWords.name(voice, model)}
      aria-busy={recording.status === 'asking' || recording.status === 'arriving'}
      className="grid min-w-0 gap-3 rounded-md border border-line p-3 lg:p-4"
    >
      <header className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{voice}</h2>
        <span className="figures min-w-0 text-xs wrap-anywhere text-faint">{model}</span>
        <span className="flex-1" />
        <span role="status" className="text-xs text-dim">
          {recordingWords.status(recording.status, recording.bytes)}
        </span>
      </header>
      {recording.status === 'failed' && recording.error !== null && recording.restFrom === null && (
        <FailureCard
          interrupts={isFirst ? 'speech' : undefined}
          error={recording.error}
          onRetry={(presented) => desk.speakAgain(recording, presented)}
        />
      )}
      {recording.restFrom !== null && <BrokenOff recording={recording} desk={desk} />}
      {recording.status === 'asking' && <Skeleton className="h-24" />}
      {(recording.status === 'arriving' || (recording.playUrl !== null && !cameToNothing)) && (
        <RecordingPlayer recording={recording} desk={desk} isCompared={isCompared} />
      )}
    </article>
  );
}
