import { z } from 'zod';
import { parseUsd } from '@/lib/protocol/pricing';
import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { SPEECH_MODEL_IDS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { Environment } from './environment';
import { requestHeaders, traceContext, usdPrice } from './fields';
import type { Faults } from './faults';
import { isHttpUrl } from './http-url';
import { Secret } from './secret';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(3_600_000);

/** A price at which the longest text still costs a safe integer of nano-USD. */
const PRICE_PER_MILLION_NANO_USD_MAX = 100_000_000_000_000;

const price = usdPrice(
  PRICE_PER_MILLION_NANO_USD_MAX,
  'Must be a decimal string of USD such as "15": at most 9 decimals, and at most 100000',
);
const modelId = z.enum(SPEECH_MODEL_IDS);
const voice = z.string().min(1).max(512);
/** It goes out in a header. */
const engine = z.string().regex(/^[\x20-\x7e]{1,100}$/, 'Must be 1 to 100 printable ASCII characters');

const upstream = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as kokoro')
    .describe('How logs and models name it'),
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .describe('Base URL of an OpenAI-compatible speech API, usually ending in /v1'),
  key: z.string().max(4_096).optional().describe('Sent as a Bearer token; from the environment'),
  headers: requestHeaders.default({}).describe('Further request headers'),
  traceContext,
  engine: engine
    .optional()
    .describe('What speaks there, as answers and the list of models say it; its name unless given'),
  formats: z
    .array(z.enum(AUDIO_FORMATS))
    .min(1)
    .refine(
      (formats) => formats.includes('wav') || formats.includes('pcm'),
      'Must hold wav or pcm: other formats are made from it',
    )
    .default(['wav'])
    .describe(
      'What it delivers. Whole files of these are asked for as they are; everything else is made from wav, or else from pcm (24 kHz, 16 bits, mono)',
    ),
  models: z
    .array(modelId)
    .min(1)
    .optional()
    .describe(
      'The models that it has, under the same ids. Without it, those that it lists at /models; all where it has no such list',
    ),
  acceptsHandles: z
    .boolean()
    .default(false)
    .describe('Whether it made voice handles (vv_…), and refuses those that are not of the model'),
});

const model = z.strictObject({
  name: z.string().min(1).max(200).optional().describe('Display name'),
  upstream: z.string().optional().describe('Name of the upstream that has it'),
  upstreamModel: z.string().min(1).max(256).optional().describe("The upstream's id of it; the same unless given"),
  voices: z.array(voice).min(1).max(2_000).optional(),
  defaultVoice: voice.optional(),
  upstreamVoices: z.record(voice, voice).default({}).describe("The upstream's name of a voice, where it has another"),
  formats: z.array(z.enum(AUDIO_FORMATS)).min(1).optional().describe('Formats that may be asked for'),
  defaultFormat: z.enum(AUDIO_FORMATS).optional(),
  usdPerMillionCharacters: price.optional(),
  engine: engine.optional(),
});

/** Text-to-speech: where the models run, what they cost, and how long they may take. */
export const speechSchema = z
  .strictObject({
    upstreams: z
      .array(upstream)
      .max(16)
      .default([])
      .describe(
        'OpenAI-compatible servers. Of a model that several have, the first is asked, and the next where it fails before the first byte',
      ),
    models: z.partialRecord(modelId, model).default({}).describe('What the operator says of single models, by id'),
    handles: z
      .record(z.string().regex(/^vv_.{1,509}$/u, 'Must be a handle of the form vv_<id>'), modelId)
      .default({})
      .describe('Handles of cloned voices, each with the model that made it'),
    connectTimeoutMs: timeoutMs().default(5_000),
    firstByteTimeoutMs: timeoutMs().default(60_000).describe('From sending a text to the first byte of its audio'),
    failoverTimeoutMs: timeoutMs()
      .default(90_000)
      .describe('Over all upstreams that have the model: after this time no further one is asked'),
    idleTimeoutMs: timeoutMs()
      .default(30_000)
      .describe('Between two parts of the audio; also how long a client may take none of it'),
    concurrency: positive(1_024).default(8).describe('Requests that speak at the same time'),
    queueLength: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .default(32)
      .describe('Requests that wait for their turn; one more is 503'),
    queueTimeoutMs: timeoutMs().default(30_000).describe('How long one waits before it is 503'),
    encoderThreads: positive(64).default(2).describe('Processes that encode audio, one thread each'),
    audioBytesMax: positive(1024 * 1024 * 1024)
      .default(256 * 1024 * 1024)
      .describe('Of the audio of one request, as the upstream delivers it'),
    modelsRefreshMs: positive(86_400_000).default(60_000).describe('Between two looks at the models of the upstreams'),
  })
  .superRefine(checkReferences);

type SpeechFile = z.output<typeof speechSchema>;

/** A server of speech. The URL has no slash at its end. */
export interface SpeechUpstreamConfig {
  name: string;
  url: string;
  key: Secret | null;
  headers: Readonly<Record<string, Secret>>;
  engine: string;
  formats: readonly AudioFormat[];
  /** Null for those that it lists. */
  models: readonly SpeechModelId[] | null;
  acceptsHandles: boolean;
  /** Whether it is sent the traceparent of the requests that it is asked for; false unless given. */
  traceContext?: boolean;
}

export type SpeechModelOverride = Omit<z.output<typeof model>, 'usdPerMillionCharacters'> & {
  priceNanoUsdPerMillion: number | null;
};

/** The speech of the configuration, as the gateway uses it. */
export interface SpeechConfig extends Omit<SpeechFile, 'upstreams' | 'models' | 'handles'> {
  upstreams: readonly SpeechUpstreamConfig[];
  models: ReadonlyMap<SpeechModelId, SpeechModelOverride>;
  handles: ReadonlyMap<string, SpeechModelId>;
}

/** Wraps the secrets, and adds the upstream that the environment alone names: it goes before those of the file. */
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

/** Names must lead somewhere, and defaults be among what they are the default of. */
function checkReferences(
  { upstreams, models }: { upstreams: { name: string }[]; models: Partial<Record<string, z.output<typeof model>>> },
  context: z.RefinementCtx,
): void {
  const names = new Set<string>(['speech']);
  upstreams.forEach(({ name }, index) => {
    if (names.has(name) && name !== 'speech')
      context.addIssue({ code: 'custom', path: ['upstreams', index, 'name'], message: 'Stands here twice' });
    names.add(name);
  });
  for (const [id, said] of Object.entries(models)) {
    if (!said) continue;
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: ['models', id, field], message });
    if (said.upstream !== undefined && !names.has(said.upstream))
      refuse('upstream', 'Must be the name of one of the upstreams, or "speech" for that of SPEECH_UPSTREAM_URL');
    if (said.voices && said.defaultVoice === undefined) refuse('defaultVoice', 'Must be given where "voices" is');
    if (said.voices && said.defaultVoice !== undefined && !said.voices.includes(said.defaultVoice))
      refuse('defaultVoice', 'Must be one of "voices"');
    if (said.formats && said.defaultFormat === undefined) refuse('defaultFormat', 'Must be given where "formats" is');
    if (said.formats && said.defaultFormat !== undefined && !said.formats.includes(said.defaultFormat))
      refuse('defaultFormat', 'Must be one of "formats"');
  }
}
