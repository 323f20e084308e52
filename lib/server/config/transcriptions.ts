import { z } from 'zod';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { COSTS, usdPrice } from './fields';
import type { InferenceUpstreamConfig } from './inference';
import { modelServers, namedModel, plainModelServer } from './model-server';

const positive = (max: number) => z.number().int().min(1).max(max);

/** 0.1 USD. At this price, the cost in nano-USD of a day of audio is still a safe integer. */
const PRICE_PER_SECOND_NANO_USD_MAX = 100_000_000;
const SECONDS_MAX = 86_400;

const price = usdPrice(
  PRICE_PER_SECOND_NANO_USD_MAX,
  'Must be a decimal string of USD such as "0.0001": at most 9 decimals, and at most 0.1',
);

const model = z.strictObject({
  ...namedModel,
  usdPerSecond: price.default('0.0001').describe('Price of one second of audio'),
  costs: z.strictObject({ usdPerSecond: price }).optional().describe(COSTS),
});

export const transcriptionsSchema = z.strictObject({
  ...modelServers({ firstByteTimeoutMs: 300_000, failoverTimeoutMs: 600_000 }),
  models: z.record(z.string().min(1).max(256), model).default({}).describe('Offered models, by id'),
  fileBytesMax: positive(1024 * 1024 * 1024)
    .default(25 * 1024 * 1024)
    .describe('Largest audio file'),
  secondsMax: positive(SECONDS_MAX).default(14_400).describe('Longest audio, in seconds'),
  filesMax: positive(10_000)
    .default(16)
    .describe(
      'Maximum concurrent files, which are in the data folder until their answer. One caller may have a quarter of them; all callers without a credential count as one',
    ),
  answerBytesMax: positive(256 * 1024 * 1024).default(16 * 1024 * 1024),
});

type TranscriptionsFile = z.output<typeof transcriptionsSchema>;

export type TranscriptionModelConfig = Omit<z.output<typeof model>, 'usdPerSecond'> & { nanoUsdPerSecond: number };

export interface TranscriptionsConfig extends Omit<TranscriptionsFile, 'upstreams' | 'models'> {
  upstreams: readonly InferenceUpstreamConfig[];
  models: ReadonlyMap<string, TranscriptionModelConfig>;
}

/** Wraps secrets and parses prices. */
export function transcriptionsConfig({ upstreams, models, ...settings }: TranscriptionsFile): TranscriptionsConfig {
  return {
    ...settings,
    upstreams: upstreams.map(plainModelServer),
    models: new Map(
      Object.entries(models).map(([id, { usdPerSecond, ...rest }]) => [
        id,
        { ...rest, nanoUsdPerSecond: parseUsd(usdPerSecond) },
      ]),
    ),
  };
}
