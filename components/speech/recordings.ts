'use client';

import type { SpeechRequest } from '@/lib/client';
import { useSyncExternalStore } from 'react';
import { newId } from '@/lib/browser/page/new-id';
import type { Envelope, TimedSentence } from '@/lib/browser/audio/sentence-times';
import { countCharacters } from './speech-draft';
import { createListeners } from '@/lib/browser/storage/stored-value';

export interface Recording extends RecordingSound {
  id: string;
  characters: number;
  /** Total cost including respoken sentences, decimal USD. */
  costUsd: string;
  /** True if `costUsd` is an upper bound, for example after an interruption. */
  isCostMost: boolean;
  /** True if the recording plays automatically because the user just requested it. */
  playsAtOnce: boolean;
  engine: string | null;
  requestId: string | null;
  firstAudioMs: number | null;
  error: Error | null;
  /** Sentences being regenerated, or whose regeneration failed; null if none. */
  redo: Redo | null;
  /** Earlier versions of the sound, oldest first, for undo. */
  earlier: readonly RecordingSound[];
}

export interface RecordingSound {
  request: SpeechRequest;
  status: 'asking' | 'arriving' | 'there' | 'stopped' | 'failed';
  /** URL for an audio element; null until audio arrives. */
  playUrl: string | null;
  /** Audio as received or joined; null while it arrives. */
  audio: Blob | null;
  bytes: number;
  contentType: string | null;
  durationSeconds: number | null;
  envelope: Envelope | null;
  sentences: readonly TimedSentence[];
  /** Index of an interrupted recording's first incomplete sentence; null if unknown or all are complete. */
  restFrom: number | null;
}

export interface Redo {
  /** Indexes of sentences: `from` is inclusive, `to` exclusive. */
  from: number;
  to: number;
  text: string;
  status: 'asking' | 'failed';
  error: Error | null;
}

/** Session storage key of the refused recordings, which survive a reload. */
export const REFUSED_TAKES_KEY = 'turnpike.speech-refused';

let recordings: readonly Recording[] = [];
const running = new Map<string, AbortController>();
const listeners = createListeners();
const NONE: readonly Recording[] = [];

/** Returns the recordings that the page shows: one, or two for comparison. */
export function useRecordings(): readonly Recording[] {
  return useSyncExternalStore(
    listeners.subscribe,
    () => recordings,
    () => NONE,
  );
}

/** Stops running recordings. The user can play and download the received audio. */
export function stopRecordings(): void {
  for (const controller of running.values()) controller.abort();
}

/** Removes the shown recordings. Recordings with playable audio stay in the history. */
export function clearStage(): void {
  stopRecordings();
  for (const { playUrl, earlier } of recordings)
    for (const url of [playUrl, ...earlier.map((sound) => sound.playUrl)]) if (url !== null) URL.revokeObjectURL(url);
  putRecordings([]);
}

export function askedRecording(request: SpeechRequest, costUsd: string, playsAtOnce: boolean): Recording {
  const unknown = {
    playUrl: null,
    audio: null,
    contentType: null,
    engine: null,
    requestId: null,
    firstAudioMs: null,
    durationSeconds: null,
    envelope: null,
    error: null,
    restFrom: null,
    redo: null,
  };
  return {
    id: newId(),
    request,
    status: 'asking',
    characters: countCharacters(request.input),
    costUsd,
    isCostMost: false,
    playsAtOnce,
    bytes: 0,
    sentences: [],
    earlier: [],
    ...unknown,
  };
}

export function recordingsNow(): readonly Recording[] {
  return recordings;
}

export function findRecording(id: string): Recording | undefined {
  return recordings.find((recording) => recording.id === id);
}

/** Changes a recording that the page still shows. */
export function changeRecording(id: string, what: Partial<Recording>): void {
  putRecordings(recordings.map((recording) => (recording.id === id ? { ...recording, ...what } : recording)));
}

export function putRecordings(next: readonly Recording[]): void {
  recordings = next;
  listeners.tell();
}

/** Runs `work` with a signal that aborts when the user stops the recording. */
export async function whileRunning(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    await work(controller.signal);
  } finally {
    running.delete(id);
  }
}
