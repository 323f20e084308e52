import { parseUsd } from '@/lib/protocol/parse-usd';
import { SPEECH_MODELS, type SpeechModel, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { SpeechModelOverride } from '../config/speech';
import type { SpeechUpstream } from './upstream/speech-upstream';

/** Speech model that the gateway offers, at one upstream. */
export interface OfferedSpeechModel extends Omit<SpeechModel, 'usdPerMillionCharacters'> {
  upstream: SpeechUpstream;
  upstreamModel: string;
  /** The upstream's names of voices, by the gateway's names. Contains only voices whose names differ. */
  upstreamVoices: Readonly<Record<string, string>>;
  engine: string;
  priceNanoUsdPerMillion: number;
}

/** Ids under which servers list models with public weights. */
const KNOWN_AS: Partial<Record<SpeechModelId, readonly string[]>> = {
  'tts-kokoro': ['kokoro', 'kokoro-82m', 'hexgrad/Kokoro-82M', 'speaches-ai/Kokoro-82M-v1.0-ONNX'],
  'tts-orpheus': ['orpheus', 'canopylabs/orpheus-3b-0.1-ft'],
  'tts-chatterbox-hd': ['chatterbox', 'ResembleAI/chatterbox'],
};

/** Upstream with the model ids that it last listed. `listed` is null if the ids are unknown. */
interface UpstreamShelf {
  upstream: SpeechUpstream;
  listed: ReadonlySet<string> | null;
}

/**
 * Returns the model at the upstream that the operator chose for it. Without a choice, returns the model at each
 * upstream that is configured with it, lists it, or has no list.
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
