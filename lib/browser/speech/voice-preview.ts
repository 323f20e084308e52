'use client';

import type { CallCredential, SpeechModel } from '@/lib/client';
import { useRef, useState } from 'react';
import { loadCode } from '../load-code';
import { speechWords } from '../words/speech';
import { countCharacters, speechCostUsd } from './speech-draft';

export function previewCostUsd(model: SpeechModel, voice: string): string {
  return speechCostUsd(countCharacters(previewSentence(voice)), model.usdPerMillionCharacters);
}

export function useVoicePreview(credential: CallCredential | null) {
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
