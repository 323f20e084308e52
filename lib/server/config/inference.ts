import { z } from 'zod';
import { addedFieldFault } from '@/lib/protocol/chat/field-check';
import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { parseUsd } from '@/lib/protocol/parse-usd';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { attestationPolicy, attestationSchema, type AttestationServices, attestationServices } from './attestation';
import type { Environment } from './environment';
import { COSTS, isHttpUrl, refuseTwins, usdPrice } from './fields';
import type { Faults } from './faults';
import { modelServer, plainModelServer, serverOfVariables } from './model-server';
import type { Secret } from './secret';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(3_600_000);

/** At this price, the largest request's cost in nano-USD is still a safe integer. */
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
    .describe('Price of input tokens that the server read from its cache; by default the input price'),
  cacheWriteUsdPerMillionTokens: price
    .optional()
    .describe('Price of input tokens that the server wrote to its cache; by default the input price'),
});

const costs = z.strictObject({
  inputUsdPerMillionTokens: price,
  outputUsdPerMillionTokens: price,
  cachedInputUsdPerMillionTokens: price.optional(),
  cacheWriteUsdPerMillionTokens: price.optional(),
});

const chatUpstream = modelServer.extend({
  apis: z
    .array(z.enum(['responses', 'messages']))
    .max(2)
    .default([])
    .describe(
      "APIs that the server supports in addition to chats: OpenAI's Responses and Anthropic's Messages. The gateway forwards such requests unchanged, and translates them for other servers",
    ),
});

/** Ways to encrypt requests for enclaves, as named in `model_spec.encryption`. */
export const ENCRYPTIONS = ['ecdsa', 'ed25519', 'ehbp', 'ml-kem-768'] as const;

/**
 * Encryption between clients and enclaves: each message (`ecdsa`, `ed25519`) or the whole body (`ehbp`, `ml-kem-768`).
 */
export type UpstreamEncryption = (typeof ENCRYPTIONS)[number];

const enclaveUpstream = modelServer
  .extend({
    encryption: z
      .enum(ENCRYPTIONS)
      .default('ecdsa')
      .describe(
        'Encryption of requests to its enclaves. ecdsa: the E2EE headers. ed25519: the same in version 2 (NEAR AI). ehbp: the whole body with the Encrypted HTTP Body Protocol (Tinfoil). ml-kem-768: the whole body to one instance (Chutes)',
      ),
    controlUrl: z
      .string()
      .refine(isHttpUrl, 'Must be an http:// or https:// URL')
      .optional()
      .describe(
        'With ml-kem-768: base URL of the API that lists and attests instances and accepts encrypted requests (for Chutes: https://api.chutes.ai)',
      ),
  })
  .superRefine(({ encryption, controlUrl }, context) => {
    const isNeeded = encryption === 'ml-kem-768';
    if (isNeeded === (controlUrl !== undefined)) return;
    context.addIssue({
      code: 'custom',
      path: ['controlUrl'],
      message: isNeeded ? 'Is required if encryption is ml-kem-768' : 'Is only for encryption ml-kem-768',
    });
  });

/** Names of additional request fields to forward, except names that `addedFieldFault` refuses. */
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
      'Whether clients can encrypt to the model with the `encryption` of its upstream. GET /models shows supportsE2EE only for ecdsa, and model_spec.encryption for the others',
    ),
  supportsTeeAttestation: z.boolean().optional(),
  supportsResponseSchema: z.boolean().optional(),
  supportsFunctionCalling: z.boolean().optional(),
  supportsVision: z
    .boolean()
    .optional()
    .describe('Whether the model accepts pictures. If unknown, the gateway tries again without a refused picture'),
});

const model = z.strictObject({
  name: z.string().min(1).max(200).optional().describe('Display name'),
  type: z
    .enum(['text', 'embedding'])
    .optional()
    .describe('With ehbp: embedding for vectors. Default: what the server lists'),
  contextTokens: positive(TOKENS_MAX).optional(),
  maxOutputTokens: positive(TOKENS_MAX)
    .optional()
    .describe('Maximum tokens of one completion: the limit of max_tokens, and the amount that is reserved'),
  capabilities: capabilities.default({}),
  prices: prices.optional(),
  costs: costs.optional().describe(COSTS),
});

export const inferenceSchema = z.strictObject({
  chatUpstreams: z
    .array(chatUpstream)
    .max(16)
    .superRefine(refuseTwins)
    .default([])
    .describe('OpenAI-compatible servers, asked in this order, healthy ones first'),
  enclaveUpstreams: z
    .array(enclaveUpstream)
    .max(16)
    .superRefine(refuseTwins)
    .default([])
    .describe('Servers of the NEAR AI and Phala family, whose models run in enclaves; asked before the others'),
  prices: prices.prefault({}).describe('Prices of models that set none'),
  models: z.record(z.string().min(1).max(256), model).default({}).describe('Settings of single models, by id'),
  connectTimeoutMs: timeoutMs().default(5_000),
  firstByteTimeoutMs: timeoutMs()
    .default(120_000)
    .describe('Timeout from sending a request to the first event of a streamed answer, or to a whole answer'),
  failoverTimeoutMs: timeoutMs().default(180_000).describe('Total time for all attempts'),
  idleTimeoutMs: timeoutMs().default(60_000).describe('Timeout between two parts of a streamed answer'),
  requestBytesMax: positive(64 * 1024 * 1024).default(8 * 1024 * 1024),
  answerBytesMax: positive(256 * 1024 * 1024)
    .default(32 * 1024 * 1024)
    .describe('Largest answer that is not streamed'),
  schemaCompileTimeoutMs: timeoutMs()
    .default(2_000)
    .describe('Time for compiling a response schema; a schema that takes longer is refused'),
  replyCheckTimeoutMs: timeoutMs()
    .default(1_000)
    .describe('Time for checking a reply against its schema; a reply that takes longer does not match'),
  chatFields: chatFields
    .default([])
    .describe(
      'Further chat fields that are sent to models unchanged. Plain models get no other fields than these and those in docs/inference.md',
    ),
  modelsRefreshMs: positive(86_400_000).default(60_000).describe("Interval of reading upstreams' model lists"),
  attestation: attestationSchema.prefault({}).describe('What attestations of enclaves must show'),
  repairAttempts: z
    .union([z.literal(0), z.literal(1)])
    .default(0)
    .describe('Further attempts if a reply does not match its schema; the caller pays for each'),
});

type InferenceFile = z.output<typeof inferenceSchema>;
export type ModelOverride = Omit<z.output<typeof model>, 'prices' | 'costs'> & {
  price: TokenPrice | null;
  cost: TokenPrice | null;
};

/** Model server. The URL has no trailing slash. */
export interface InferenceUpstreamConfig {
  name: string;
  url: string;
  key: Secret | null;
  headers: Readonly<Record<string, Secret>>;
  isEnclave: boolean;
  maxConcurrentRequests?: number;
  traceContext?: boolean;
  apis?: readonly ('responses' | 'messages')[];
  /** How requests to enclaves are encrypted; `ecdsa` by default. Ignored for servers without enclaves. */
  encryption?: UpstreamEncryption;
  controlUrl?: string | null;
}

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

/**
 * Wraps secrets, and adds the upstreams from variables. Puts enclaves before plain servers. Within each of these
 * groups, puts upstreams from variables first.
 */
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
  const all = [
    ...[...serverOfVariables('enclave', env, faults), ...enclaveUpstreams].map((each) => wrapUpstream(each, true)),
    ...[...serverOfVariables('chat', env, faults), ...chatUpstreams].map((each) => wrapUpstream(each, false)),
  ];
  // Enclaves come first. A plain server listed first would take the calls for a model that both have.
  const upstreams = [...all.filter(({ isEnclave }) => isEnclave), ...all.filter(({ isEnclave }) => !isEnclave)];
  return {
    ...settings,
    upstreams,
    chatFields: new Set(fields),
    price: priceOf(standard),
    attestation: attestationPolicy(attestation),
    attestationServices: attestationServices(attestation),
    models: new Map(
      Object.entries(models).map(([id, { prices: own, costs: ownCosts, ...rest }]) => [
        id,
        { ...rest, price: own ? priceOf(own) : null, cost: ownCosts ? priceOf(ownCosts) : null },
      ]),
    ),
  };
}

function wrapUpstream(
  {
    encryption = 'ecdsa',
    controlUrl,
    apis = [],
    ...server
  }: z.output<typeof modelServer> & {
    apis?: ('responses' | 'messages')[];
    encryption?: UpstreamEncryption;
    controlUrl?: string | undefined;
  },
  isEnclave: boolean,
): InferenceUpstreamConfig {
  return {
    ...plainModelServer(server),
    isEnclave,
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
}: z.output<typeof costs>): TokenPrice {
  return {
    inputNanoUsdPerMillion: parseUsd(input),
    outputNanoUsdPerMillion: parseUsd(output),
    ...(cached !== undefined && { cachedInputNanoUsdPerMillion: parseUsd(cached) }),
    ...(written !== undefined && { cacheWriteNanoUsdPerMillion: parseUsd(written) }),
  };
}
