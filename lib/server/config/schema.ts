import { z } from 'zod';
import { CHAIN_KINDS, FURTHER_NETWORK_SLUG, findNetwork, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { canonicalChainId } from '@/lib/protocol/sign-in/chain-id';
import { agreementSchema } from './agreement';
import { drainSchema } from './drain';
import { requestHeaders, traceContext, usdPrice } from './fields';
import { isHttpUrl } from './http-url';
import { idempotencySchema } from './idempotency';
import { webhooksSchema } from './webhooks';
import { inferenceSchema } from './inference';
import { logSchema } from './log';
import { memorySchema } from './memory';
import { operatorsSchema } from './operators';
import { otlpSchema } from './otlp';
import { readinessSchema } from './readiness';
import { retentionSchema } from './retention';
import { speechSchema } from './speech';
import { stakingSchema } from './staking';
import { paymentsSchema } from './payments';
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

/** With at most 1 USD a credit, the cost of a hundred calls of the largest tier is still a safe integer of nano-USD. */
const BASE_CREDITS_MAX = 10_000;
const PRICE_PER_CREDIT_NANO_USD_MAX = 1_000_000_000;

const networkSettings = z.strictObject({
  upstreams: z.array(upstream).max(16).default([]),
  name: z.string().min(1).max(80).optional().describe('Display name of a further network'),
  kind: z.enum(CHAIN_KINDS).optional().describe('Family of a further network; evm unless given'),
  chainId: positive(Number.MAX_SAFE_INTEGER).optional().describe('EVM chain id of a further network'),
  chainIdentity: z
    .union([z.string().regex(/^[0-9A-Za-z]{1,80}$/, 'Must be a chain id or a genesis hash'), z.literal(false)])
    .optional()
    .describe(
      'What every upstream must say of its chain before it is used: the chain id (EVM, Starknet) or the genesis hash (Solana). By default what is known of the network; false believes its upstreams',
    ),
  baseCredits: positive(BASE_CREDITS_MAX)
    .optional()
    .describe('Credits of a standard call on a further network; 20 unless given'),
  lagBlocksMax: positive(1_000_000)
    .optional()
    .describe(
      'Blocks that an upstream may be behind the best and still be asked; rpc.healthChecks.lagBlocksMax unless given',
    ),
  agreement: agreementSchema.optional().describe('Reads that several upstreams must agree on; none unless given'),
});

const capByTier = (standard: number, paid: number, staff: number | null) => {
  const cap = positive(Number.MAX_SAFE_INTEGER).nullable();
  return z
    .strictObject({ standard: cap.default(standard), paid: cap.default(paid), staff: cap.default(staff) })
    .prefault({});
};

const PER_ADDRESS_MAX = 1_000_000;

/** Limits of strangers have defaults by profile: in the sandbox, tests and tools share one address. */
const perAddress = (description: string) => positive(PER_ADDRESS_MAX).optional().describe(description);
const LIMITS_BY_PROFILE = {
  publicRequestsPerMinutePerIp: { live: 30, sandbox: 600 },
  consoleRequestsPerMinutePerIp: { live: 120, sandbox: 600 },
  contractSignaturesPerMinutePerIp: { live: 30, sandbox: 600 },
  strangerRequestsPerMinutePerIp: { live: 300, sandbox: 6_000 },
  attestationsPerMinutePerIp: { live: 30, sandbox: 600 },
  strangerAttestationsPerMinute: { live: 30, sandbox: 120 },
} as const;
export type LimitByProfile = keyof typeof LIMITS_BY_PROFILE;
export const LIMIT_NAMES_BY_PROFILE = Object.keys(LIMITS_BY_PROFILE) as LimitByProfile[];

const limits = z.strictObject({
  rpcRequestsPerMinute: capByTier(100, 100, 1000).describe(
    'Requests a minute of one caller to the RPC proxy; null for none',
  ),
  rpcCreditsPerDay: capByTier(10_000_000, 10_000_000, null).describe('Credits in a rolling 24 hours; null for none'),
  requestsPerMinute: positive(1_000_000)
    .default(600)
    .describe('Requests a minute of one caller to endpoints other than the RPC proxy, counted by each gateway process'),
  publicRequestsPerMinutePerIp: perAddress(
    'Requests a minute of one address to public endpoints: 30; 600 in the sandbox',
  ),
  consoleRequestsPerMinutePerIp: perAddress(
    'Requests a minute of one address to what the console asks for by itself: 120; 600 in the sandbox',
  ),
  contractSignaturesPerMinutePerIp: perAddress(
    'Signatures a minute of one address, and in the name of one wallet, that only a chain can check (contract wallets): 30; 600 in the sandbox',
  ),
  strangerRequestsPerMinutePerIp: perAddress(
    'Requests a minute of one address by wallets that have no account: 300; 6000 in the sandbox',
  ),
  attestationsPerMinutePerIp: perAddress(
    'Attestations a minute of one address by callers who never put in money, and signatures by wallets that have no account: 30; 600 in the sandbox',
  ),
  strangerAttestationsPerMinute: perAddress(
    'Attestations a minute of all wallets together that have no account: 30; 120 in the sandbox',
  ),
  attestationsAtATime: positive(64)
    .default(4)
    .describe('Attestations of one model at a time, and so many of its signatures'),
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
    .describe('Chains on which wallets may sign in, beside Base and Solana mainnet'),
});

const extraMethod = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,127}$/, 'Must be a JSON-RPC method name'),
  kind: z.enum(CHAIN_KINDS),
  tier: z.enum(['standard', 'advanced', 'large']),
  sends: z.boolean().default(false).describe('Submits a transaction: never attempted twice'),
});

const share = (standard: number) => z.number().min(0).max(1).default(standard);

const hedging = z
  .strictObject({
    share: share(0.1).describe(
      'Reads that may be asked a second time because they are slow, as a share of the reads of a network; 0 for none',
    ),
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
      'Between two checks of a network that is in use and has several upstreams, six times that with one; 0 for no checks',
    ),
  lagBlocksMax: positive(1_000_000)
    .default(10)
    .describe('Blocks that an upstream may be behind the best and still be asked; 10 times that on Solana'),
  finalityDepth: positive(1_000_000)
    .default(512)
    .describe('Blocks after which a block counts as final where nodes do not know the tag "finalized"'),
});

const rpc = z.strictObject({
  connectTimeoutMs: timeoutMs().default(5_000),
  timeoutMs: timeoutMs()
    .default(30_000)
    .describe('From sending a call to the last byte of its answer, all attempts together'),
  attemptTimeoutMs: timeoutMs()
    .default(20_000)
    .describe('The same for one attempt, where a network has more than one upstream'),
  retryShare: share(0.1).describe(
    'Retries and other second attempts, as a share of the reads of a network; 0 for none',
  ),
  hedging: hedging.prefault({}),
  healthChecks: healthChecks.prefault({}),
  cacheBytesMax: z
    .number()
    .int()
    .min(0)
    .max(16 * 1024 ** 3)
    .default(64 * 1024 * 1024)
    .describe('Memory for answers that cannot change; 0 for none'),
  requestBytesMax: positive(64 * 1024 * 1024).default(5 * 1024 * 1024),
  answerBytesMax: positive(512 * 1024 * 1024).default(64 * 1024 * 1024),
  connectionsPerUpstream: positive(4096).default(128),
  extraMethods: z
    .array(extraMethod)
    .max(1000)
    .superRefine(refuseKnownMethods)
    .default([])
    .describe('Methods to allow beyond the built-in list'),
});

/** The configuration file. Every field has a default; secrets come from the environment. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z
    .enum(['sandbox', 'live'])
    .default('sandbox')
    .describe('sandbox: local stand-ins. live: only what is configured'),
  workers: positive(256)
    .optional()
    .describe(
      'Processes that serve, where dist/workers.mjs starts them: one a processor on Postgres unless given, and one on SQLite',
    ),
  dataDir: z.string().min(1).default('data').describe("Folder of the database and of the stand-ins' state"),
  diskFreeBytesMin: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40)
    .default(64 * 1024 * 1024)
    .describe('On SQLite: with less room than this on the disk of the data folder no paid work is taken'),
  publicUrls: z
    .array(z.string().refine(isHttpUrl, 'Must be an http:// or https:// URL'))
    .max(32)
    .default([])
    .describe('Origins under which people reach the gateway; PUBLIC_URL replaces them'),
  trustProxyHops: z
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe('Reverse proxies in front that append to X-Forwarded-For or Forwarded'),
  pricePerCreditUsd: usdPrice(
    PRICE_PER_CREDIT_NANO_USD_MAX,
    'Must be a decimal string such as "0.0000007": at most 9 decimals, and at most 1 USD',
  )
    .default('0.0000007')
    .describe('Price of one RPC credit in USD, to 9 decimals'),
  networks: z
    .record(
      z.string().refine((slug) => findNetwork(slug) !== undefined || FURTHER_NETWORK_SLUG.test(slug), {
        message: 'Must be a network slug, such as ethereum-mainnet, or <name>-mainnet or <name>-testnet',
      }),
      networkSettings,
    )
    .superRefine(refuseOwnSettings)
    .default({})
    .describe('Upstreams by network slug'),
  limits: limits.prefault({}),
  signIn: signIn.prefault({}),
  rpc: rpc.prefault({}),
  memory: memorySchema
    .prefault({})
    .describe('How much of large answers is held in memory at a time, and for how long of those that nobody reads'),
  idempotency: idempotencySchema
    .prefault({})
    .describe('What is kept of answers under idempotency keys, so that a repeated call is not made again'),
  retention: retentionSchema.prefault({}).describe('How long charges stay in the database one by one'),
  webhooks: webhooksSchema.prefault({}).describe('Alerts of API keys, sent to where their owners say'),
  staking: stakingSchema.prefault({}),
  operators: operatorsSchema.describe(
    "Wallets whose sign-in opens the operator's page, /operator, beside the key in TURNPIKE_OPERATOR_KEY",
  ),
  walletConnectProjectId: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'Must be 32 hexadecimal digits')
    .optional()
    .describe(
      'Of cloud.reown.com: lets wallets on phones connect to the console. Without it nothing of WalletConnect is loaded',
    ),
  payments: paymentsSchema.prefault({}).describe('Prepaid USDC by x402'),
  inference: inferenceSchema.prefault({}).describe('Private chat: where models run, and what they cost'),
  video: videoSchema.prefault({}).describe('Video: who makes it, what it costs, and where it is kept'),
  speech: speechSchema.prefault({}).describe('Text-to-speech: where models run, and what they cost'),
  drain: drainSchema.prefault({}).describe('How a gateway stops that was told to'),
  readiness: readinessSchema.prefault({}).describe('When GET /readyz says that the gateway is ready'),
  log: logSchema.prefault({}).describe('What is logged, on standard error'),
  otlp: otlpSchema.prefault({}).describe('Traces for OpenTelemetry: where they are sent, and of how many requests'),
});

export type ConfigFile = z.output<typeof configSchema>;

export type Limits = Required<{ [Name in keyof ConfigFile['limits']]: Exclude<ConfigFile['limits'][Name], undefined> }>;

/** The limits with the defaults of a profile. */
export function limitsOf({ profile, limits }: Pick<ConfigFile, 'profile' | 'limits'>): Limits {
  const byDefault = LIMIT_NAMES_BY_PROFILE.map((name) => [name, limits[name] ?? LIMITS_BY_PROFILE[name][profile]]);
  return { ...limits, ...(Object.fromEntries(byDefault) as Record<LimitByProfile, number>) };
}

/** What a built-in network is called and costs is not the operator's to say: silence would be a surprise. */
function refuseOwnSettings(networks: Record<string, z.output<typeof networkSettings>>, context: z.RefinementCtx): void {
  for (const [slug, settings] of Object.entries(networks)) {
    if (!findNetwork(slug) && slug !== SANDBOX_TESTNET.slug) continue;
    for (const field of ['name', 'kind', 'chainId', 'baseCredits'] as const) {
      if (settings[field] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [slug, field],
          message: 'Is for further networks only: this one is built in',
        });
    }
  }
}

/** An extra method can add, and neither re-price a listed one nor admit one that the specification refuses. */
function refuseKnownMethods(methods: z.output<typeof extraMethod>[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  methods.forEach(({ name }, index) => {
    const known = lookUpMethod(name);
    const refuse = (message: string): void => context.addIssue({ code: 'custom', path: [index, 'name'], message });
    if (!isRefusal(known)) refuse('Is on the built-in list already');
    else if (known.reason !== 'unsupported') refuse(`Cannot be allowed: it is a ${known.reason} method`);
    else if (seen.has(name)) refuse('Stands here twice');
    seen.add(name);
  });
}
