'use client';

import { type CallCredential, speak, type SpeechModel } from '@/lib/client';
import { useRef, useState } from 'react';
import { noteCharge } from '../billing/last-charge';
import { gatewayOptions } from '../gateway';
import { withWavHeader } from './decoded-audio';
import { countCharacters, speechCostUsd } from './speech-draft';

/** Audio of previews of this page, by model and voice, so that each is paid for once. */
const previews = new Map<string, string>();

/** What the first preview of a voice costs, decimal text of USD. */
export function previewCostUsd(model: SpeechModel, voice: string): string {
  return speechCostUsd(countCharacters(sentenceOf(voice)), model.usdPerMillionCharacters);
}

/** Lets a voice say one sentence. */
export function useVoicePreview(credential: CallCredential | null) {
  const [playing, setPlaying] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const element = useRef<HTMLAudioElement | null>(null);
  const play = async (model: SpeechModel, voice: string) => {
    setProblem(null);
    setPlaying(voice);
    try {
      const url = await previewUrl(model, voice, credential);
      element.current?.pause();
      element.current = new Audio(url);
      await element.current.play();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setPlaying(null);
    }
  };
  return { playing, problem, play };
}

async function previewUrl(model: SpeechModel, voice: string, credential: CallCredential | null): Promise<string> {
  const key = `${model.id} ${voice}`;
  const known = previews.get(key);
  if (known !== undefined) return known;
  const answer = await speak(gatewayOptions(credential), { model: model.id, voice, input: sentenceOf(voice), response_format: model.defaultFormat });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of answer.chunks) parts.push(chunk);
  noteCharge(answer.balanceRemainingUsd);
  const audio = new Blob(parts, { type: answer.contentType });
  const url = URL.createObjectURL(answer.contentType === 'audio/pcm' ? await withWavHeader(audio) : audio);
  previews.set(key, url);
  return url;
}

function sentenceOf(voice: string): string {
  return `Hello, I am ${voice.replace(/^[a-z]{2}_/, '').replaceAll('_', ' ')}, and this is how I sound.`;
}
