'use client';

import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import type { SpeechModel, SpeechRequest } from '@/lib/client';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import { speechWords } from './words';

export interface SpeechDraft {
  text: string;
  model: string;
  voice: string;
  otherVoice: string;
  language: string;
  format: AudioFormat | '';
  speed: number;
  style: string;
  temperature: string;
  topP: string;
  streaming: boolean;
}

/** Limits in the API specification ("Text-to-speech request"). */
export const SPEECH_LIMITS = { characters: 4096, style: 500, voice: 512, speedMin: 0.25, speedMax: 4 } as const;

const INITIAL: SpeechDraft = {
  text: speechWords.text.first,
  model: '',
  voice: '',
  otherVoice: '',
  language: '',
  format: '',
  speed: 1,
  style: '',
  temperature: '',
  topP: '',
  streaming: true,
};

const draftStore = createStoredValue<SpeechDraft>({
  key: 'turnpike.speech-draft',
  initial: INITIAL,
  parse: parseDraft,
  draftOf: (last) => last,
});

export function useSpeechDraft(): SpeechDraft {
  return useStoredValue(draftStore);
}

export function editSpeechDraft(change: Partial<SpeechDraft>): void {
  draftStore.set({ ...draftStore.get(), ...change });
}

export function parseDraft(stored: unknown): SpeechDraft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const given = stored as Partial<Record<keyof SpeechDraft, unknown>>;
  const text = (key: keyof SpeechDraft & string, otherwise: string) =>
    typeof given[key] === 'string' ? given[key] : otherwise;
  const isSpeed =
    typeof given.speed === 'number' && given.speed >= SPEECH_LIMITS.speedMin && given.speed <= SPEECH_LIMITS.speedMax;
  return {
    text: text('text', INITIAL.text),
    model: text('model', ''),
    voice: text('voice', ''),
    otherVoice: text('otherVoice', ''),
    language: text('language', ''),
    format: AUDIO_FORMATS.find((format) => format === given.format) ?? '',
    speed: isSpeed ? (given.speed as number) : 1,
    style: text('style', ''),
    temperature: text('temperature', ''),
    topP: text('topP', ''),
    streaming: given.streaming !== false,
  };
}

/** Model and voices of a draft, or defaults if the gateway lacks them. */
export interface SettledVoice {
  model: SpeechModel;
  voice: string;
  otherVoice: string | null;
  format: AudioFormat;
}

export function settleVoice(
  { model: wanted, voice, otherVoice, format }: SpeechDraft,
  models: readonly SpeechModel[],
): SettledVoice | null {
  const model = models.find(({ id }) => id === wanted) ?? models.find(({ isOffline }) => !isOffline) ?? models[0];
  if (model === undefined) return null;
  const isOffered = (name: string) =>
    model.voices.includes(name) || name.startsWith('vv_') || (model.takesCustomVoice && name !== '');
  const first = isOffered(voice) ? voice : model.defaultVoice;
  const second =
    otherVoice !== '' && isOffered(otherVoice) && otherVoice !== first
      ? otherVoice
      : (model.voices.find((name) => name !== first) ?? null);
  return {
    model,
    voice: first,
    otherVoice: otherVoice === '' ? null : second,
    format: format !== '' && model.formats.includes(format) ? format : model.defaultFormat,
  };
}

/** Returns why the gateway cannot synthesize a draft; null if it can. */
export function speechProblem(draft: SpeechDraft, { model, voice }: SettledVoice): string | null {
  const { problem } = speechWords;
  const count = countCharacters(draft.text);
  if (count === 0) return problem.empty;
  if (count > SPEECH_LIMITS.characters) return problem.tooLong(count, SPEECH_LIMITS.characters);
  if (/[\0\p{Surrogate}]/u.test(draft.text)) return problem.unsendable;
  if (countCharacters(voice) > SPEECH_LIMITS.voice) return problem.voiceTooLong(SPEECH_LIMITS.voice);
  if (model.takesPrompt && countCharacters(draft.style) > SPEECH_LIMITS.style)
    return problem.styleTooLong(SPEECH_LIMITS.style);
  if (draft.language !== '' && (draft.language.length < 2 || draft.language.length > 32)) return problem.language;
  if (model.takesTemperature && !isWithin(draft.temperature, 2)) return problem.temperature;
  if (model.takesTopP && !isWithin(draft.topP, 1)) return problem.topP;
  return null;
}

export function speechRequest(draft: SpeechDraft, { model, format }: SettledVoice, voice: string): SpeechRequest {
  return {
    model: model.id,
    input: draft.text,
    voice,
    response_format: format,
    ...(draft.speed === 1 ? {} : { speed: draft.speed }),
    ...(draft.streaming ? { streaming: true } : {}),
    ...(draft.language === '' ? {} : { language: draft.language }),
    ...(model.takesPrompt && draft.style !== '' ? { prompt: draft.style } : {}),
    ...(model.takesTemperature && draft.temperature !== '' ? { temperature: Number(draft.temperature) } : {}),
    ...(model.takesTopP && draft.topP !== '' ? { top_p: Number(draft.topP) } : {}),
  };
}

/** Counts Unicode code points, because the gateway bills these. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

export function speechCostUsd(characters: number, usdPerMillionCharacters: number): string {
  return ((characters * usdPerMillionCharacters) / 1_000_000).toFixed(9);
}

function isWithin(text: string, most: number): boolean {
  const value = Number(text);
  return text === '' || (text.trim() !== '' && value >= 0 && value <= most);
}
