import { z } from 'zod';
import type { WalletFamily } from '@/lib/protocol/wallet-address';
import { evmAddress, evmReceiver, solanaAddress } from './addresses';
import { isHttpUrl } from './http-url';
import { Secret } from './secret';

const positive = (max: number) => z.number().int().min(1).max(max);

const usd = (standard: number) =>
  z
    .number()
    .min(0.000001)
    .max(1_000_000)
    .refine(
      (value) =>
        Number.isSafeInteger(Math.round(value * 1e6)) && Math.abs(value * 1e6 - Math.round(value * 1e6)) < 1e-6,
      'Must have at most 6 decimals',
    )
    .default(standard);

/** RFC 9110, section 5.6.2 (token) and section 5.5 (field value). */
const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Must be the name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Must be a header value, without line breaks'),
);

const cdpApiKey = z.strictObject({
  id: z.string().min(1).max(500),
  secret: z
    .string()
    .min(1)
    .max(5_000)
    .describe('Base64 of an Ed25519 key, or a PEM of an EC key; from the environment'),
});

const remote = z.strictObject({
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .describe('Of an x402 facilitator; /settle and /supported are asked'),
  headers: headers.default({}).describe('Request headers, such as an authorisation'),
  cdpApiKey: cdpApiKey.optional().describe('Key of the Coinbase Developer Platform: signs a token for each request'),
  timeoutMs: z.number().int().min(100).max(120_000).default(20_000),
});

const facilitator = (key: RegExp, keyForm: string) =>
  z.union(
    [
      remote,
      z.strictObject({
        privateKey: z
          .string()
          .regex(key, keyForm)
          .describe('This process settles, and pays the gas, with this key; from the environment'),
      }),
    ],
    {
      error: 'Must be an object of "url", or of "privateKey"',
    },
  );

const symbol = z
  .string()
  .regex(/^[A-Za-z0-9.]{1,12}$/, 'Must be a symbol such as USDC')
  .default('USDC');
/** Nano-USD have 9 decimals. */
const decimals = z.number().int().min(0).max(9).default(6);

const common = {
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as base')
    .describe('The name of x402 v1 and of people'),
  rpcNetwork: z.string().min(1).max(64).describe('Slug of the network, over whose upstreams the chain is read'),
  maxTimeoutSeconds: positive(86_400).default(300).describe('How long a signed payment may be valid'),
};

const evmRail = z.strictObject({
  family: z.literal('evm'),
  network: z.string().regex(/^eip155:[1-9]\d{0,15}$/, 'Must be a CAIP-2 name such as eip155:8453'),
  ...common,
  token: z.strictObject({
    address: evmAddress,
    symbol,
    decimals,
    name: z.string().min(1).max(100).default('USD Coin').describe("Name in the token's EIP-712 domain"),
    version: z.string().min(1).max(20).default('2').describe("Version in the token's EIP-712 domain"),
  }),
  receiver: evmReceiver.describe('Receives the money; must receive nothing else by signed authorisation'),
  walletFactories: z
    .array(evmAddress)
    .max(32)
    .default([])
    .describe('Factories from which smart wallets may be deployed with their payment (ERC-6492)'),
  confirmations: z
    .union([positive(1_000), z.enum(['safe', 'finalized'])], {
      error: 'Must be a number of blocks from 1 to 1000, "safe" or "finalized"',
    })
    .optional()
    .describe(
      'When a payment counts: after so many blocks, its own included, or in a block that the node calls safe or finalized. Unless given: 8 blocks on Base and Optimism, finalized on every other chain',
    ),
  gasMax: positive(30_000_000)
    .default(150_000)
    .describe('Most gas that executing a payment may take; this process pays it where it settles'),
  deployGasMax: positive(30_000_000)
    .default(500_000)
    .describe('Most gas that deploying a wallet with its payment may take'),
  logBlocksMax: positive(1_000_000).default(2_000).describe('Blocks that one eth_getLogs may span'),
  facilitator: facilitator(/^0x[0-9a-fA-F]{64}$/, 'Must be 0x and 64 hexadecimal digits'),
});

const solanaRail = z.strictObject({
  family: z.literal('solana'),
  network: z
    .string()
    .regex(
      /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/,
      'Must be a CAIP-2 name such as solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    ),
  ...common,
  token: z.strictObject({ address: solanaAddress, symbol, decimals }),
  receiver: solanaAddress.describe('Owner of the token account that receives; the account must exist'),
  feeLamportsMax: positive(10_000_000)
    .default(110_000)
    .describe(
      'The most that the fee payer may spend on one payment, in lamports; the default is two signatures and the 20,000 compute units of a plain transfer at the highest price of the scheme',
    ),
  facilitator: facilitator(/^[1-9A-HJ-NP-Za-km-z]{43,88}$/, 'Must be a key of 32 or 64 bytes in base58'),
});

/** One for each family of wallets. */
const railOf = { evm: evmRail, solana: solanaRail } satisfies Record<WalletFamily, z.ZodObject>;

type RailSchema = (typeof railOf)[WalletFamily];
const RAILS = Object.values(railOf) as [RailSchema, ...RailSchema[]];

/** Prepaid money by x402: the ways in, in the order in which they are offered. */
export const paymentsSchema = z
  .strictObject({
    minimumTopUpUsd: usd(5),
    suggestedTopUpUsd: usd(10),
    perCall: z
      .strictObject({
        minimumUsd: usd(0.01)
          .nullable()
          .describe(
            'The least that is paid with a call, which is credited and then charged for it; null takes top-ups alone',
          ),
      })
      .prefault({})
      .describe('Payments that come with a paid call, in the place of a credential'),
    rails: z.array(z.discriminatedUnion('family', RAILS)).max(16).superRefine(refuseTwins).default([]),
    openMax: z
      .strictObject({
        perAddress: positive(1_000_000)
          .default(100)
          .describe('Payments under way at a time that came from one client address'),
        perPayer: positive(1_000_000).default(20).describe('The same of one wallet'),
        total: positive(1_000_000).default(10_000).describe('The same in all'),
      })
      .prefault({})
      .describe('How many payments may be under way: further ones are refused with 429, or 503 beyond the total'),
    answerWithinMs: z
      .number()
      .int()
      .min(100)
      .max(120_000)
      .default(25_000)
      .describe('How long whoever pays is kept waiting for the outcome'),
    resumeIntervalMs: positive(3_600_000).default(5_000).describe('Between two looks at payments that are under way'),
  })
  .superRefine(refuseSmallSuggestion);

type PaymentsFile = z.output<typeof paymentsSchema>;
type RailFile = PaymentsFile['rails'][number];

/** Who submits payments to the chain. */
export type FacilitatorConfig =
  | {
      kind: 'remote';
      url: string;
      headers: Readonly<Record<string, Secret>>;
      cdpApiKey: { id: string; secret: Secret } | null;
      timeoutMs: number;
    }
  | { kind: 'in-process'; privateKey: Secret };

type WithFacilitator<Rail> = Rail extends { facilitator: unknown }
  ? Omit<Rail, 'facilitator'> & { facilitator: FacilitatorConfig }
  : never;

/** When a payment counts: after so many blocks, its own included, or in a block that the node calls so. */
export type Confirmations = number | 'safe' | 'finalized';

type Decided<Rail> = Rail extends { family: 'evm' }
  ? Omit<Rail, 'confirmations'> & { confirmations: Confirmations }
  : Rail;

/** A rail with its secrets wrapped, and what its chain decides decided. */
export type RailConfig = Decided<WithFacilitator<RailFile>>;
export type EvmRailConfig = Extract<RailConfig, { family: 'evm' }>;
export type SolanaRailConfig = Extract<RailConfig, { family: 'solana' }>;

/** The payments of the configuration, as the gateway uses them. */
export type PaymentsConfig = Omit<PaymentsFile, 'rails'> & { rails: readonly RailConfig[] };

/** Wraps the secrets. */
export function paymentsConfig({ rails, ...settings }: PaymentsFile): PaymentsConfig {
  return {
    ...settings,
    rails: rails.map(
      (rail) => ({ ...rail, ...confirmationsOf(rail), facilitator: facilitatorConfig(rail.facilitator) }) as RailConfig,
    ),
  };
}

/**
 * Blocks after which a reversal is implausible, on chains of one sequencer whose blocks come every 2 seconds. On Base a
 * single block was ever reorganised (docs.base.org, "Transaction finality"); Optimism runs the same software.
 */
const SEQUENCED_BLOCKS = 8;
const SEQUENCED: readonly string[] = ['eip155:8453', 'eip155:84532', 'eip155:10', 'eip155:11155420'];

function confirmationsOf(rail: RailFile): { confirmations?: Confirmations } {
  switch (rail.family) {
    case 'evm':
      return {
        confirmations: rail.confirmations ?? (SEQUENCED.includes(rail.network) ? SEQUENCED_BLOCKS : 'finalized'),
      };
    case 'solana':
      return {};
  }
}

function facilitatorConfig(facilitator: RailFile['facilitator']): FacilitatorConfig {
  if ('privateKey' in facilitator) return { kind: 'in-process', privateKey: new Secret(facilitator.privateKey) };
  const { url, headers: given, cdpApiKey: key, timeoutMs } = facilitator;
  return {
    kind: 'remote',
    url: url.replace(/\/+$/, ''),
    headers: Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), new Secret(value)])),
    cdpApiKey: key ? { id: key.id, secret: new Secret(key.secret) } : null,
    timeoutMs,
  };
}

/** What people are told to pay must be accepted. */
function refuseSmallSuggestion(
  { minimumTopUpUsd, suggestedTopUpUsd }: { minimumTopUpUsd: number; suggestedTopUpUsd: number },
  context: z.RefinementCtx,
): void {
  if (suggestedTopUpUsd >= minimumTopUpUsd) return;
  context.addIssue({
    code: 'custom',
    path: ['suggestedTopUpUsd'],
    message: `Must be at least minimumTopUpUsd, which is ${minimumTopUpUsd}`,
  });
}

/** A payment must belong to one rail only. */
function refuseTwins(
  rails: readonly { network: string; token: { address: string } }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  rails.forEach(({ network, token }, index) => {
    const key = `${network}/${token.address.toLowerCase()}`;
    if (seen.has(key))
      context.addIssue({ code: 'custom', path: [index], message: 'Stands here twice: this token on this network' });
    seen.add(key);
  });
}
