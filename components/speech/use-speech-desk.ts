'use client';

import { type Credential, useCredential } from '@/lib/browser/credential';
import {
  countCharacters,
  type SettledVoice,
  settleVoice,
  type SpeechDraft,
  speechCostUsd,
  speechProblem,
  speechRequest,
  useSpeechDraft,
} from '@/lib/browser/speech/speech-draft';
import { speakAgain, speakTakes } from '@/lib/browser/speech/speaking';
import { stopTakes, type Take, useTakes } from '@/lib/browser/speech/takes';
import type { CallCredential, SpeechModel, SpeechRequest } from '@/lib/client';
import { useState } from 'react';

/** Everything the Speech page shows and does. */
export interface SpeechDesk {
  draft: SpeechDraft;
  models: readonly SpeechModel[];
  /** Whether the models are still to come. */
  isComing: boolean;
  /** null while the models are not known, or where there are none. */
  settled: SettledVoice | null;
  credential: Credential;
  characters: number;
  /** What speaking costs, decimal text of USD; of both voices where two are compared. */
  costUsd: string | null;
  problem: string | null;
  /** Whether somebody tried to speak what cannot be spoken, until it changes. */
  refusedToSpeak: boolean;
  takes: readonly Take[];
  isSpeaking: boolean;
  /** The requests that speaking makes. */
  requests: () => SpeechRequest[];
  speak: (presented?: CallCredential) => void;
  /** Has a take spoken again as it was asked for. */
  speakAgain: (take: Take, presented?: CallCredential) => void;
  stop: () => void;
}

export function useSpeechDesk(models: readonly SpeechModel[], isComing: boolean): SpeechDesk {
  const draft = useSpeechDraft();
  const credential = useCredential();
  const takes = useTakes();
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
    takes,
    isSpeaking: takes.some(({ status }) => status === 'asking' || status === 'arriving'),
    requests,
    speak(presented) {
      if (settled === null || credential.kind === 'pending') return;
      setRefused(problem === null ? null : draft);
      if (problem === null) void speakTakes(requests(), settled.model, presented ?? credential.presented);
    },
    speakAgain: (take, presented) => void speakAgain(take, models, presented ?? credential.presented),
    stop: stopTakes,
  };
}
