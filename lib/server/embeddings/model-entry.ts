import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import type { EmbeddingModel } from './embeddings';

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
