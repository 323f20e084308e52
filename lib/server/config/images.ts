import { z } from 'zod';
import { IMAGE_FORMATS } from '@/lib/protocol/images/image-requests';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { COSTS, usdPrice } from './fields';
import type { InferenceUpstreamConfig } from './inference';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { modelServers, namedModel, plainModelServer, serverOfVariables } from './model-server';

const positive = (max: number) => z.number().int().min(1).max(max);

/** 1,000 USD. At this price, the cost in nano-USD of ten pictures is still a safe integer. */
const PRICE_PER_IMAGE_NANO_USD_MAX = 1_000_000_000_000;

const price = usdPrice(
  PRICE_PER_IMAGE_NANO_USD_MAX,
  'Must be a decimal string of USD such as "0.04": at most 9 decimals, and at most 1000',
);
const size = z.string().regex(/^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$/, 'Must be width and height such as "1024x1024"');

/** Request fields that OpenAI's API does not have and that only some servers accept. */
const FURTHER_IMAGE_FIELDS = ['seed', 'negative_prompt'] as const;

const model = z
  .strictObject({
    ...namedModel,
    usdPerImage: z
      .record(size, price)
      .refine((prices) => Object.keys(prices).length > 0, 'Must have at least one size')
      .default({ '1024x1024': '0.04' })
      .describe('Offered sizes, each with the price of one picture. The first is the default'),
    costs: z
      .strictObject({ usdPerImage: z.record(size, price) })
      .optional()
      .describe(`${COSTS}. One for each size`),
    formats: z
      .array(z.enum(IMAGE_FORMATS))
      .min(1)
      .max(IMAGE_FORMATS.length)
      .default(['png'])
      .describe(
        'Formats of its server. If there are several, the gateway sends output_format. The first is the default',
      ),
    fields: z
      .array(z.enum(FURTHER_IMAGE_FIELDS))
      .max(FURTHER_IMAGE_FIELDS.length)
      .default([])
      .describe("Fields beyond OpenAI's that its server supports; the gateway sends no others"),
  })
  .refine(({ usdPerImage, costs }) => !costs || Object.keys(usdPerImage).every((each) => each in costs.usdPerImage), {
    path: ['costs', 'usdPerImage'],
    message: 'Must have a cost for each size that has a price',
  });

export const imagesSchema = z.strictObject({
  ...modelServers({ firstByteTimeoutMs: 180_000, failoverTimeoutMs: 240_000 }),
  models: z.record(z.string().min(1).max(256), model).default({}).describe('Offered models, by id'),
  imagesMax: positive(10).default(4).describe('Maximum pictures in one request'),
  answerBytesMax: positive(256 * 1024 * 1024).default(64 * 1024 * 1024),
});

type ImagesFile = z.output<typeof imagesSchema>;

export type ImageModelConfig = Omit<z.output<typeof model>, 'usdPerImage'> & {
  /** Price of one picture by size. The first size is the default. */
  nanoUsdPerImage: ReadonlyMap<string, number>;
};

export interface ImagesConfig extends Omit<ImagesFile, 'upstreams' | 'models'> {
  upstreams: readonly InferenceUpstreamConfig[];
  models: ReadonlyMap<string, ImageModelConfig>;
}

/** Wraps secrets, parses prices, and puts the upstream of IMAGES_UPSTREAM_URL first. */
export function imagesConfig(
  { upstreams, models, ...settings }: ImagesFile,
  env: Environment,
  faults: Faults,
): ImagesConfig {
  return {
    ...settings,
    upstreams: [...serverOfVariables('images', env, faults), ...upstreams].map(plainModelServer),
    models: new Map(
      Object.entries(models).map(([id, { usdPerImage, ...rest }]) => [
        id,
        {
          ...rest,
          nanoUsdPerImage: new Map(Object.entries(usdPerImage).map(([each, usd]) => [each, parseUsd(usd)])),
        },
      ]),
    ),
  };
}
