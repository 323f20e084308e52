import { parseUsd } from '@/lib/protocol/pricing';
import { SPEECH_MODELS, type SpeechModel, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { SpeechModelOverride } from '../config/speech';
import type { SpeechUpstream } from './upstream/speech-upstream';

/** A speech model as the gateway offers it: with the operator's word, and the upstream that has it. */
export interface OfferedSpeechModel extends Omit<SpeechModel, 'usdPerMillionCharacters'> {
  upstream: SpeechUpstream;
  /** The upstream's id of it. */
  upstreamModel: string;
  /** The upstream's names of voices, where it has others. */
  upstreamVoices: Readonly<Record<string, string>>;
  /** What speaks. */
  engine: string;
  priceNanoUsdPerMillion: number;
}

/** Ids under which servers have the models whose weights are public. */
const KNOWN_AS: Partial<Record<SpeechModelId, readonly string[]>> = {
  'tts-kokoro': ['kokoro', 'kokoro-82m', 'hexgrad/Kokoro-82M', 'speaches-ai/Kokoro-82M-v1.0-ONNX'],
  'tts-orpheus': ['orpheus', 'canopylabs/orpheus-3b-0.1-ft'],
  'tts-chatterbox-hd': ['chatterbox', 'ResembleAI/chatterbox'],
};

/** What an upstream can be taken to have, of what it was seen to list; null for nobody knows. */
export interface UpstreamShelf {
  upstream: SpeechUpstream;
  listed: ReadonlySet<string> | null;
}

/**
 * The model at each upstream that has it, in their order: the one that the operator names, else those that are configured
 * with it or list it, or list nothing. They differ in nothing but who speaks.
 */
export function offeredModels(
  id: SpeechModelId,
  said: SpeechModelOverride | undefined,
  shelves: readonly UpstreamShelf[],
): OfferedSpeechModel[] {
  return shelves.flatMap((shelf) => {
    const upstreamModel = upstreamModelOf(id, said, shelf);
    return upstreamModel === null ? [] : [merged(id, said, shelf.upstream, upstreamModel)];
  });
}

function upstreamModelOf(
  id: SpeechModelId,
  said: SpeechModelOverride | undefined,
  { upstream, listed }: UpstreamShelf,
): string | null {
  if (said?.upstream !== undefined) return said.upstream === upstream.name ? (said.upstreamModel ?? id) : null;
  const { models } = upstream.config;
  if (models) return models.includes(id) ? (said?.upstreamModel ?? id) : null;
  if (said?.upstreamModel !== undefined)
    return listed === null || listed.has(said.upstreamModel) ? said.upstreamModel : null;
  if (listed === null) return id;
  return [id, ...(KNOWN_AS[id] ?? [])].find((name) => listed.has(name)) ?? null;
}

function merged(
  id: SpeechModelId,
  said: SpeechModelOverride | undefined,
  upstream: SpeechUpstream,
  upstreamModel: string,
): OfferedSpeechModel {
  const { usdPerMillionCharacters, ...model } = SPEECH_MODELS[id];
  return {
    ...model,
    name: said?.name ?? model.name,
    voices: said?.voices ?? model.voices,
    defaultVoice: said?.defaultVoice ?? model.defaultVoice,
    supportedFormats: said?.formats ?? model.supportedFormats,
    defaultFormat: said?.defaultFormat ?? model.defaultFormat,
    upstream,
    upstreamModel,
    upstreamVoices: said?.upstreamVoices ?? {},
    engine: said?.engine ?? upstream.engine,
    priceNanoUsdPerMillion: said?.priceNanoUsdPerMillion ?? parseUsd(usdPerMillionCharacters),
  };
}
