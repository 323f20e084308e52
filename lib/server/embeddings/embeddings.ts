import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
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
    /** Memory limit that long answers share; null for no limit. */
    memory: HeldMemory | null = null,
  ) {
    this.models = new ConfiguredModels(config, memory);
  }

  close(): Promise<void> {
    return this.models.close();
  }
}

/** Formats an embedding model for GET /models. The price is USD per million tokens. */
export function embeddingModelEntry({ model, offline }: { model: EmbeddingModel; offline: boolean }) {
  const { id, name, upstream, contextTokens, dimensions, supportsDimensions, nanoUsdPerMillionTokens } = model;
  const usd = nanoUsdPerMillionTokens / 1e9;
  return {
    id,
    type: 'embedding',
    object: 'model',
    created: CREATED_UNKNOWN,
    owned_by: upstream.name,
    context_length: contextTokens,
    model_spec: {
      name,
      availableContextTokens: contextTokens,
      ...(dimensions === undefined ? {} : { dimensions }),
      capabilities: { ...NO_CHAT_CAPABILITIES, supportsDimensions },
      pricing: { input: { usd, diem: usd } },
      privacy: 'relayed',
      offline,
    },
  };
}
