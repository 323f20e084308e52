import type { Logger } from 'pino';
import type { ImageModelConfig, ImagesConfig } from '../config/images';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { ConfiguredModels, type ServedModel } from '../upstreams/models/configured-models';

export type ImageModel = ServedModel<ImageModelConfig>;

export class Images {
  readonly models: ConfiguredModels<ImageModelConfig>;

  constructor(
    readonly config: ImagesConfig,
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
