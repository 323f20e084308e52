'use client';

import type { SpeechRequest } from '@/lib/client';
import { useSyncExternalStore } from 'react';
import { newId } from '../new-id';
import type { Envelope, TimedSentence } from './sentence-times';
import { countCharacters } from './speech-draft';

/** One text in one voice: asked for, arriving, there, or failed. */
export interface Take extends TakeSound {
  id: string;
  characters: number;
  /** Decimal text of USD: what all of it has cost, sentences that were spoken anew included. */
  costUsd: string;
  /** Whether that is the most it can have cost, as of what broke off. */
  isCostMost: boolean;
  /** Whether playing starts by itself: of one take, the one that was just asked for. */
  playsAtOnce: boolean;
  engine: string | null;
  requestId: string | null;
  /** From sending to the first bytes of audio, milliseconds. */
  firstAudioMs: number | null;
  error: Error | null;
  /** Sentences of it that are spoken anew, or could not be; null while none are. */
  redo: Redo | null;
  /** Its sound before each change, oldest first: what undoing goes back to. */
  earlier: readonly TakeSound[];
}

/** What is heard of a take. */
export interface TakeSound {
  request: SpeechRequest;
  status: 'asking' | 'arriving' | 'there' | 'stopped' | 'failed';
  /** What an audio element plays; null until there is something. */
  playUrl: string | null;
  /** The bytes as received, once all are there. */
  audio: Blob | null;
  bytes: number;
  contentType: string | null;
  durationSeconds: number | null;
  envelope: Envelope | null;
  sentences: readonly TimedSentence[];
  /** Of what broke off, the first sentence that did not come whole; null where all did, or where it cannot be told. */
  restFrom: number | null;
}

/** Some sentences of a take that are spoken anew. */
export interface Redo {
  /** Those from the first of these numbers up to, without, the second. */
  from: number;
  to: number;
  /** What is spoken in their place. */
  text: string;
  status: 'asking' | 'failed';
  error: Error | null;
}

/** Where refused takes outlive a reload, in the storage of the tab. */
export const REFUSED_TAKES_KEY = 'turnpike.speech-refused';

let takes: readonly Take[] = [];
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();
const NONE: readonly Take[] = [];

/** What is on the stage: one take, or two that are compared. */
export function useTakes(): readonly Take[] {
  return useSyncExternalStore(
    subscribe,
    () => takes,
    () => NONE,
  );
}

/** Stops the takes that are on their way; what came of them can be heard and downloaded. */
export function stopTakes(): void {
  for (const controller of running.values()) controller.abort();
}

/** Empties the stage. What was on it that can be heard is in the history. */
export function clearStage(): void {
  stopTakes();
  for (const { playUrl, earlier } of takes)
    for (const url of [playUrl, ...earlier.map((sound) => sound.playUrl)]) if (url !== null) URL.revokeObjectURL(url);
  putTakes([]);
}

/** A take that was asked for, and of which nothing has come. */
export function askedTake(request: SpeechRequest, costUsd: string, playsAtOnce: boolean): Take {
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

/** The stage as it is now. */
export function takesNow(): readonly Take[] {
  return takes;
}

/** A take of the stage as it is now. */
export function findTake(id: string): Take | undefined {
  return takes.find((take) => take.id === id);
}

/** Changes a take, where it is still on the stage. */
export function changeTake(id: string, what: Partial<Take>): void {
  putTakes(takes.map((take) => (take.id === id ? { ...take, ...what } : take)));
}

export function putTakes(next: readonly Take[]): void {
  takes = next;
  listeners.forEach((listener) => listener());
}

/** What stops a take, while it is on its way. */
export async function whileRunning(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    await work(controller.signal);
  } finally {
    running.delete(id);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
