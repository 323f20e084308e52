import { apiError } from '@/lib/protocol/errors';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { SPEECH_MODELS, type SpeechModel, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { SpeechConfig, SpeechModelOverride } from '../config/speech';
import type { SpeechUpstream } from './upstream/speech-upstream';

/** Speech model that the gateway offers, as served by one upstream. */
export interface OfferedSpeechModel extends Omit<SpeechModel, 'usdPerMillionCharacters'> {
  upstream: SpeechUpstream;
  upstreamModel: string;
  /** The upstream's voice names, keyed by the gateway's names. Contains only names that differ. */
  upstreamVoices: Readonly<Record<string, string>>;
  engine: string;
  priceNanoUsdPerMillion: number;
}

const KNOWN_AS: Partial<Record<SpeechModelId, readonly string[]>> = {
  'tts-kokoro': ['kokoro', 'kokoro-82m', 'hexgrad/Kokoro-82M', 'speaches-ai/Kokoro-82M-v1.0-ONNX'],
  'tts-orpheus': ['orpheus', 'canopylabs/orpheus-3b-0.1-ft'],
  'tts-chatterbox-hd': ['chatterbox', 'ResembleAI/chatterbox'],
};

interface UpstreamShelf {
  upstream: SpeechUpstream;
  listed: ReadonlySet<string> | null | undefined;
}

/**
 * Returns one entry for each upstream that can serve the model. If the operator chose an upstream,
 * returns only that one. Otherwise, includes upstreams whose configuration or list contains the model, and upstreams
 * without a list.
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
  if (listed === undefined) return null;
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

const HANDLE = /^vv_/;
const CUSTOM_ID = /^[\p{L}\p{N}][\p{L}\p{N} _.:/@+()-]*$/u;
const NAMED_MAX = 12;

/**
 * Returns the upstream's name for the requested voice. A request may contain one of the model's voices, a handle that
 * was made with this model, or a provider's own id if the model accepts such ids (specification, "Text-to-speech
 * request").
 *
 * @throws ApiError INVALID_VOICE
 */
export function checkVoice(
  voice: string | null | undefined,
  model: OfferedSpeechModel,
  config: Pick<SpeechConfig, 'handles'>,
): string {
  const upstreamVoice = upstreamVoiceOf(voice, model, config);
  if (upstreamVoice !== null) return upstreamVoice;
  const named = JSON.stringify((voice ?? model.defaultVoice).slice(0, 60));
  if (HANDLE.test(voice ?? '')) throw refused(`The voice handle ${named} was not made by the model ${model.id}.`);
  throw refused(`The model ${model.id} has no voice ${named}. It has ${listOf(model.voices)}.`);
}

/** Returns the upstream's name for a voice; null if the model has no such voice at that upstream. */
export function upstreamVoiceOf(
  voice: string | null | undefined,
  model: OfferedSpeechModel,
  { handles }: Pick<SpeechConfig, 'handles'>,
): string | null {
  const name = voice ?? model.defaultVoice;
  if (model.voices.includes(name)) return model.upstreamVoices[name] ?? name;
  if (HANDLE.test(name)) return handleAt(name, model, handles);
  return model.supportsCustomVoiceId && CUSTOM_ID.test(name) ? name : null;
}

/**
 * Accepts a configured handle only for its configured model. Any other handle is valid at upstreams that accept
 * handles.
 */
function handleAt(handle: string, model: OfferedSpeechModel, handles: SpeechConfig['handles']): string | null {
  const paired = handles.get(handle);
  if (paired === model.id) return model.upstreamVoices[handle] ?? handle;
  return paired === undefined && model.upstream.acceptsHandles ? handle : null;
}

function refused(message: string) {
  return apiError('INVALID_VOICE', { message, details: { _errors: [], voice: { _errors: [message] } } });
}

function listOf(voices: readonly string[]): string {
  const more = voices.length - NAMED_MAX;
  return voices.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
