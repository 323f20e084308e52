'use client';

import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { formatCost } from '@/lib/browser/amounts';
import { joinsAsWav, respokenCostUsd, speakAnew, undoAnew } from '@/lib/browser/speech/speak-anew';
import { countCharacters, SPEECH_LIMITS } from '@/lib/browser/speech/speech-draft';
import { stopTakes, type Take } from '@/lib/browser/speech/takes';
import type { AudioControls } from '@/lib/browser/speech/use-audio';
import { takeWords } from '@/lib/browser/words/speech-takes';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { PencilLine, RotateCw, Square, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { RedoFailure } from './redo-failure';
import type { SpeechDesk } from './use-speech-desk';

interface SentenceToolsProps {
  take: Take;
  desk: SpeechDesk;
  audio: AudioControls;
  /** The number of the sentence that was pressed; null before one was. */
  chosen: number | null;
}

/** Has one sentence of a take spoken again, as it is or in other words, and undoes it. What it costs stands on the button. */
export function SentenceTools({ take, desk, audio, chosen }: SentenceToolsProps) {
  const [isChanging, setIsChanging] = useState(false);
  const said = useHeardChange(take, audio);
  const { anew } = takeWords;
  const sentence = chosen === null ? undefined : take.sentences[chosen];
  const costUsd = sentence === undefined ? null : respokenCostUsd(take, sentence.text, desk.models);
  const isBusy = take.redo?.status === 'asking';
  const redo = (text: string) => {
    if (chosen === null || isBusy) return;
    setIsChanging(false);
    void speakAnew(take.id, { from: chosen, to: chosen + 1, text }, desk.models, desk.credential.presented);
  };
  return (
    <div className="grid gap-2 border-t border-line pt-3 text-xs text-dim">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        {chosen === null || sentence === undefined ? (
          <span>{anew.help}</span>
        ) : (
          <span className="figures">{anew.chosen(chosen + 1, take.sentences.length)}</span>
        )}
        {sentence !== undefined && costUsd !== null && (
          <>
            <Button size="sm" aria-disabled={isBusy} onClick={() => redo(sentence.text)}>
              <RotateCw aria-hidden />
              {isBusy ? anew.speaking : anew.again(formatCost(costUsd))}
            </Button>
            <Button
              size="sm"
              tone="quiet"
              aria-disabled={isBusy}
              aria-expanded={isChanging}
              onClick={() => !isBusy && setIsChanging(!isChanging)}
            >
              <PencilLine aria-hidden />
              {anew.change}
            </Button>
          </>
        )}
        {isBusy && (
          <Button size="sm" tone="quiet" onClick={stopTakes}>
            <Square aria-hidden />
            {anew.stop}
          </Button>
        )}
        {take.earlier.length > 0 && !isBusy && (
          <Button size="sm" tone="quiet" onClick={() => void undoAnew(take.id)}>
            <Undo2 aria-hidden />
            {anew.undo}
          </Button>
        )}
        <span role="status">{said}</span>
      </div>
      {isChanging && sentence !== undefined && (
        <NewWords
          key={sentence.text}
          take={take}
          sentence={sentence.text}
          desk={desk}
          onSpeak={redo}
          onCancel={() => setIsChanging(false)}
        />
      )}
      {sentence !== undefined && costUsd === null && <p>{anew.modelGone}</p>}
      {sentence !== undefined && costUsd !== null && joinsAsWav(take) && (
        <p>{anew.asWav(AUDIO_FORMAT_INFO[take.request.response_format].name)}</p>
      )}
      {take.redo?.status === 'failed' && <RedoFailure take={take} redo={take.redo} desk={desk} />}
    </div>
  );
}

/** Says once that a take has changed, and lets the new part be heard. */
function useHeardChange(take: Take, audio: AudioControls): string | null {
  const count = take.earlier.length;
  const before = useRef({ count, redo: take.redo });
  const latest = useRef(audio);
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    latest.current = audio;
  });
  useEffect(() => {
    const { count: last, redo } = before.current;
    before.current = { count, redo: take.redo };
    if (count === last) return;
    setSaid(count > last ? takeWords.anew.done : takeWords.anew.undone);
    const start = redo === null ? undefined : take.sentences[redo.from]?.startSeconds;
    if (count > last && start !== undefined) latest.current.playFrom(start);
  }, [count, take.redo, take.sentences]);
  return said;
}

interface NewWordsProps {
  take: Take;
  sentence: string;
  desk: SpeechDesk;
  onSpeak: (text: string) => void;
  onCancel: () => void;
}

function NewWords({ take, sentence, desk, onSpeak, onCancel }: NewWordsProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState(sentence.trim());
  const { anew } = takeWords;
  // The blanks around it keep lines and paragraphs where they are.
  const text = sentence.replace(sentence.trim(), () => words.trim());
  const costUsd = respokenCostUsd(take, words, desk.models);
  const problem =
    words.trim() === ''
      ? anew.wordsMissing
      : take.characters - countCharacters(sentence) + countCharacters(text) > SPEECH_LIMITS.characters
        ? anew.tooLong(SPEECH_LIMITS.characters)
        : null;
  useEffect(() => {
    field.current?.focus();
  }, []);
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) onSpeak(text);
      }}
    >
      <Field label={anew.words} htmlFor={id} message={problem}>
        <textarea
          ref={field}
          id={id}
          dir="auto"
          value={words}
          aria-invalid={problem !== null}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel();
          }}
          className="min-h-16 w-full resize-y rounded-md border border-edge bg-ground px-2.5 py-2 text-sm text-ink aria-invalid:border-bad"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" tone="primary" disabled={problem !== null || costUsd === null}>
          {anew.speakWords(formatCost(costUsd ?? '0'))}
        </Button>
        <Button size="sm" onClick={onCancel}>
          {anew.cancel}
        </Button>
      </div>
    </form>
  );
}
