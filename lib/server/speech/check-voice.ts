import { apiError } from '@/lib/protocol/errors';
import type { SpeechConfig } from '../config/speech';
import type { OfferedSpeechModel } from './offered-model';

const HANDLE = /^vv_/;
/** A provider's own id of a voice: something to be sent as it is. */
const CUSTOM_ID = /^[\p{L}\p{N}][\p{L}\p{N} _.:/@+()-]*$/u;
const NAMED_MAX = 12;

/**
 * The upstream's name of the voice that a request asks for (specification, "Text-to-speech request"): one of the
 * model's, its default where none is named, a handle of the same model, or a provider's id where the model takes those.
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

/** The same, or null for a voice that the model does not have at its upstream. */
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

/** One that the configuration pairs is good for that model alone; another is the upstream's to judge, where it makes them. */
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
