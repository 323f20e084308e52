'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { respeak } from '@/lib/browser/speech/respeak';
import type { Redo, Recording } from '@/lib/browser/speech/recordings';
import type { SpeechDesk } from './use-speech-desk';

/** Shows why respeaking sentences failed. Retries after the user has solved the problem. */
export function RedoFailure({ recording, redo, desk }: { recording: Recording; redo: Redo; desk: SpeechDesk }) {
  if (redo.error === null) return null;
  return (
    <FailureCard
      interrupts={desk.recordings[0]?.id === recording.id ? 'speech' : undefined}
      error={redo.error}
      onRetry={(presented) => void respeak(recording.id, redo, desk.models, presented ?? desk.credential.presented)}
    />
  );
}
