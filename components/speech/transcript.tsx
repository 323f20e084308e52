'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Field } from '@/components/ui/field';
import { HeldButton } from '@/components/ui/held-button';
import { sentenceAt } from '@/lib/browser/audio/sentence-times';
import type { AudioControls } from '@/lib/browser/audio/use-audio';
import { formatCost } from '@/lib/browser/text/amounts';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { PencilLine, RotateCw, Square, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { recordingWords } from './recording-words';
import { type Recording, type Redo, stopRecordings } from './recordings';
import { joinsAsWav, respeak, respokenCostUsd, undoRespeak } from './respeak';
import { countCharacters, SPEECH_LIMITS } from './speech-draft';
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

interface SentenceToolsProps {
  recording: Recording;
  desk: SpeechDesk;
  audio: AudioControls;
  /** Index of the pressed sentence; null if no sentence is pressed. */
  chosen: number | null;
}

function SentenceTools({ recording, desk, audio, chosen }: SentenceToolsProps) {
  const [isChanging, setIsChanging] = useState(false);
  const said = useHeardChange(recording, audio);
  const labels = recordingWords.respeak;
  const sentence = chosen === null ? undefined : recording.sentences[chosen];
  const costUsd = sentence === undefined ? null : respokenCostUsd(recording, sentence.text, desk.models);
  const isBusy = recording.redo?.status === 'asking';
  const redo = (text: string) => {
    if (chosen === null || isBusy) return;
    setIsChanging(false);
    void respeak(recording.id, { from: chosen, to: chosen + 1, text }, desk.models, desk.credential.presented);
  };
  return (
    <div className="grid gap-2 border-t border-line pt-3 text-xs text-dim">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        {chosen === null || sentence === undefined ? (
          <span>{labels.help}</span>
        ) : (
          <span className="figures">{labels.chosen(chosen + 1, recording.sentences.length)}</span>
        )}
        {sentence !== undefined && costUsd !== null && (
          <>
            <Button size="sm" aria-disabled={isBusy} onClick={() => redo(sentence.text)}>
              <RotateCw aria-hidden />
              {isBusy ? labels.speaking : labels.again(formatCost(costUsd))}
            </Button>
            <Button
              size="sm"
              tone="quiet"
              aria-disabled={isBusy}
              aria-expanded={isChanging}
              onClick={() => !isBusy && setIsChanging(!isChanging)}
            >
              <PencilLine aria-hidden />
              {labels.change}
            </Button>
          </>
        )}
        {isBusy && (
          <Button size="sm" tone="quiet" onClick={stopRecordings}>
            <Square aria-hidden />
            {labels.stop}
          </Button>
        )}
        {recording.earlier.length > 0 && !isBusy && (
          <Button size="sm" tone="quiet" onClick={() => void undoRespeak(recording.id)}>
            <Undo2 aria-hidden />
            {labels.undo}
          </Button>
        )}
        <span role="status">{said}</span>
      </div>
      {isChanging && sentence !== undefined && (
        <NewWords
          key={sentence.text}
          recording={recording}
          sentence={sentence.text}
          desk={desk}
          onSpeak={redo}
          onCancel={() => setIsChanging(false)}
        />
      )}
      {sentence !== undefined && costUsd === null && <p>{labels.modelGone}</p>}
      {sentence !== undefined && costUsd !== null && joinsAsWav(recording) && (
        <p>{labels.asWav(AUDIO_FORMAT_INFO[recording.request.response_format].name)}</p>
      )}
      {recording.redo?.status === 'failed' && <RedoFailure recording={recording} redo={recording.redo} desk={desk} />}
    </div>
  );
}

function useHeardChange(recording: Recording, audio: AudioControls): string | null {
  const count = recording.earlier.length;
  const before = useRef({ count, redo: recording.redo });
  const latest = useRef(audio);
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    latest.current = audio;
  });
  useEffect(() => {
    const { count: last, redo } = before.current;
    before.current = { count, redo: recording.redo };
    if (count === last) return;
    setSaid(count > last ? recordingWords.respeak.done : recordingWords.respeak.undone);
    const start = redo === null ? undefined : recording.sentences[redo.from]?.startSeconds;
    if (count > last && start !== undefined) latest.current.playFrom(start);
  }, [count, recording.redo, recording.sentences]);
  return said;
}

interface NewWordsProps {
  recording: Recording;
  sentence: string;
  desk: SpeechDesk;
  onSpeak: (text: string) => void;
  onCancel: () => void;
}

function NewWords({ recording, sentence, desk, onSpeak, onCancel }: NewWordsProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState(sentence.trim());
  const labels = recordingWords.respeak;
  // Keeps surrounding whitespace, so that line breaks and paragraphs stay.
  const text = sentence.replace(sentence.trim(), () => words.trim());
  const costUsd = respokenCostUsd(recording, words, desk.models);
  const problem =
    words.trim() === ''
      ? labels.wordsMissing
      : recording.characters - countCharacters(sentence) + countCharacters(text) > SPEECH_LIMITS.characters
        ? labels.tooLong(SPEECH_LIMITS.characters)
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
      <Field label={labels.words} htmlFor={id} message={problem}>
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
          {labels.speakWords(formatCost(costUsd ?? '0'))}
        </Button>
        <Button size="sm" onClick={onCancel}>
          {labels.cancel}
        </Button>
      </div>
    </form>
  );
}

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
