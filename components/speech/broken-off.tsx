'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatCost } from '@/lib/browser/amounts';
import { respokenCostUsd, restOf, respeak } from '@/lib/browser/speech/respeak';
import type { Recording } from '@/lib/browser/speech/recordings';
import { recordingWords } from '@/lib/browser/words/speech-recordings';
import { AudioLines, RotateCw } from 'lucide-react';
import { RedoFailure } from './redo-failure';
import type { SpeechDesk } from './use-speech-desk';

const WORDS_SHOWN = 6;

/** Shows how far an incomplete recording got, and offers to speak the remaining text. */
export function BrokenOff({ recording, desk }: { recording: Recording; desk: SpeechDesk }) {
  const rest = restOf(recording);
  const costUsd = rest === null ? null : respokenCostUsd(recording, rest.text, desk.models);
  const { broken } = recordingWords;
  const isBusy = recording.redo?.status === 'asking';
  if (rest === null) return null;
  if (recording.redo?.status === 'failed')
    return <RedoFailure recording={recording} redo={recording.redo} desk={desk} />;
  return (
    <Notice
      tone={recording.status === 'stopped' ? 'info' : 'bad'}
      title={broken.title(recording.status === 'stopped', rest.from, recording.sentences.length)}
      actions={
        <>
          {costUsd !== null && rest.from > 0 && (
            <Button
              size="sm"
              tone="primary"
              aria-disabled={isBusy}
              onClick={() => !isBusy && void respeak(recording.id, rest, desk.models, desk.credential.presented)}
            >
              <AudioLines aria-hidden />
              {isBusy ? recordingWords.respeak.speaking : broken.rest(formatCost(costUsd))}
            </Button>
          )}
          <Button size="sm" aria-disabled={isBusy} onClick={() => !isBusy && desk.speakAgain(recording)}>
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
