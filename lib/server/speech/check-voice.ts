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
export function checkVoice(voice: string | null | undefined, model: OfferedSpeechModel, { handles }: Pick<SpeechConfig, 'handles'>): string {
  const name = voice ?? model.defaultVoice;
  if (model.voices.includes(name)) return model.upstreamVoices[name] ?? name;
  if (HANDLE.test(name)) return checkHandle(name, model, handles);
  if (model.supportsCustomVoiceId && CUSTOM_ID.test(name)) return name;
  throw refused(`The model ${model.id} has no voice ${JSON.stringify(name.slice(0, 60))}. It has ${listOf(model.voices)}.`);
}

/** One that the configuration pairs is good for that model alone; another is the upstream's to judge, where it makes them. */
function checkHandle(handle: string, model: OfferedSpeechModel, handles: SpeechConfig['handles']): string {
  const paired = handles.get(handle);
  if (paired === model.id) return model.upstreamVoices[handle] ?? handle;
  if (paired === undefined && model.upstream.acceptsHandles) return handle;
  throw refused(`The voice handle ${JSON.stringify(handle.slice(0, 60))} was not made by the model ${model.id}.`);
}

function refused(message: string) {
  return apiError('INVALID_VOICE', { message, details: { _errors: [], voice: { _errors: [message] } } });
}

function listOf(voices: readonly string[]): string {
  const more = voices.length - NAMED_MAX;
  return voices.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
