'use client';

import { cn } from '@/components/ui/class-names';
import { Field, Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { editSpeechDraft, SPEECH_LIMITS } from './speech-draft';
import { speechWords } from './words';
import { AUDIO_FORMAT_INFO, AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import { type CSSProperties, useId } from 'react';
import type { SpeechDesk } from './use-speech-desk';
import { VoiceFields } from './voice-fields';

const STATUS_ID = 'speech-status';
const { text: textWords, sound: soundWords, style: styleWords } = speechWords;

export function TextPane({ desk }: { desk: SpeechDesk }) {
  const { draft, characters } = desk;
  const hydrated = useHydrated();
  const isTooLong = characters > SPEECH_LIMITS.characters;
  return (
    <section aria-label={textWords.pane} className="flex min-h-0 flex-1 flex-col lg:overflow-auto">
      <textarea
        aria-label={textWords.label}
        aria-describedby={STATUS_ID}
        aria-invalid={isTooLong}
        dir="auto"
        value={draft.text}
        readOnly={!hydrated}
        onChange={(event) => editSpeechDraft({ text: event.target.value })}
        placeholder={textWords.placeholder}
        className="min-h-48 w-full flex-1 resize-none bg-transparent p-3 text-base leading-6 outline-offset-[-2px] placeholder:text-faint lg:min-h-56 lg:p-4"
      />
      <div
        id={STATUS_ID}
        className="flex min-h-8 shrink-0 items-center justify-between gap-3 border-y border-line bg-surface px-3 py-1.5 text-xs lg:px-4"
      >
        <span
          role={desk.refusedToSpeak ? 'alert' : undefined}
          className={cn('min-w-0', desk.problem === null ? 'text-faint' : 'text-bad')}
        >
          {desk.problem === null
            ? desk.settled !== null && textWords.ready
            : desk.refusedToSpeak
              ? textWords.notSent(desk.problem)
              : desk.problem}
        </span>
        <span className={cn('figures shrink-0', isTooLong ? 'text-bad' : 'text-dim')}>
          {textWords.count(characters, SPEECH_LIMITS.characters)}
        </span>
      </div>
      <div className="grid shrink-0 grid-cols-[minmax(0,1fr)] content-start gap-4 p-3 lg:min-h-98 lg:p-4">
        <VoiceFields desk={desk} />
        <SoundFields desk={desk} />
        <StyleFields desk={desk} />
      </div>
    </section>
  );
}

function SoundFields({ desk: { draft, settled } }: { desk: SpeechDesk }) {
  const id = useId();
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label={soundWords.format} htmlFor={`${id}-format`}>
        <Select
          id={`${id}-format`}
          disabled={settled === null}
          value={settled?.format ?? ''}
          onChange={(value) => editSpeechDraft({ format: AUDIO_FORMATS.find((format) => format === value) ?? '' })}
          options={(settled?.model.formats ?? []).map((format) => ({
            value: format,
            label: `${AUDIO_FORMAT_INFO[format].name}${format === settled?.model.defaultFormat ? soundWords.byDefault : ''}`,
          }))}
        />
      </Field>
      <Field
        label={soundWords.speed}
        htmlFor={`${id}-speed`}
        hint={<span className="figures">{soundWords.times(draft.speed.toFixed(2))}</span>}
      >
        <input
          id={`${id}-speed`}
          type="range"
          min={SPEECH_LIMITS.speedMin}
          max={SPEECH_LIMITS.speedMax}
          step={0.05}
          value={draft.speed}
          aria-valuetext={soundWords.timesSpoken(draft.speed.toFixed(2))}
          onChange={(event) => editSpeechDraft({ speed: Number(Number(event.target.value).toFixed(2)) })}
          onDoubleClick={() => editSpeechDraft({ speed: 1 })}
          className="h-8 w-full pointer-coarse:h-10"
          style={{ '--filled': `${speedShare(draft.speed) * 100}%` } as CSSProperties}
        />
      </Field>
      <label className="col-span-2 flex items-start gap-2 text-sm">
        <input
          type="checkbox"
          checked={draft.streaming}
          onChange={(event) => editSpeechDraft({ streaming: event.target.checked })}
          className="mt-0.5 size-4"
        />
        <span>
          {soundWords.streaming}
          <span className="block text-xs text-faint">{soundWords.streamingHelp}</span>
        </span>
      </label>
    </div>
  );
}

function speedShare(speed: number): number {
  return (speed - SPEECH_LIMITS.speedMin) / (SPEECH_LIMITS.speedMax - SPEECH_LIMITS.speedMin);
}

function StyleFields({ desk: { draft, settled } }: { desk: SpeechDesk }) {
  const id = useId();
  const model = settled?.model;
  if (!model || !(model.takesPrompt || model.takesTemperature || model.takesTopP)) return null;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {model.takesPrompt && (
        <div className="sm:col-span-2">
          <Field label={styleWords.style} htmlFor={`${id}-style`} hint={styleWords.styleHelp}>
            <Input
              id={`${id}-style`}
              value={draft.style}
              placeholder={styleWords.stylePlaceholder}
              onChange={(event) => editSpeechDraft({ style: event.target.value })}
            />
          </Field>
        </div>
      )}
      {model.takesTemperature && (
        <Field label={styleWords.temperature} htmlFor={`${id}-temperature`} hint={styleWords.temperatureHelp}>
          <Input
            id={`${id}-temperature`}
            inputMode="decimal"
            className="figures"
            value={draft.temperature}
            placeholder={styleWords.modelDefault}
            onChange={(event) => editSpeechDraft({ temperature: event.target.value })}
          />
        </Field>
      )}
      {model.takesTopP && (
        <Field label={styleWords.topP} htmlFor={`${id}-top-p`} hint={styleWords.topPHelp}>
          <Input
            id={`${id}-top-p`}
            inputMode="decimal"
            className="figures"
            value={draft.topP}
            placeholder={styleWords.modelDefault}
            onChange={(event) => editSpeechDraft({ topP: event.target.value })}
          />
        </Field>
      )}
    </div>
  );
}
