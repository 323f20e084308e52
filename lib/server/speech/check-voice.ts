import { apiError } from '@/lib/protocol/errors';
import type { SpeechConfig } from '../config/speech';
import type { OfferedSpeechModel } from './offered-model';

const HANDLE = /^vv_/;
/** Form of a provider's own voice id, which the gateway forwards unchanged. */
const CUSTOM_ID = /^[\p{L}\p{N}][\p{L}\p{N} _.:/@+()-]*$/u;
const NAMED_MAX = 12;

/**
 * Returns the upstream's name for the requested voice (specification, "Text-to-speech request"): one of the model's
 * voices, a handle that this model made, or a provider's id if the model accepts such ids.
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

/** Returns the upstream's name for a voice; null if the model at that upstream lacks the voice. */
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

/** A configured handle is valid for its model only. Other handles are forwarded to an upstream that makes handles. */
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
