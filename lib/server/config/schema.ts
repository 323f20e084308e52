import { z } from 'zod';
import { CHAIN_KINDS, FURTHER_NETWORK_SLUG, findNetwork, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { canonicalChainId } from '@/lib/protocol/sign-in/message-fields';
import { agreementSchema } from './agreement';
import { brandSchema } from './brand';
import { drainSchema, readinessSchema } from './readiness';
import { embeddingsSchema } from './embeddings';
import { COSTS, isHttpUrl, requestHeaders, traceContext, usdPrice } from './fields';
import { idempotencySchema } from './idempotency';
import { webhooksSchema } from './webhooks';
import { imagesSchema } from './images';
import { inferenceSchema } from './inference';
import { logSchema, otlpSchema } from './observability';
import { memorySchema } from './memory';
import { operatorsSchema } from './operators';
import { retentionSchema } from './retention';
import { speechSchema } from './speech';
import { stakingSchema } from './staking';
import { paymentsSchema } from './payments';
import { transcriptionsSchema } from './transcriptions';
import { videoSchema } from './video';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(600_000);

const httpUrl = z
  .string()
  .refine(isHttpUrl, 'Must be an http:// or https:// URL')
  .describe('URL of a JSON-RPC endpoint. ${NAME} is replaced by that environment variable');

const upstream = z.union(
  [
    httpUrl,
    z.strictObject({
      url: httpUrl,
      headers: requestHeaders.default({}).describe('Request headers, such as an authorisation'),
      traceContext,
    }),
  ],
  'Must be a URL, or an object of "url" and "headers"',
);

/**
 * Maximum base credits. At 1 USD a credit, the cost in nano-USD of a hundred calls of the largest method tier is still
 * a safe integer.
 */
const BASE_CREDITS_MAX = 10_000;
const PRICE_PER_CREDIT_NANO_USD_MAX = 1_000_000_000;

const pricePerCredit = usdPrice(
  PRICE_PER_CREDIT_NANO_USD_MAX,
  'Must be a decimal string such as "0.0000007": at most 9 decimals, and at most 1 USD',
);

const networkSettings = z.strictObject({
  upstreams: z.array(upstream).max(16).default([]),
  name: z.string().min(1).max(80).optional().describe('Display name, only for networks that are not built in'),
  kind: z.enum(CHAIN_KINDS).optional().describe('Family, only for networks that are not built in; evm by default'),
  chainId: positive(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('EVM chain id, only for networks that are not built in'),
  chainIdentity: z
    .union([z.string().regex(/^[0-9A-Za-z]{1,80}$/, 'Must be a chain id or a genesis hash'), z.literal(false)])
    .optional()
    .describe(
      'Chain that every upstream must report before it is used: the chain id (EVM, Starknet) or the genesis hash (Solana). By default the built-in value; false turns the check off',
    ),
  baseCredits: positive(BASE_CREDITS_MAX)
    .optional()
    .describe('Credits of a standard call, only for networks that are not built in; 20 by default'),
  lagBlocksMax: positive(1_000_000)
    .optional()
    .describe(
      'Maximum blocks that an upstream may be behind the best one and still be asked; by default rpc.healthChecks.lagBlocksMax',
    ),
  agreement: agreementSchema.optional().describe('Reads that several upstreams must agree on; none by default'),
  costs: z.strictObject({ usdPerCredit: pricePerCredit }).optional().describe(COSTS),
});

const capByTier = (standard: number, paid: number, staff: number | null) => {
  const cap = positive(Number.MAX_SAFE_INTEGER).nullable();
  return z
    .strictObject({ standard: cap.default(standard), paid: cap.default(paid), staff: cap.default(staff) })
    .prefault({});
};

const PER_ADDRESS_MAX = 1_000_000;

/** The default depends on the profile, because tests and tools in the sandbox share one client address. */
const perAddress = (description: string) => positive(PER_ADDRESS_MAX).optional().describe(description);
const LIMITS_BY_PROFILE = {
  publicRequestsPerMinutePerIp: { live: 30, sandbox: 600 },
  consoleRequestsPerMinutePerIp: { live: 120, sandbox: 600 },
  contractSignaturesPerMinutePerIp: { live: 30, sandbox: 600 },
  strangerRequestsPerMinutePerIp: { live: 300, sandbox: 6_000 },
  attestationsPerMinutePerIp: { live: 30, sandbox: 600 },
  strangerAttestationsPerMinute: { live: 30, sandbox: 120 },
} as const;
type LimitByProfile = keyof typeof LIMITS_BY_PROFILE;
export const LIMIT_NAMES_BY_PROFILE = Object.keys(LIMITS_BY_PROFILE) as LimitByProfile[];

const limits = z.strictObject({
  rpcRequestsPerMinute: capByTier(100, 100, 1000).describe(
    'Maximum requests a minute of one caller to the RPC proxy; null for no limit',
  ),
  rpcCreditsPerDay: capByTier(10_000_000, 10_000_000, null).describe(
    'Maximum credits of one caller in a rolling 24 hours; null for no limit',
  ),
  requestsPerMinute: positive(1_000_000)
    .default(600)
    .describe(
      'Maximum requests a minute of one caller to all endpoints except the RPC proxy; each gateway process counts its own',
    ),
  publicRequestsPerMinutePerIp: perAddress(
    'Maximum requests a minute of one address to public endpoints: 30; 600 in the sandbox',
  ),
  consoleRequestsPerMinutePerIp: perAddress(
    'Maximum requests a minute of one address to the endpoints that the console polls: 120; 600 in the sandbox',
  ),
  contractSignaturesPerMinutePerIp: perAddress(
    'Maximum contract-wallet signatures a minute, from one address and for one wallet: 30; 600 in the sandbox',
  ),
  strangerRequestsPerMinutePerIp: perAddress(
    'Maximum requests a minute of one address by wallets without an account: 300; 6000 in the sandbox',
  ),
  attestationsPerMinutePerIp: perAddress(
    'Maximum attestations a minute of one address by callers who never paid, and signatures by wallets without an account: 30; 600 in the sandbox',
  ),
  strangerAttestationsPerMinute: perAddress(
    'Maximum attestations a minute of all wallets without an account together: 30; 120 in the sandbox',
  ),
  attestationsAtATime: positive(64)
    .default(4)
    .describe('Maximum concurrent attestations of one model, and maximum concurrent signature requests'),
});

const signIn = z.strictObject({
  chainIds: z
    .array(
      z
        .union([positive(Number.MAX_SAFE_INTEGER), z.string()])
        .refine((chainId) => canonicalChainId(chainId) !== null, 'Must be a chain id such as 10 or "eip155:10"'),
    )
    .max(64)
    .default([])
    .describe('Chains for wallet sign-in, in addition to Base and Solana mainnet'),
});

const extraMethod = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,127}$/, 'Must be a JSON-RPC method name'),
  kind: z.enum(CHAIN_KINDS).describe('Kind of chain whose networks get the method: evm, solana or starknet'),
  tier: z
    .enum(['standard', 'advanced', 'large'])
    .describe("Price: standard, advanced or large, which is 1, 2 or 4 times the network's base credits"),
  sends: z.boolean().default(false).describe('Whether the method submits a transaction, which is never sent twice'),
});

const share = (standard: number) => z.number().min(0).max(1).default(standard);

const hedging = z
  .strictObject({
    share: share(0.1).describe('Share of the reads of a network that may be hedged because they are slow; 0 for none'),
    minDelayMs: positive(60_000).default(25),
    maxDelayMs: positive(60_000).default(1_000),
  })
  .refine(({ minDelayMs, maxDelayMs }) => minDelayMs <= maxDelayMs, {
    path: ['minDelayMs'],
    message: 'Must not be more than maxDelayMs',
  });

const healthChecks = z.strictObject({
  intervalMs: z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(5_000)
    .describe(
      'Interval of health checks of a network in use, six times as long if it has one upstream; 0 for no checks',
    ),
  lagBlocksMax: positive(1_000_000)
    .default(10)
    .describe(
      'Maximum blocks that an upstream may be behind the best one and still be asked; 10 times as many on Solana',
    ),
  finalityDepth: positive(1_000_000)
    .default(512)
    .describe('Blocks after which a block counts as final, if the nodes do not support the tag "finalized"'),
});

const rpc = z.strictObject({
  connectTimeoutMs: timeoutMs().default(5_000),
  timeoutMs: timeoutMs()
    .default(30_000)
    .describe('Timeout of a call, for all attempts together and up to the last byte of the answer'),
  attemptTimeoutMs: timeoutMs().default(20_000).describe('Timeout of one attempt, if a network has several upstreams'),
  retryShare: share(0.1).describe(
    'Retry budget: share of the reads of a network that may be attempted again; 0 for none',
  ),
  hedging: hedging.prefault({}),
  healthChecks: healthChecks.prefault({}),
  cacheBytesMax: z
    .number()
    .int()
    .min(0)
    .max(16 * 1024 ** 3)
    .default(64 * 1024 * 1024)
    .describe('Cache memory for answers that cannot change; 0 for no cache'),
  requestBytesMax: positive(64 * 1024 * 1024).default(5 * 1024 * 1024),
  answerBytesMax: positive(512 * 1024 * 1024).default(64 * 1024 * 1024),
  connectionsPerUpstream: positive(4096).default(128),
  extraMethods: z
    .array(extraMethod)
    .max(1000)
    .superRefine(refuseKnownMethods)
    .default([])
    .describe('Methods to allow in addition to the built-in list'),
});

/** Schema of the configuration file. Every field is optional. Secrets come from the environment. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z
    .enum(['sandbox', 'live'])
    .default('sandbox')
    .describe('sandbox: local stand-ins. live: only what is configured'),
  workers: positive(256)
    .optional()
    .describe(
      'Number of processes that dist/workers.mjs starts. Default: one per processor on Postgres, one on SQLite and in the sandbox',
    ),
  dataDir: z.string().min(1).default('data').describe("Folder of the database and of the stand-ins' state"),
  diskFreeBytesMin: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40)
    .default(64 * 1024 * 1024)
    .describe('SQLite only: paid work is refused if the disk of the data folder has less free space'),
  brand: brandSchema
    .prefault({})
    .describe('How the gateway presents itself to customers: name, images, accent colours and links'),
  publicUrls: z
    .array(z.string().refine(isHttpUrl, 'Must be an http:// or https:// URL'))
    .max(32)
    .default([])
    .describe('Public origins of the gateway; PUBLIC_URL replaces them'),
  trustProxyHops: z
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe('Number of reverse proxies in front that append to X-Forwarded-For or Forwarded'),
  pricePerCreditUsd: pricePerCredit.default('0.0000007').describe('Price of one RPC credit in USD, to 9 decimals'),
  networks: z
    .record(
      z.string().refine((slug) => findNetwork(slug) !== undefined || FURTHER_NETWORK_SLUG.test(slug), {
        message:
          'Must be a network slug: of a known network, such as ethereum-mainnet, or of another one, <name>-mainnet or <name>-testnet',
      }),
      networkSettings,
    )
    .superRefine(refuseOwnSettings)
    .default({})
    .describe('Upstreams by network slug'),
  limits: limits.prefault({}),
  signIn: signIn.prefault({}),
  rpc: rpc.prefault({}),
  memory: memorySchema.prefault({}).describe('Memory for large answers, and time limits for callers that do not read'),
  idempotency: idempotencySchema
    .prefault({})
    .describe('Answers stored under Idempotency-Keys, so that a repeated call is not made again'),
  retention: retentionSchema.prefault({}).describe('How long charges, requests and receipts are kept'),
  webhooks: webhooksSchema.prefault({}).describe('Webhooks for alerts of API keys'),
  staking: stakingSchema.prefault({}),
  operators: operatorsSchema.describe(
    "Wallets whose sign-in opens the operator's page, /operator; TURNPIKE_OPERATOR_KEY opens it too",
  ),
  walletConnectProjectId: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'Must be 32 hexadecimal digits')
    .optional()
    .describe(
      'Project id from cloud.reown.com, which lets wallets on phones connect to the console. Without it, WalletConnect is not loaded',
    ),
  payments: paymentsSchema.prefault({}).describe('Prepaid USDC over x402'),
  inference: inferenceSchema.prefault({}).describe('Chat: model servers and prices'),
  embeddings: embeddingsSchema.prefault({}).describe('Embeddings: model servers and prices'),
  images: imagesSchema.prefault({}).describe('Images: model servers and prices'),
  transcriptions: transcriptionsSchema.prefault({}).describe('Transcriptions: model servers, prices and limits'),
  video: videoSchema.prefault({}).describe('Video: servers, prices and storage'),
  speech: speechSchema.prefault({}).describe('Text-to-speech: model servers and prices'),
  drain: drainSchema.prefault({}).describe('Graceful stop of a gateway'),
  readiness: readinessSchema.prefault({}).describe('When GET /readyz says that the gateway is ready'),
  log: logSchema.prefault({}).describe('What is logged, on standard error'),
  otlp: otlpSchema.prefault({}).describe('OpenTelemetry traces: receiver and sampling'),
});

export type ConfigFile = z.output<typeof configSchema>;

export type Limits = Required<{ [Name in keyof ConfigFile['limits']]: Exclude<ConfigFile['limits'][Name], undefined> }>;

/** Returns the limits, with the profile's default for each limit that is not set. */
export function limitsOf({ profile, limits }: Pick<ConfigFile, 'profile' | 'limits'>): Limits {
  const byDefault = LIMIT_NAMES_BY_PROFILE.map((name) => [name, limits[name] ?? LIMITS_BY_PROFILE[name][profile]]);
  return { ...limits, ...(Object.fromEntries(byDefault) as Record<LimitByProfile, number>) };
}

/** Refuses settings that are fixed for a built-in network, because the gateway would ignore them. */
function refuseOwnSettings(networks: Record<string, z.output<typeof networkSettings>>, context: z.RefinementCtx): void {
  for (const [slug, settings] of Object.entries(networks)) {
    if (!findNetwork(slug) && slug !== SANDBOX_TESTNET.slug) continue;
    for (const field of ['name', 'kind', 'chainId', 'baseCredits'] as const) {
      if (settings[field] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [slug, field],
          message: 'Is only for networks that are not built in, and this one is',
        });
    }
  }
}

/** Refuses extra methods that would change the price of a known method, or that the specification forbids. */
function refuseKnownMethods(methods: z.output<typeof extraMethod>[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  methods.forEach(({ name }, index) => {
    const known = lookUpMethod(name);
    const refuse = (message: string): void => context.addIssue({ code: 'custom', path: [index, 'name'], message });
    if (!isRefusal(known)) refuse('Is already on the built-in list');
    else if (known.reason !== 'unsupported') refuse(`Cannot be allowed: it is a ${known.reason} method`);
    else if (seen.has(name)) refuse('Is listed twice');
    seen.add(name);
  });
}
