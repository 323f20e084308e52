import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TranscriptionModelConfig, TranscriptionsConfig } from '../config/transcriptions';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { UploadPlaces } from '../http/multipart/upload-places';
import { ConfiguredModels, type ServedModel } from '../upstreams/models/configured-models';

export type TranscriptionModel = ServedModel<TranscriptionModelConfig>;

/** Transcription models of the gateway, with their upstreams, and the slots and folder for uploads. */
export class Transcriptions {
  readonly models: ConfiguredModels<TranscriptionModelConfig>;
  readonly places: UploadPlaces;
  readonly folder: string;

  constructor(
    readonly config: TranscriptionsConfig,
    dataDir: string,
    readonly log: Logger,
    /** Memory shared by long answers; null for no limit. */
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
