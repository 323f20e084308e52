'use client';

import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import type { SpeechRequest } from '@/lib/client';
import { AUDIO_FORMAT_INFO, AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';

/** Recording of the Speech page. `past-audio.ts` stores the audio separately, by id. */
export interface PastRecording {
  id: string;
  atMs: number;
  request: SpeechRequest;
  characters: number;
  costUsd: string;
  bytes: number;
  contentType: string;
  durationSeconds: number | null;
  engine: string | null;
  /** Loudness over time: PAST_BARS heights from 0 to 100; empty if unknown. */
  bars: readonly number[];
  /** Index of an interrupted recording's first incomplete sentence; null if all are complete. */
  restFrom: number | null;
}

/** Maximum number of recordings in the history; older ones are dropped. */
export const TAKES_MAX = 20;
export const PAST_BARS = 60;

/** Only `past-audio.ts` writes this store, so that the audio stays in sync. */
export const pastRecordingsStore = createStoredValue<readonly PastRecording[]>({
  key: 'turnpike.speech-history',
  initial: [],
  parse: parsePastRecordings,
});

export function usePastRecordings(): readonly PastRecording[] {
  return useStoredValue(pastRecordingsStore);
}

export function parsePastRecordings(stored: unknown): readonly PastRecording[] | null {
  return Array.isArray(stored) ? stored.filter(isPastRecording).slice(0, TAKES_MAX).map(withDefaults) : null;
}

/** Entries of earlier versions lack the later fields. */
type StoredRecording = Omit<PastRecording, 'bars' | 'restFrom'> & Partial<PastRecording>;

function withDefaults(recording: StoredRecording): PastRecording {
  const { bars, restFrom } = recording as Partial<Record<keyof PastRecording, unknown>>;
  const isBars =
    Array.isArray(bars) &&
    bars.length === PAST_BARS &&
    bars.every((bar) => typeof bar === 'number' && bar >= 0 && bar <= 100);
  return {
    ...recording,
    bars: isBars ? (bars as number[]) : [],
    restFrom: typeof restFrom === 'number' ? restFrom : null,
  };
}

function isPastRecording(value: unknown): value is StoredRecording {
  if (typeof value !== 'object' || value === null) return false;
  const recording = value as Record<keyof PastRecording, unknown>;
  const texts = [recording.id, recording.costUsd, recording.contentType];
  return (
    texts.every((text) => typeof text === 'string') &&
    [recording.atMs, recording.characters, recording.bytes].every((number) => typeof number === 'number') &&
    (recording.durationSeconds === null || typeof recording.durationSeconds === 'number') &&
    (recording.engine === null || typeof recording.engine === 'string') &&
    isStoredSpeechRequest(recording.request)
  );
}

export function isStoredSpeechRequest(value: unknown): value is SpeechRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { input, model, voice, response_format: format } = value as Record<keyof SpeechRequest, unknown>;
  return (
    [input, model, voice].every((text) => typeof text === 'string') && AUDIO_FORMATS.some((known) => known === format)
  );
}

/**
 * Returns a file name with model, voice, and the extension for `contentType`. The format differs from the requested one
 * if respeaking converted the audio to WAV.
 */
export function audioFileName({ model, voice, response_format: asked }: SpeechRequest, contentType: string): string {
  const known = Object.values(AUDIO_FORMAT_INFO).find((format) => format.contentType === contentType.toLowerCase());
  return `${model}-${voice}`.replaceAll(/[^\w.-]+/g, '_') + (known ?? AUDIO_FORMAT_INFO[asked]).extension;
}
