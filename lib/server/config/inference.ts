import { z } from 'zod';
import { addedFieldFault } from '@/lib/protocol/chat/field-check';
import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { parseUsd } from '@/lib/protocol/pricing';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { attestationPolicy, attestationSchema, type AttestationServices, attestationServices } from './attestation';
import type { Environment } from './environment';
import { refuseTwins, requestHeaders, traceContext, usdPrice } from './fields';
import type { Faults } from './faults';
import { isHttpUrl } from './http-url';
import { Secret } from './secret';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(3_600_000);

/** A price at which the largest request still costs a safe integer of nano-USD. */
const PRICE_PER_MILLION_NANO_USD_MAX = 100_000_000_000;
const TOKENS_MAX = 10_000_000;

const price = usdPrice(
  PRICE_PER_MILLION_NANO_USD_MAX,
  'Must be a decimal string of USD such as "0.15": at most 9 decimals, and at most 100',
);

const prices = z.strictObject({
  inputUsdPerMillionTokens: price.default('0.15'),
  outputUsdPerMillionTokens: price.default('0.60'),
  cachedInputUsdPerMillionTokens: price
    .optional()
    .describe('Of input tokens that the server read from its cache; as other input unless given'),
  cacheWriteUsdPerMillionTokens: price
    .optional()
    .describe('Of input tokens that the server wrote into its cache; as other input unless given'),
});

const upstream = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as ollama')
    .describe('How logs and models name it'),
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .describe('Base URL of an OpenAI-compatible API, usually ending in /v1'),
  key: z.string().max(4_096).optional().describe('Sent as a Bearer token; from the environment'),
  headers: requestHeaders.default({}).describe('Further request headers'),
  traceContext,
});

const chatUpstream = upstream.extend({
  apis: z
    .array(z.enum(['responses', 'messages']))
    .max(2)
    .default([])
    .describe(
      "The APIs that the server speaks beside chats: OpenAI's Responses and Anthropic's Messages. Requests in their form are passed on to it as they came, and translated for others",
    ),
});

/** The kinds of encryption to enclaves, by the names that `model_spec.encryption` has. */
export const ENCRYPTIONS = ['ecdsa', 'ed25519', 'ehbp', 'ml-kem-768'] as const;

/** How clients encrypt to enclaves: message by message with the specification's headers, or the whole body by EHBP or with ML-KEM. */
export type UpstreamEncryption = (typeof ENCRYPTIONS)[number];

const enclaveUpstream = upstream
  .extend({
    encryption: z
      .enum(ENCRYPTIONS)
      .default('ecdsa')
      .describe(
        'How clients encrypt to its enclaves: ecdsa with the headers of the specification, ed25519 with the same in the form of NEAR AI (version 2), ehbp the whole body (Encrypted HTTP Body Protocol, as Tinfoil has it), ml-kem-768 the whole body to one of several instances (as Chutes has it)',
      ),
    controlUrl: z
      .string()
      .refine(isHttpUrl, 'Must be an http:// or https:// URL')
      .optional()
      .describe(
        'With ml-kem-768: base URL of the API that lists and attests instances and takes encrypted requests for them (of Chutes https://api.chutes.ai)',
      ),
  })
  .superRefine(({ encryption, controlUrl }, context) => {
    const isNeeded = encryption === 'ml-kem-768';
    if (isNeeded === (controlUrl !== undefined)) return;
    context.addIssue({
      code: 'custom',
      path: ['controlUrl'],
      message: isNeeded ? 'Must be given where encryption is ml-kem-768' : 'Is for encryption ml-kem-768 alone',
    });
  });

/** Names that are no known field to anybody, and multiply nothing. */
const chatFields = z
  .array(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'Must be the name of a field'))
  .max(64)
  .superRefine((names, context) => {
    names.forEach((name, index) => {
      const fault = addedFieldFault(name);
      if (fault !== null) context.addIssue({ code: 'custom', path: [index], message: fault });
    });
  });

const capabilities = z.strictObject({
  supportsE2EE: z
    .boolean()
    .optional()
    .describe(
      'Whether clients can encrypt to it, in the way that `encryption` of its upstream says. GET /models shows it as true for ecdsa alone, and for the others model_spec.encryption',
    ),
  supportsTeeAttestation: z.boolean().optional(),
  supportsResponseSchema: z.boolean().optional(),
  supportsFunctionCalling: z.boolean().optional(),
  supportsVision: z
    .boolean()
    .optional()
    .describe(
      'Whether it takes pictures. Where neither this nor its server says so, a refused picture is left out of a second attempt',
    ),
});

const model = z.strictObject({
  name: z.string().min(1).max(200).optional().describe('Display name'),
  contextTokens: positive(TOKENS_MAX).optional(),
  maxOutputTokens: positive(TOKENS_MAX)
    .optional()
    .describe('Most tokens of one completion; what a request may ask for and is reserved for'),
  capabilities: capabilities.default({}),
  prices: prices.optional(),
});

/** Chat: where models run, what they cost, and how long they may take. */
export const inferenceSchema = z.strictObject({
  chatUpstreams: z
    .array(chatUpstream)
    .max(16)
    .superRefine(refuseTwins)
    .default([])
    .describe(
      'OpenAI-compatible servers. Of a model that several have, the first that is well is asked, then the next',
    ),
  enclaveUpstreams: z
    .array(enclaveUpstream)
    .max(16)
    .superRefine(refuseTwins)
    .default([])
    .describe('Servers of the NEAR AI and Phala family, whose models run in enclaves; they go before the others'),
  prices: prices.prefault({}).describe('Of models without a price of their own'),
  models: z
    .record(z.string().min(1).max(256), model)
    .default({})
    .describe('What the operator says of single models, by id'),
  connectTimeoutMs: timeoutMs().default(5_000),
  firstByteTimeoutMs: timeoutMs()
    .default(120_000)
    .describe(
      'From sending a request to the first event of its answer, or to its whole answer where it is not streamed',
    ),
  failoverTimeoutMs: timeoutMs()
    .default(180_000)
    .describe('Over all upstreams that have the model: after this time no further one is asked'),
  idleTimeoutMs: timeoutMs().default(60_000).describe('Between two parts of a streamed answer'),
  requestBytesMax: positive(64 * 1024 * 1024).default(8 * 1024 * 1024),
  answerBytesMax: positive(256 * 1024 * 1024)
    .default(32 * 1024 * 1024)
    .describe('Of an answer that is not streamed'),
  schemaCompileTimeoutMs: timeoutMs()
    .default(2_000)
    .describe('For compiling one response schema, in a thread of its own; one that takes longer is refused'),
  replyCheckTimeoutMs: timeoutMs()
    .default(1_000)
    .describe('For holding one reply to its schema, in that thread; one that takes longer does not fit'),
  chatFields: chatFields
    .default([])
    .describe(
      'Further fields of a chat request that go out to models as they come: of others that are not in the table of docs/inference.md plain models are told nothing',
    ),
  modelsRefreshMs: positive(86_400_000).default(60_000).describe('Between two looks at the models of the upstreams'),
  attestation: attestationSchema.prefault({}).describe('What is taken for good in attestations of enclaves'),
  repairAttempts: z
    .union([z.literal(0), z.literal(1)])
    .default(0)
    .describe(
      'Further completions where a reply does not fit the schema that it was to have; the caller pays for both',
    ),
});

type InferenceFile = z.output<typeof inferenceSchema>;
export type ModelOverride = Omit<z.output<typeof model>, 'prices'> & { price: TokenPrice | null };
export type ModelCapabilityOverrides = z.output<typeof capabilities>;

/** A server of models. The URL has no slash at its end. */
export interface InferenceUpstreamConfig {
  name: string;
  url: string;
  key: Secret | null;
  headers: Readonly<Record<string, Secret>>;
  /** Whether its models run in enclaves. */
  isEnclave: boolean;
  /** Whether it is sent the traceparent of the requests that it is asked for; false unless given. */
  traceContext?: boolean;
  /** The APIs that it speaks beside chats; none unless given. */
  apis?: readonly ('responses' | 'messages')[];
  /** How clients encrypt to those, `ecdsa` unless given; of no account for others. */
  encryption?: UpstreamEncryption;
  /** Without a slash at its end; none unless given. */
  controlUrl?: string | null;
}

/** The inference of the configuration, as the gateway uses it. */
export interface InferenceConfig extends Omit<
  InferenceFile,
  'chatUpstreams' | 'enclaveUpstreams' | 'prices' | 'models' | 'attestation' | 'chatFields'
> {
  chatFields: ReadonlySet<string>;
  upstreams: readonly InferenceUpstreamConfig[];
  price: TokenPrice;
  attestation: AttestationPolicy;
  attestationServices: AttestationServices;
  models: ReadonlyMap<string, ModelOverride>;
}

/** Variables that name an upstream by themselves. */
const VARIABLES = [
  { name: 'enclave', url: 'ENCLAVE_UPSTREAM_URL', key: 'ENCLAVE_UPSTREAM_KEY', isEnclave: true },
  { name: 'chat', url: 'CHAT_UPSTREAM_URL', key: 'CHAT_UPSTREAM_KEY', isEnclave: false },
] as const;

/** Wraps the secrets, and adds the upstreams that the environment alone names: they go before those of the file, and enclaves before all others. */
export function inferenceConfig(file: InferenceFile, env: Environment, faults: Faults): InferenceConfig {
  const {
    chatUpstreams,
    enclaveUpstreams,
    prices: standard,
    models,
    attestation,
    chatFields: fields,
    ...settings
  } = file;
  const named = VARIABLES.flatMap(({ name, url: urlName, key: keyName, isEnclave }) => {
    const url = env[urlName];
    if (!url) return [];
    if (!isHttpUrl(url)) faults.set(urlName, 'expected an http:// or https:// URL');
    const key = env[keyName];
    return [wrapUpstream({ name, url, headers: {}, traceContext: false, ...(key ? { key } : {}) }, isEnclave)];
  });
  const all = [
    ...named,
    ...enclaveUpstreams.map((each) => wrapUpstream(each, true)),
    ...chatUpstreams.map((each) => wrapUpstream(each, false)),
  ];
  // A plain server must not stand in for an enclave that has a model of the same name.
  const upstreams = [...all.filter(({ isEnclave }) => isEnclave), ...all.filter(({ isEnclave }) => !isEnclave)];
  return {
    ...settings,
    upstreams,
    chatFields: new Set(fields),
    price: priceOf(standard),
    attestation: attestationPolicy(attestation),
    attestationServices: attestationServices(attestation),
    models: new Map(
      Object.entries(models).map(([id, { prices: own, ...rest }]) => [
        id,
        { ...rest, price: own ? priceOf(own) : null },
      ]),
    ),
  };
}

function wrapUpstream(
  {
    name,
    url,
    key,
    headers: given,
    traceContext: sends,
    encryption = 'ecdsa',
    controlUrl,
    apis = [],
  }: z.output<typeof upstream> & {
    apis?: ('responses' | 'messages')[];
    encryption?: UpstreamEncryption;
    controlUrl?: string | undefined;
  },
  isEnclave: boolean,
): InferenceUpstreamConfig {
  return {
    name,
    url: url.replace(/\/+$/, ''),
    key: key ? new Secret(key) : null,
    headers: Object.fromEntries(
      Object.entries(given).map(([header, value]) => [header.toLowerCase(), new Secret(value)]),
    ),
    isEnclave,
    traceContext: sends,
    apis,
    encryption,
    controlUrl: controlUrl?.replace(/\/+$/, '') ?? null,
  };
}

function priceOf({
  inputUsdPerMillionTokens: input,
  outputUsdPerMillionTokens: output,
  cachedInputUsdPerMillionTokens: cached,
  cacheWriteUsdPerMillionTokens: written,
}: z.output<typeof prices>): TokenPrice {
  return {
    inputNanoUsdPerMillion: parseUsd(input),
    outputNanoUsdPerMillion: parseUsd(output),
    ...(cached !== undefined && { cachedInputNanoUsdPerMillion: parseUsd(cached) }),
    ...(written !== undefined && { cacheWriteNanoUsdPerMillion: parseUsd(written) }),
  };
}
