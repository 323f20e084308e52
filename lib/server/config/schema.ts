import { z } from 'zod';
import { FURTHER_NETWORK_SLUG, findNetwork } from '@/lib/protocol/networks';

const positive = (max: number) => z.number().int().min(1).max(max);
const timeoutMs = () => z.number().int().min(10).max(600_000);

const httpUrl = z
  .string()
  .refine((text) => isHttpUrl(text), 'Must be an http:// or https:// URL')
  .describe('URL of a JSON-RPC endpoint. ${NAME} is replaced by that environment variable');

const upstream = z.union([
  httpUrl,
  z.strictObject({
    url: httpUrl,
    headers: z.record(z.string(), z.string()).default({}).describe('Request headers, such as an authorisation'),
  }),
]);

const networkSettings = z.strictObject({
  upstreams: z.array(upstream).max(16).default([]),
  name: z.string().min(1).max(80).optional().describe('Display name of a further network'),
  kind: z.enum(['evm', 'solana', 'starknet']).optional().describe('Family of a further network; evm unless given'),
  chainId: positive(Number.MAX_SAFE_INTEGER).optional().describe('EVM chain id of a further network'),
  baseCredits: positive(1_000_000).optional().describe('Credits of a standard call on a further network; 20 unless given'),
});

const capByTier = (standard: number, paid: number, staff: number | null) => {
  const cap = positive(Number.MAX_SAFE_INTEGER).nullable();
  return z
    .strictObject({ standard: cap.default(standard), paid: cap.default(paid), staff: cap.default(staff) })
    .prefault({});
};

const limits = z.strictObject({
  rpcRequestsPerMinute: capByTier(100, 100, 1000).describe('Requests a minute of one caller to the RPC proxy; null for none'),
  rpcCreditsPerDay: capByTier(10_000_000, 10_000_000, null).describe('Credits in a rolling 24 hours; null for none'),
  publicRequestsPerMinutePerIp: positive(1_000_000).default(30).describe('Requests a minute of one address to public endpoints'),
});

const rpc = z.strictObject({
  connectTimeoutMs: timeoutMs().default(5_000),
  timeoutMs: timeoutMs().default(30_000).describe('From sending a call to the last byte of its answer'),
  requestBytesMax: positive(64 * 1024 * 1024).default(5 * 1024 * 1024),
  answerBytesMax: positive(512 * 1024 * 1024).default(64 * 1024 * 1024),
  connectionsPerUpstream: positive(4096).default(128),
  extraMethods: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,127}$/, 'Must be a JSON-RPC method name'),
        kind: z.enum(['evm', 'solana', 'starknet']),
        tier: z.enum(['standard', 'advanced', 'large']),
        sends: z.boolean().default(false).describe('Submits a transaction: never attempted twice'),
      }),
    )
    .max(1000)
    .default([])
    .describe('Methods to allow beyond the built-in list'),
});

/** The configuration file. Every field has a default; secrets come from the environment. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z.enum(['sandbox', 'live']).default('sandbox').describe('sandbox: local stand-ins. live: only what is configured'),
  dataDir: z.string().min(1).default('data').describe('Folder of the database and of the stand-ins\' state'),
  publicUrls: z.array(z.url()).max(32).default([]).describe('Origins under which people reach the gateway; PUBLIC_URL replaces them'),
  trustProxyHops: z.number().int().min(0).max(10).default(0).describe('Reverse proxies in front that append to X-Forwarded-For'),
  pricePerCreditUsd: z
    .string()
    .regex(/^[0-9]+(\.[0-9]{1,9})?$/, 'Must be a decimal string with at most 9 decimals')
    .default('0.0000007')
    .describe('Price of one RPC credit in USD, to 9 decimals'),
  networks: z
    .record(
      z.string().refine((slug) => findNetwork(slug) !== undefined || FURTHER_NETWORK_SLUG.test(slug), {
        message: 'Must be a network slug, such as ethereum-mainnet, or <name>-mainnet or <name>-testnet',
      }),
      networkSettings,
    )
    .default({})
    .describe('Upstreams by network slug'),
  limits: limits.prefault({}),
  rpc: rpc.prefault({}),
  log: z
    .strictObject({ level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info') })
    .prefault({}),
});

export type ConfigFile = z.output<typeof configSchema>;

function isHttpUrl(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
