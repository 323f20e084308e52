import { z } from 'zod';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { COSTS, usdPrice } from './fields';
import type { InferenceUpstreamConfig } from './inference';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { modelServers, namedModel, plainModelServer, serverOfVariables } from './model-server';

const positive = (max: number) => z.number().int().min(1).max(max);

/** At this price, the largest request's cost in nano-USD is still a safe integer. */
const PRICE_PER_MILLION_NANO_USD_MAX = 100_000_000_000;
const DIMENSIONS_MAX = 65_536;

const price = usdPrice(
  PRICE_PER_MILLION_NANO_USD_MAX,
  'Must be a decimal string of USD such as "0.02": at most 9 decimals, and at most 100',
);

const model = z.strictObject({
  ...namedModel,
  usdPerMillionTokens: price.default('0.02'),
  costs: z.strictObject({ usdPerMillionTokens: price }).optional().describe(COSTS),
  contextTokens: positive(10_000_000).default(8_192).describe('Maximum tokens of one input'),
  dimensions: positive(DIMENSIONS_MAX).optional().describe('Vector length. An answer with another length is refused'),
  supportsDimensions: z.boolean().default(false).describe('Whether a request may ask for shorter vectors'),
});

export const embeddingsSchema = z.strictObject({
  ...modelServers({ firstByteTimeoutMs: 60_000, failoverTimeoutMs: 90_000 }),
  models: z.record(z.string().min(1).max(256), model).default({}).describe('Offered models, by id'),
  inputsMax: positive(10_000).default(2_048).describe('Maximum texts in one request'),
  requestBytesMax: positive(64 * 1024 * 1024).default(8 * 1024 * 1024),
  answerBytesMax: positive(256 * 1024 * 1024).default(32 * 1024 * 1024),
});

type EmbeddingsFile = z.output<typeof embeddingsSchema>;

export type EmbeddingModelConfig = Omit<z.output<typeof model>, 'usdPerMillionTokens'> & {
  nanoUsdPerMillionTokens: number;
};

export interface EmbeddingsConfig extends Omit<EmbeddingsFile, 'upstreams' | 'models'> {
  upstreams: readonly InferenceUpstreamConfig[];
  models: ReadonlyMap<string, EmbeddingModelConfig>;
}

/** Wraps secrets, parses prices, and puts the upstream of EMBEDDINGS_UPSTREAM_URL first. */
export function embeddingsConfig(
  { upstreams, models, ...settings }: EmbeddingsFile,
  env: Environment,
  faults: Faults,
): EmbeddingsConfig {
  return {
    ...settings,
    upstreams: [...serverOfVariables('embeddings', env, faults), ...upstreams].map(plainModelServer),
    models: new Map(
      Object.entries(models).map(([id, { usdPerMillionTokens, ...rest }]) => [
        id,
        { ...rest, nanoUsdPerMillionTokens: parseUsd(usdPerMillionTokens) },
      ]),
    ),
  };
}
