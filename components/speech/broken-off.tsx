'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatCost } from '@/lib/browser/amounts';
import { respokenCostUsd, restOf, speakAnew } from '@/lib/browser/speech/speak-anew';
import type { Take } from '@/lib/browser/speech/takes';
import { takeWords } from '@/lib/browser/words/speech-takes';
import { AudioLines, RotateCw } from 'lucide-react';
import { RedoFailure } from './redo-failure';
import type { SpeechDesk } from './use-speech-desk';

const WORDS_SHOWN = 6;

/** What came of a take that broke off or was stopped, and speaking what is missing. */
export function BrokenOff({ take, desk }: { take: Take; desk: SpeechDesk }) {
  const rest = restOf(take);
  const costUsd = rest === null ? null : respokenCostUsd(take, rest.text, desk.models);
  const { broken } = takeWords;
  const isBusy = take.redo?.status === 'asking';
  if (rest === null) return null;
  if (take.redo?.status === 'failed') return <RedoFailure take={take} redo={take.redo} desk={desk} />;
  return (
    <Notice
      tone={take.status === 'stopped' ? 'info' : 'bad'}
      title={broken.title(take.status === 'stopped', rest.from, take.sentences.length)}
      actions={
        <>
          {costUsd !== null && rest.from > 0 && (
            <Button
              size="sm"
              tone="primary"
              aria-disabled={isBusy}
              onClick={() => !isBusy && void speakAnew(take.id, rest, desk.models, desk.credential.presented)}
            >
              <AudioLines aria-hidden />
              {isBusy ? takeWords.anew.speaking : broken.rest(formatCost(costUsd))}
            </Button>
          )}
          <Button size="sm" aria-disabled={isBusy} onClick={() => !isBusy && desk.speakAgain(take)}>
            <RotateCw aria-hidden />
            {broken.all}
          </Button>
        </>
      }
    >
      <p>{broken.kept}</p>
      {rest.from > 0 && <p>{broken.begins(firstWords(rest.text))}</p>}
    </Notice>
  );
}

function firstWords(text: string): string {
  const words = text.trim().split(/\s+/);
  const shown = Array.from(words.slice(0, WORDS_SHOWN).join(' ')).slice(0, 60).join('');
  return words.length > WORDS_SHOWN ? `${shown}…` : shown;
}
