'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { speakAnew } from '@/lib/browser/speech/speak-anew';
import type { Redo, Take } from '@/lib/browser/speech/takes';
import type { SpeechDesk } from './use-speech-desk';

/** Why sentences could not be spoken anew; once that is solved, they are. */
export function RedoFailure({ take, redo, desk }: { take: Take; redo: Redo; desk: SpeechDesk }) {
  if (redo.error === null) return null;
  return (
    <FailureCard
      interrupts={desk.takes[0]?.id === take.id ? 'speech' : undefined}
      error={redo.error}
      onRetry={(presented) => void speakAnew(take.id, redo, desk.models, presented ?? desk.credential.presented)}
    />
  );
}
