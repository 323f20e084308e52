import type { Logger } from 'pino';
import type { EmbeddingModelConfig, EmbeddingsConfig } from '../config/embeddings';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { ConfiguredModels, type ServedModel } from '../upstreams/models/configured-models';

export type EmbeddingModel = ServedModel<EmbeddingModelConfig>;

export class Embeddings {
  readonly models: ConfiguredModels<EmbeddingModelConfig>;

  constructor(
    readonly config: EmbeddingsConfig,
    readonly log: Logger,
    /** Memory shared by long answers; null for no limit. */
    memory: HeldMemory | null = null,
  ) {
    this.models = new ConfiguredModels(config, memory);
  }

  close(): Promise<void> {
    return this.models.close();
  }
}
