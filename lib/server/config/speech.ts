import { z } from 'zod';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { SPEECH_MODEL_IDS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { Environment } from './environment';
import { COSTS, isHttpUrl, requestHeaders, traceContext, usdPrice } from './fields';
import type { Faults } from './faults';
import { Secret } from './secret';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(3_600_000);

/** At this price, the cost in nano-USD of the longest text is still a safe integer. */
const PRICE_PER_MILLION_NANO_USD_MAX = 100_000_000_000_000;

const price = usdPrice(
  PRICE_PER_MILLION_NANO_USD_MAX,
  'Must be a decimal string of USD such as "15": at most 9 decimals, and at most 100000',
);
const modelId = z.enum(SPEECH_MODEL_IDS);
const voice = z.string().min(1).max(512);
/** ASCII only, because the gateway sends the name in a header. */
const engine = z.string().regex(/^[\x20-\x7e]{1,100}$/, 'Must be 1 to 100 printable ASCII characters');

const upstream = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as kokoro')
    .describe('Name of the upstream in logs and models'),
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .describe('Base URL of an OpenAI-compatible speech API, usually ending in /v1'),
  key: z.string().max(4_096).optional().describe('API key (Bearer token); set it from the environment'),
  headers: requestHeaders.default({}).describe('Further request headers'),
  traceContext,
  engine: engine
    .optional()
    .describe('Name of the speech engine in answers and the list of models; by default the name of the upstream'),
  formats: z
    .array(z.enum(AUDIO_FORMATS))
    .min(1)
    .refine(
      (formats) => formats.includes('wav') || formats.includes('pcm'),
      'Must contain wav or pcm, because other formats are made from it',
    )
    .default(['wav'])
    .describe(
      'Formats that the upstream delivers. Whole files in these formats are forwarded; everything else is made from wav, or else from pcm (24 kHz, 16 bits, mono)',
    ),
  models: z
    .array(modelId)
    .min(1)
    .optional()
    .describe(
      'Models of the upstream, with the same ids. By default the models that it lists at /models, or all models if it has no list',
    ),
  acceptsHandles: z
    .boolean()
    .default(false)
    .describe('Whether the upstream created voice handles (vv_…) and refuses handles of another model'),
});

const model = z.strictObject({
  name: z.string().min(1).max(200).optional().describe('Display name'),
  upstream: z.string().optional().describe('Name of the upstream that has the model'),
  upstreamModel: z.string().min(1).max(256).optional().describe("The upstream's id of the model; by default the same"),
  voices: z.array(voice).min(1).max(2_000).optional(),
  defaultVoice: voice.optional(),
  upstreamVoices: z.record(voice, voice).default({}).describe("The upstream's name of a voice, if it differs"),
  formats: z.array(z.enum(AUDIO_FORMATS)).min(1).optional().describe('Offered formats'),
  defaultFormat: z.enum(AUDIO_FORMATS).optional(),
  usdPerMillionCharacters: price.optional(),
  costs: z.strictObject({ usdPerMillionCharacters: price }).optional().describe(COSTS),
  engine: engine.optional(),
});

export const speechSchema = z
  .strictObject({
    upstreams: z
      .array(upstream)
      .max(16)
      .default([])
      .describe(
        'OpenAI-compatible servers. If several have a model, the gateway asks the first one, and the next if it fails before the first byte',
      ),
    models: z.partialRecord(modelId, model).default({}).describe('Settings of single models, by id'),
    handles: z
      .record(z.string().regex(/^vv_.{1,509}$/u, 'Must be a handle of the form vv_<id>'), modelId)
      .default({})
      .describe('Handles of cloned voices, each with the model that created it'),
    connectTimeoutMs: timeoutMs().default(5_000),
    firstByteTimeoutMs: timeoutMs().default(60_000).describe('Timeout from sending a text to the first byte of audio'),
    failoverTimeoutMs: timeoutMs().default(90_000).describe('Total time for all attempts'),
    idleTimeoutMs: timeoutMs()
      .default(30_000)
      .describe('Timeout between two parts of the audio, and for a client that reads none of it'),
    concurrency: positive(1_024).default(8).describe('Maximum concurrent speech requests'),
    queueLength: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .default(32)
      .describe('Maximum waiting speech requests; further requests get 503'),
    queueTimeoutMs: timeoutMs().default(30_000).describe('Longest wait of a request before it gets 503'),
    encoderThreads: positive(64).default(2).describe('Number of processes that encode audio, with one thread each'),
    audioBytesMax: positive(1024 * 1024 * 1024)
      .default(256 * 1024 * 1024)
      .describe('Largest audio of one request, as the upstream delivers it'),
    modelsRefreshMs: positive(86_400_000).default(60_000).describe("Interval of reading upstreams' model lists"),
  })
  .superRefine(checkReferences);

type SpeechFile = z.output<typeof speechSchema>;

/** Speech server. The URL has no trailing slash. */
export interface SpeechUpstreamConfig {
  name: string;
  url: string;
  key: Secret | null;
  headers: Readonly<Record<string, Secret>>;
  engine: string;
  formats: readonly AudioFormat[];
  /** Models to use; null to use the models that the server lists. */
  models: readonly SpeechModelId[] | null;
  acceptsHandles: boolean;
  /** True to forward requests' trace context to the server. */
  traceContext?: boolean;
}

export type SpeechModelOverride = Omit<z.output<typeof model>, 'usdPerMillionCharacters'> & {
  priceNanoUsdPerMillion: number | null;
};

export interface SpeechConfig extends Omit<SpeechFile, 'upstreams' | 'models' | 'handles'> {
  upstreams: readonly SpeechUpstreamConfig[];
  models: ReadonlyMap<SpeechModelId, SpeechModelOverride>;
  handles: ReadonlyMap<string, SpeechModelId>;
}

/** Wraps secrets, and puts the upstream of SPEECH_UPSTREAM_URL first. */
export function speechConfig(
  { upstreams, models, handles, ...settings }: SpeechFile,
  env: Environment,
  faults: Faults,
): SpeechConfig {
  const { SPEECH_UPSTREAM_URL: url, SPEECH_UPSTREAM_KEY: key } = env;
  if (url && !isHttpUrl(url)) faults.set('SPEECH_UPSTREAM_URL', 'expected an http:// or https:// URL');
  const named: z.output<typeof upstream>[] = url
    ? [
        {
          name: 'speech',
          url,
          headers: {},
          formats: ['wav'],
          acceptsHandles: false,
          traceContext: false,
          ...(key ? { key } : {}),
        },
      ]
    : [];
  return {
    ...settings,
    upstreams: [...named, ...upstreams].map(wrapUpstream),
    models: new Map(
      Object.entries(models).map(([id, { usdPerMillionCharacters: own, ...rest }]) => [
        id as SpeechModelId,
        { ...rest, priceNanoUsdPerMillion: own === undefined ? null : parseUsd(own) },
      ]),
    ),
    handles: new Map(Object.entries(handles)),
  };
}

function wrapUpstream({
  name,
  url,
  key,
  headers: given,
  engine: spoken,
  models,
  ...rest
}: z.output<typeof upstream>): SpeechUpstreamConfig {
  return {
    ...rest,
    name,
    url: url.replace(/\/+$/, ''),
    key: key ? new Secret(key) : null,
    headers: Object.fromEntries(
      Object.entries(given).map(([header, value]) => [header.toLowerCase(), new Secret(value)]),
    ),
    engine: spoken ?? name,
    models: models ?? null,
  };
}

function checkReferences(
  { upstreams, models }: { upstreams: { name: string }[]; models: Partial<Record<string, z.output<typeof model>>> },
  context: z.RefinementCtx,
): void {
  const names = new Set<string>(['speech']);
  upstreams.forEach(({ name }, index) => {
    if (names.has(name) && name !== 'speech')
      context.addIssue({ code: 'custom', path: ['upstreams', index, 'name'], message: 'Is listed twice' });
    names.add(name);
  });
  for (const [id, said] of Object.entries(models)) {
    if (!said) continue;
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: ['models', id, field], message });
    if (said.upstream !== undefined && !names.has(said.upstream))
      refuse(
        'upstream',
        'Must be the name of one of the upstreams, or "speech" for the upstream of SPEECH_UPSTREAM_URL',
      );
    if (said.voices && said.defaultVoice === undefined) refuse('defaultVoice', 'Is required if "voices" is set');
    if (said.voices && said.defaultVoice !== undefined && !said.voices.includes(said.defaultVoice))
      refuse('defaultVoice', 'Must be one of "voices"');
    if (said.formats && said.defaultFormat === undefined) refuse('defaultFormat', 'Is required if "formats" is set');
    if (said.formats && said.defaultFormat !== undefined && !said.formats.includes(said.defaultFormat))
      refuse('defaultFormat', 'Must be one of "formats"');
  }
}
