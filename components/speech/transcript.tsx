'use client';

import { cn } from '@/components/ui/class-names';
import { HeldButton } from '@/components/ui/held-button';
import type { AudioControls } from '@/lib/browser/speech/use-audio';
import { sentenceAt } from '@/lib/browser/speech/sentence-times';
import type { Recording } from '@/lib/browser/speech/recordings';
import { recordingWords } from '@/lib/browser/words/speech-recordings';
import { useState } from 'react';
import { SentenceTools } from './sentence-tools';
import type { SpeechDesk } from './use-speech-desk';

/** Shows the text by sentence. Pressing a sentence plays it or lets the user respeak it. */
export function Transcript({
  recording,
  desk,
  audio,
}: {
  recording: Recording;
  desk: SpeechDesk;
  audio: AudioControls;
}) {
  const [chosen, setChosen] = useState<number | null>(null);
  const current = audio.isPlaying || audio.seconds > 0 ? sentenceAt(recording.sentences, audio.seconds) : -1;
  const heard = recording.restFrom ?? recording.sentences.length;
  return (
    <>
      <p
        dir="auto"
        aria-label={recordingWords.sentences}
        className="max-h-64 overflow-auto text-base leading-7 whitespace-pre-wrap"
      >
        {recording.sentences.map(({ text, startSeconds }, index) => (
          <HeldButton
            key={index}
            aria-current={index === current && index < heard ? 'true' : undefined}
            aria-pressed={index === chosen}
            disabled={index >= heard || (audio.durationSeconds === null && recording.status !== 'there')}
            onClick={() => {
              setChosen(index);
              audio.playFrom(startSeconds);
            }}
            className={cn(
              'inline rounded-sm text-start whitespace-pre-wrap transition-colors wrap-anywhere hover:bg-hover',
              index === current && index < heard
                ? 'bg-amber-soft text-amber-ink'
                : index < heard
                  ? 'text-ink'
                  : 'text-faint',
              index === chosen && 'underline decoration-amber-line decoration-2 underline-offset-4',
            )}
          >
            {text}
          </HeldButton>
        ))}
      </p>
      {recording.status === 'there' && (
        <SentenceTools
          key={chosen}
          recording={recording}
          desk={desk}
          audio={audio}
          chosen={chosen !== null && chosen < recording.sentences.length ? chosen : null}
        />
      )}
    </>
  );
}
