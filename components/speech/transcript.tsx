'use client';

import { cn } from '@/components/ui/class-names';
import { HeldButton } from '@/components/ui/held-button';
import type { AudioControls } from '@/lib/browser/speech/use-audio';
import { sentenceAt } from '@/lib/browser/speech/sentence-times';
import type { Take } from '@/lib/browser/speech/takes';
import { takeWords } from '@/lib/browser/words/speech-takes';
import { useState } from 'react';
import { SentenceTools } from './sentence-tools';
import type { SpeechDesk } from './use-speech-desk';

/** The text, sentence by sentence: the one that is heard is lit, and each can be pressed to hear it, or to have it spoken again. */
export function Transcript({ take, desk, audio }: { take: Take; desk: SpeechDesk; audio: AudioControls }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const current = audio.isPlaying || audio.seconds > 0 ? sentenceAt(take.sentences, audio.seconds) : -1;
  const heard = take.restFrom ?? take.sentences.length;
  return (
    <>
      <p
        dir="auto"
        aria-label={takeWords.sentences}
        className="max-h-64 overflow-auto text-base leading-7 whitespace-pre-wrap"
      >
        {take.sentences.map(({ text, startSeconds }, index) => (
          <HeldButton
            key={index}
            aria-current={index === current && index < heard ? 'true' : undefined}
            aria-pressed={index === chosen}
            disabled={index >= heard || (audio.durationSeconds === null && take.status !== 'there')}
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
      {take.status === 'there' && (
        <SentenceTools
          key={chosen}
          take={take}
          desk={desk}
          audio={audio}
          chosen={chosen !== null && chosen < take.sentences.length ? chosen : null}
        />
      )}
    </>
  );
}
