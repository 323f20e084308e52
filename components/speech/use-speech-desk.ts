'use client';

import type { PageRequest } from '@/components/samples/http-request';
import { type Credential, useCredential } from '@/lib/browser/credential/credential';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { type CallCredential, listSpeechModels, SPEECH_PATH, type SpeechModel, type SpeechRequest } from '@/lib/client';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { useState } from 'react';
import { type Recording, stopRecordings, useRecordings } from './recordings';
import { speakAgain, speakRecordings } from './speaking';
import {
  countCharacters,
  type SettledVoice,
  settleVoice,
  speechCostUsd,
  type SpeechDraft,
  speechProblem,
  speechRequest,
  useSpeechDraft,
} from './speech-draft';
import { speechWords } from './words';

export interface SpeechDesk {
  draft: SpeechDraft;
  models: readonly SpeechModel[];
  isComing: boolean;
  /** Null if the models are unknown or the gateway has none. */
  settled: SettledVoice | null;
  credential: Credential;
  characters: number;
  /** Price of speaking, decimal USD. For a comparison, the price of both voices. */
  costUsd: string | null;
  problem: string | null;
  /** True after an attempt to speak an invalid draft, until the user changes it. */
  refusedToSpeak: boolean;
  recordings: readonly Recording[];
  isSpeaking: boolean;
  requests: () => SpeechRequest[];
  speak: (presented?: CallCredential) => void;
  speakAgain: (recording: Recording, presented?: CallCredential) => void;
  stop: () => void;
}

export function useSpeechDesk(models: readonly SpeechModel[], isComing: boolean): SpeechDesk {
  const draft = useSpeechDraft();
  const credential = useCredential();
  const recordings = useRecordings();
  const [refused, setRefused] = useState<SpeechDraft | null>(null);
  const settled = settleVoice(draft, models);
  const problem = settled === null ? null : speechProblem(draft, settled);
  const characters = countCharacters(draft.text);
  const voices = settled === null ? [] : [settled.voice, ...(settled.otherVoice === null ? [] : [settled.otherVoice])];
  const requests = () => (settled === null ? [] : voices.map((voice) => speechRequest(draft, settled, voice)));
  return {
    draft,
    models,
    isComing,
    settled,
    credential,
    characters,
    costUsd: settled === null ? null : speechCostUsd(characters * voices.length, settled.model.usdPerMillionCharacters),
    problem,
    refusedToSpeak: problem !== null && refused === draft,
    recordings,
    isSpeaking: recordings.some(({ status }) => status === 'asking' || status === 'arriving'),
    requests,
    speak(presented) {
      if (settled === null || credential.kind === 'pending') return;
      setRefused(problem === null ? null : draft);
      if (problem === null) void speakRecordings(requests(), settled.model, presented ?? credential.presented);
    },
    speakAgain: (recording, presented) => void speakAgain(recording, models, presented ?? credential.presented),
    stop: stopRecordings,
  };
}

export function useSpeechModels() {
  return useRead({ key: ['models', 'tts'], read: (signal) => listSpeechModels(gatewayOptions(), { signal }) });
}

/** Returns the requests that the Speech page shows as code: one for each voice. */
export function speechPageRequests(requests: readonly SpeechRequest[]): PageRequest[] {
  return requests.map((body) => ({
    name: speechWords.page.requestName(body.voice),
    verb: 'POST',
    path: SPEECH_PATH,
    body,
    saveAs: `speech${AUDIO_FORMAT_INFO[body.response_format].extension}`,
  }));
}
