'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { Combobox } from '@/components/ui/combobox';
import { Field, Input } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { loadCode } from '@/lib/browser/page/load-code';
import { formatCost } from '@/lib/browser/text/amounts';
import type { CallCredential, SpeechModel } from '@/lib/client';
import { Columns2, LoaderCircle, Play, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { countCharacters, editSpeechDraft, type SettledVoice, speechCostUsd } from './speech-draft';
import type { SpeechDesk } from './use-speech-desk';
import { speechWords } from './words';

const { voice: words } = speechWords;

export function VoiceFields({ desk }: { desk: SpeechDesk }) {
  const { settled, draft } = desk;
  const id = useId();
  const languages = settled?.model.languages ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <VoiceField
        label={words.voice}
        desk={desk}
        voice={settled?.voice ?? ''}
        onVoice={(voice) => editSpeechDraft({ voice })}
      />
      {settled !== null && settled.otherVoice !== null && (
        <VoiceField
          label={words.other}
          desk={desk}
          voice={settled.otherVoice}
          onVoice={(otherVoice) => editSpeechDraft({ otherVoice })}
          onRemove={() => editSpeechDraft({ otherVoice: '' })}
        />
      )}
      {settled === null && desk.isComing && <Skeleton className="h-7 w-44 pointer-coarse:h-9" />}
      {settled !== null && settled.otherVoice === null && settled.model.voices.length > 1 && (
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => editSpeechDraft({ otherVoice: secondVoiceOf(settled) })}
        >
          <Columns2 aria-hidden />
          {words.compare}
        </Button>
      )}
      <Field label={words.language} htmlFor={`${id}-language`} hint={words.languageHelp}>
        <Input
          id={`${id}-language`}
          list={`${id}-languages`}
          value={draft.language}
          placeholder={words.detect}
          maxLength={32}
          onChange={(event) => editSpeechDraft({ language: event.target.value })}
        />
        <datalist id={`${id}-languages`}>
          {languages.map((language) => (
            <option key={language} value={language} />
          ))}
        </datalist>
      </Field>
    </div>
  );
}

interface VoiceFieldProps {
  label: string;
  desk: SpeechDesk;
  voice: string;
  onVoice: (voice: string) => void;
  onRemove?: () => void;
}

function VoiceField({ label, desk, voice, onVoice, onRemove }: VoiceFieldProps) {
  const model = desk.settled?.model;
  const preview = useVoicePreview(desk.credential.presented);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <span className="text-sm font-medium">{label}</span>
      <div className="flex gap-2">
        <Combobox
          label={label}
          value={voice === '' ? null : voice}
          onChoose={onVoice}
          disabled={model === undefined}
          searchPlaceholder={words.searchVoices}
          emptyText={words.noSuchVoice}
          className="min-w-0 flex-1"
          groups={[
            {
              heading: words.voices(model?.name ?? null),
              options: (model?.voices ?? []).map((name) => ({ value: name, content: name })),
            },
          ]}
        >
          <span className="truncate">{voice || (desk.isComing ? '' : words.noVoice)}</span>
        </Combobox>
        {model !== undefined && (
          <Button
            size="icon"
            aria-label={words.preview(voice)}
            title={words.previewHelp(voice, formatCost(previewCostUsd(model, voice)))}
            aria-busy={preview.playing === voice}
            onClick={() => void preview.play(model, voice)}
          >
            {preview.playing === voice ? <LoaderCircle aria-hidden className="animate-spin" /> : <Play aria-hidden />}
          </Button>
        )}
        {onRemove && (
          <Button size="icon" aria-label={words.stopComparing} onClick={onRemove}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      {/* Reserves space until the model is known. */}
      {model === undefined && desk.isComing && <Skeleton className="h-11" />}
      {model !== undefined && !onRemove && <PreviewCost cost={formatCost(previewCostUsd(model, voice))} />}
      {preview.error !== null && model !== undefined && (
        <FailureCard error={preview.error} onRetry={(presented) => void preview.play(model, voice, presented)} />
      )}
      {model && !onRemove && <OwnVoice onVoice={onVoice} takesCustomVoice={model.takesCustomVoice} />}
    </div>
  );
}

function PreviewCost({ cost }: { cost: string }) {
  const [before, figure, after] = words.previewCost(cost);
  return (
    <p className="text-xs text-faint">
      {before}
      <span className="figures">{figure}</span>
      {after}
    </p>
  );
}

function OwnVoice({ onVoice, takesCustomVoice }: { onVoice: (voice: string) => void; takesCustomVoice: boolean }) {
  const [text, setText] = useState('');
  const id = useId();
  const isUsable = text.startsWith('vv_') || (takesCustomVoice && text !== '');
  return (
    <details className="group text-sm">
      <Summary
        chevronClassName="size-3.5"
        className="min-h-6 w-fit gap-1 py-1 text-xs text-dim underline-offset-4 hover:underline"
      >
        {words.own}
      </Summary>
      <div className="flex items-end gap-2 pt-2">
        <div className="min-w-0 flex-1">
          <Field label={takesCustomVoice ? words.handleOrId : words.handle} htmlFor={id} hint={words.handleHelp}>
            <Input
              id={id}
              value={text}
              placeholder={words.handleExample}
              maxLength={512}
              className="figures"
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
        </div>
        <Button disabled={!isUsable} onClick={() => onVoice(text)}>
          {words.use}
        </Button>
      </div>
    </details>
  );
}

function secondVoiceOf({ model, voice }: SettledVoice): string {
  return model.voices.find((name) => name !== voice) ?? '';
}

function previewCostUsd(model: SpeechModel, voice: string): string {
  return speechCostUsd(countCharacters(previewSentence(voice)), model.usdPerMillionCharacters);
}

function useVoicePreview(credential: CallCredential | null) {
  const [playing, setPlaying] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const element = useRef<HTMLAudioElement | null>(null);
  const play = async (model: SpeechModel, voice: string, presented: CallCredential | null = credential) => {
    setError(null);
    setPlaying(voice);
    try {
      const { previewUrl } = await loadCode(() => import('./preview-audio'));
      const url = await previewUrl(model, voice, previewSentence(voice), presented);
      element.current?.pause();
      element.current = new Audio(url);
      await element.current.play();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      setPlaying(null);
    }
  };
  return { playing, error, play };
}

function previewSentence(voice: string): string {
  return speechWords.voice.previewSentence(voice.replace(/^[a-z]{2}_/, '').replaceAll('_', ' '));
}
