import { z } from 'zod';
import { parseUsd } from '@/lib/protocol/parse-usd';
import type { Environment } from './environment';
import { COSTS, isHttpUrl, refuseTwins, usdPrice } from './fields';
import type { Faults } from './faults';
import { Secret } from './secret';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(3_600_000);
const DAY_HOURS = 24;

/** 100 USD a second. At this price, the cost of the longest video in nano-USD is still a safe integer. */
const PRICE_PER_SECOND_NANO_USD_MAX = 100_000_000_000;

const price = usdPrice(
  PRICE_PER_SECOND_NANO_USD_MAX,
  'Must be a decimal string of USD such as "0.05": at most 9 decimals, and at most 100',
);
const httpUrl = z.string().refine(isHttpUrl, 'Must be an http:// or https:// URL');
const upstreamName = z.string().regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as studio');
const durations = z
  .array(z.string().regex(/^[1-9][0-9]{0,2}s$/, 'Must be whole seconds such as "5s"'))
  .min(1)
  .max(64);
const aspectRatios = z
  .array(z.string().regex(/^[1-9][0-9]{0,2}:[1-9][0-9]{0,2}$/, 'Must be two numbers such as "16:9"'))
  .min(1)
  .max(64);
const resolutions = z.array(z.string().min(1).max(16)).min(1).max(64);

const upstream = z.strictObject({
  name: upstreamName.describe('Name of the upstream in logs and models'),
  url: httpUrl.describe('Base URL of a server with video/queue, video/retrieve and video/complete'),
  key: z.string().max(4_096).optional().describe('API key (Bearer token); set it from the environment'),
  idempotencyKeys: z
    .boolean()
    .default(true)
    .describe(
      'Whether the upstream makes a request only once if it is sent again under its Idempotency-Key. If not, a request whose answer was lost fails and is refunded',
    ),
});

const model = z.strictObject({
  upstream: upstreamName.optional().describe('Name of the upstream that has the model; by default the first'),
  name: z.string().min(1).max(200).optional().describe('Display name'),
  durations: durations.optional().describe('The first is the default'),
  aspectRatios: aspectRatios.optional().describe('The first is the default'),
  resolutions: resolutions.optional().describe('The first is the default'),
  pricePerSecondUsd: price.optional(),
  costs: z.strictObject({ usdPerSecond: price }).optional().describe(COSTS),
});

const folder = z.strictObject({
  kind: z.literal('folder'),
  path: z.string().min(1).optional().describe('By default the folder "video" in the data folder'),
});
const s3 = z.strictObject({
  kind: z.literal('s3'),
  endpoint: httpUrl.describe('URL such as https://s3.eu-central-1.amazonaws.com; buckets are addressed by path'),
  region: z.string().min(1).max(64).default('auto'),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Must be the name of a bucket'),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_\-/]{0,200}$/, 'Must be letters, digits, "_", "-" or "/"')
    .default('video/')
    .describe('Prefix of every object name'),
  accessKeyId: z.string().min(1).max(256),
  secretAccessKey: z.string().min(1).max(256).describe('Set it from the environment: ${NAME}'),
});

export const videoSchema = z.strictObject({
  upstreams: z
    .array(upstream)
    .max(16)
    .superRefine(refuseTwins)
    .default([])
    .describe('Video servers. If several have a model, the gateway asks the first'),
  models: z
    .record(z.string().min(1).max(256), model)
    .default({})
    .describe('Settings of single models, by id; not needed for models that an upstream lists'),
  pricePerSecondUsd: price.default('0.05').describe('Price of a second of video for models that set none'),
  storage: z
    .discriminatedUnion('kind', [folder, s3])
    .default({ kind: 'folder' })
    .describe('Storage of videos. Several gateways need a shared one'),
  keepHours: positive(DAY_HOURS).default(DAY_HOURS).describe('Hours for which a video is stored after it was made'),
  openRequestsPerCaller: positive(10_000).default(10).describe('Maximum concurrent videos of one caller'),
  openRequestsMax: positive(1_000_000).default(1_000).describe('Maximum concurrent videos of all callers'),
  connectTimeoutMs: timeoutMs().default(5_000),
  answerTimeoutMs: timeoutMs()
    .default(30_000)
    .describe('Timeout to the first byte of an answer, and between two parts of it'),
  requestTimeoutMs: z
    .number()
    .int()
    .min(1_000)
    .max(23 * 3_600_000)
    .default(3_600_000)
    .describe('Time for making a video; after that the request fails and is refunded'),
  pollIntervalMs: positive(600_000)
    .default(2_000)
    .describe('Interval of asking an upstream whether a video is ready; it grows to 8 times this value'),
  mediaBytesMax: positive(4 * 1024 ** 3)
    .default(512 * 1024 * 1024)
    .describe('Largest video'),
  sweepIntervalMs: positive(3_600_000).default(60_000).describe('Interval of deleting expired videos'),
  modelsRefreshMs: positive(86_400_000).default(60_000).describe("Interval of reading upstreams' model lists"),
});

type VideoFile = z.output<typeof videoSchema>;
export type VideoModelOverride = z.output<typeof model>;

/** Video server. The URL has no trailing slash. */
export interface VideoUpstreamConfig {
  name: string;
  url: string;
  key: Secret | null;
  idempotencyKeys: boolean;
}

export interface S3Config {
  kind: 's3';
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: Secret;
  secretAccessKey: Secret;
}

type VideoStorageConfig = { kind: 'folder'; path?: string | undefined } | S3Config;

export interface VideoConfig extends Omit<VideoFile, 'upstreams' | 'storage' | 'models' | 'pricePerSecondUsd'> {
  upstreams: readonly VideoUpstreamConfig[];
  models: ReadonlyMap<string, VideoModelOverride>;
  storage: VideoStorageConfig;
  pricePerSecondNanoUsd: number;
}

/** Returns the settings. Wraps secrets in `Secret`, and puts the upstream of VIDEO_UPSTREAM_URL first. */
export function videoConfig(file: VideoFile, env: Environment, faults: Faults): VideoConfig {
  const { upstreams, models, storage, pricePerSecondUsd, ...settings } = file;
  const { VIDEO_UPSTREAM_URL: url, VIDEO_UPSTREAM_KEY: key } = env;
  if (url && !isHttpUrl(url)) faults.set('VIDEO_UPSTREAM_URL', 'expected an http:// or https:// URL');
  const named = url ? [wrapUpstream({ name: 'video', url, idempotencyKeys: true, ...(key ? { key } : {}) })] : [];
  return {
    ...settings,
    upstreams: [...named, ...upstreams.map(wrapUpstream)],
    models: new Map(Object.entries(models)),
    storage: storage.kind === 's3' ? wrapS3(storage) : storage,
    pricePerSecondNanoUsd: parseUsd(pricePerSecondUsd),
  };
}

function wrapUpstream({ name, url, key, idempotencyKeys }: z.output<typeof upstream>): VideoUpstreamConfig {
  return { name, url: url.replace(/\/+$/, ''), key: key ? new Secret(key) : null, idempotencyKeys };
}

function wrapS3({ accessKeyId, secretAccessKey, endpoint, ...rest }: z.output<typeof s3>): S3Config {
  return {
    ...rest,
    endpoint: endpoint.replace(/\/+$/, ''),
    accessKeyId: new Secret(accessKeyId),
    secretAccessKey: new Secret(secretAccessKey),
  };
}
