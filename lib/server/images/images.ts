import { IMAGE_PROMPT_MAX } from '@/lib/protocol/images/image-requests';
import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
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
    /** Memory limit that long answers share; null for no limit. */
    memory: HeldMemory | null = null,
  ) {
    this.models = new ConfiguredModels(config, memory);
  }

  close(): Promise<void> {
    return this.models.close();
  }
}

/** Formats an image model for GET /models. Prices are USD per picture. */
export function imageModelEntry({ model, offline }: { model: ImageModel; offline: boolean }) {
  const { id, name, upstream, formats, nanoUsdPerImage, fields } = model;
  const prices = [...nanoUsdPerImage].map(
    ([size, nanoUsd]) => [size, { usd: nanoUsd / 1e9, diem: nanoUsd / 1e9 }] as const,
  );
  return {
    id,
    type: 'image',
    object: 'model',
    created: CREATED_UNKNOWN,
    owned_by: upstream.name,
    model_spec: {
      name,
      // A prompt usually has fewer tokens than characters.
      availableContextTokens: IMAGE_PROMPT_MAX,
      sizes: [...nanoUsdPerImage.keys()],
      formats,
      constraints: { promptCharacterLimit: IMAGE_PROMPT_MAX },
      capabilities: {
        ...NO_CHAT_CAPABILITIES,
        supportsSeed: fields.includes('seed'),
        supportsNegativePrompt: fields.includes('negative_prompt'),
      },
      pricing: { generation: prices[0]?.[1], sizes: Object.fromEntries(prices) },
      privacy: 'relayed',
      offline,
    },
  };
}
