'use client';

import { Button } from '@/components/ui/button';
import { Combobox } from '@/components/ui/combobox';
import { Field, Input } from '@/components/ui/field';
import { formatCost } from '@/lib/browser/amounts';
import { previewCostUsd, useVoicePreview } from '@/lib/browser/speech/voice-preview';
import { editSpeechDraft, type SettledVoice } from '@/lib/browser/speech/speech-draft';
import { ChevronRight, Columns2, LoaderCircle, Play, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { SpeechDesk } from './use-speech-desk';

/** The voice, a second one to compare with, and the language. */
export function VoiceFields({ desk }: { desk: SpeechDesk }) {
  const { settled, draft } = desk;
  const id = useId();
  const languages = settled?.model.languages ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <VoiceField label="Voice" desk={desk} voice={settled?.voice ?? ''} onVoice={(voice) => editSpeechDraft({ voice })} />
      {settled !== null && settled.otherVoice !== null && (
        <VoiceField label="Compared with" desk={desk} voice={settled.otherVoice} onVoice={(otherVoice) => editSpeechDraft({ otherVoice })} onRemove={() => editSpeechDraft({ otherVoice: '' })} />
      )}
      {settled !== null && settled.otherVoice === null && settled.model.voices.length > 1 && (
        <Button size="sm" className="justify-self-start" onClick={() => editSpeechDraft({ otherVoice: secondVoiceOf(settled) })}>
          <Columns2 aria-hidden />
          Compare with another voice
        </Button>
      )}
      <Field label="Language" htmlFor={`${id}-language`} hint="A hint, as the model takes it">
        <Input id={`${id}-language`} list={`${id}-languages`} value={draft.language} placeholder="detect" maxLength={32} onChange={(event) => editSpeechDraft({ language: event.target.value })} />
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
          searchPlaceholder="Search voices…"
          emptyText="This model has no such voice."
          className="min-w-0 flex-1"
          groups={[{ heading: model === undefined ? 'Voices' : `Voices of ${model.name}`, options: (model?.voices ?? []).map((name) => ({ value: name, content: name })) }]}
        >
          <span className="truncate">{voice || 'No voice'}</span>
        </Combobox>
        {model !== undefined && (
          <Button
            size="icon"
            aria-label={`Preview ${voice}`}
            title={`Hear one sentence of ${voice}, for ${formatCost(previewCostUsd(model, voice))} the first time`}
            aria-busy={preview.playing === voice}
            onClick={() => void preview.play(model, voice)}
          >
            {preview.playing === voice ? <LoaderCircle aria-hidden className="animate-spin" /> : <Play aria-hidden />}
          </Button>
        )}
        {onRemove && (
          <Button size="icon" aria-label="Compare no more" onClick={onRemove}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      {model !== undefined && !onRemove && <p className="text-xs text-faint">A preview says one sentence, for <span className="figures">{formatCost(previewCostUsd(model, voice))}</span> the first time.</p>}
      {preview.problem !== null && <p role="alert" className="text-xs wrap-anywhere text-bad">{preview.problem}</p>}
      {model && !onRemove && <OwnVoice onVoice={onVoice} takesCustomVoice={model.takesCustomVoice} />}
    </div>
  );
}

/** A handle of a cloned voice, or a voice id of the provider. */
function OwnVoice({ onVoice, takesCustomVoice }: { onVoice: (voice: string) => void; takesCustomVoice: boolean }) {
  const [text, setText] = useState('');
  const id = useId();
  const isUsable = text.startsWith('vv_') || (takesCustomVoice && text !== '');
  return (
    <details className="group text-sm">
      <summary className="flex min-h-6 w-fit items-center gap-1 py-1 text-xs text-dim underline-offset-4 hover:underline">
        <ChevronRight aria-hidden className="size-3.5 shrink-0 transition-transform group-open:rotate-90" />
        A voice of your own
      </summary>
      <div className="flex items-end gap-2 pt-2">
        <div className="min-w-0 flex-1">
          <Field label={takesCustomVoice ? 'Handle or provider voice id' : 'Handle'} htmlFor={id} hint="vv_… is bound to the model that made it">
            <Input id={id} value={text} placeholder="vv_…" maxLength={512} className="figures" onChange={(event) => setText(event.target.value)} />
          </Field>
        </div>
        <Button disabled={!isUsable} onClick={() => onVoice(text)}>
          Use
        </Button>
      </div>
    </details>
  );
}

function secondVoiceOf({ model, voice }: SettledVoice): string {
  return model.voices.find((name) => name !== voice) ?? '';
}
