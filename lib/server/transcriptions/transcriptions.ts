import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import { TRANSCRIPTION_PROMPT_MAX } from '@/lib/protocol/transcriptions/transcription-request';
import { UploadPlaces } from '../http/multipart/uploaded-file';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TranscriptionModelConfig, TranscriptionsConfig } from '../config/transcriptions';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { ConfiguredModels, type ServedModel } from '../upstreams/models/configured-models';

export type TranscriptionModel = ServedModel<TranscriptionModelConfig>;

/** The gateway's transcription models with their upstreams, and the folder and limits for uploads. */
export class Transcriptions {
  readonly models: ConfiguredModels<TranscriptionModelConfig>;
  readonly places: UploadPlaces;
  readonly folder: string;

  constructor(
    readonly config: TranscriptionsConfig,
    dataDir: string,
    readonly log: Logger,
    /** Memory limit that long answers share; null for no limit. */
    memory: HeldMemory | null = null,
  ) {
    this.models = new ConfiguredModels(config, memory);
    this.places = new UploadPlaces(config.filesMax);
    this.folder = join(dataDir, 'uploads');
  }

  close(): Promise<void> {
    return this.models.close();
  }
}

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
