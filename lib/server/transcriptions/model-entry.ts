import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import { TRANSCRIPTION_PROMPT_MAX } from '@/lib/protocol/transcriptions/transcription-request';
import type { TranscriptionModel } from './transcriptions';

/** Formats a transcription model for GET /models. The price is USD per second of audio. */
export function transcriptionModelEntry({ model, offline }: { model: TranscriptionModel; offline: boolean }) {
  const { id, name, upstream, nanoUsdPerSecond } = model;
  const usd = nanoUsdPerSecond / 1e9;
  return {
    id,
    type: 'asr',
    object: 'model',
    created: CREATED_UNKNOWN,
    owned_by: upstream.name,
    model_spec: {
      name,
      // A prompt has at most one token per character.
      availableContextTokens: TRANSCRIPTION_PROMPT_MAX,
      capabilities: NO_CHAT_CAPABILITIES,
      pricing: { per_audio_second: { usd, diem: usd } },
      privacy: 'relayed',
      offline,
    },
  };
}
