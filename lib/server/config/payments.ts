import { z } from 'zod';
import type { WalletFamily } from '@/lib/protocol/wallet-address';
import { evmAddress, evmReceiver, solanaAddress } from './addresses';
import { isHttpUrl } from './fields';
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

/** Headers of requests to a facilitator: RFC 9110, section 5.6.2 (token) and section 5.5 (field value). */
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
    .describe('URL of an x402 facilitator; the gateway calls /settle and /supported'),
  headers: headers.default({}).describe('Request headers, such as an authorisation'),
  cdpApiKey: cdpApiKey
    .optional()
    .describe('Key of the Coinbase Developer Platform, which signs a token for each request'),
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
          .describe('Key with which this process settles and pays the gas; set it from the environment'),
      }),
    ],
    {
      error: 'Must be an object with "url" or "privateKey"',
    },
  );

const symbol = z
  .string()
  .regex(/^[A-Za-z0-9.]{1,12}$/, 'Must be a symbol such as USDC')
  .default('USDC');
/** Amounts are recorded in nano-USD, so amounts of a token with more than 9 decimals would be inexact. */
const decimals = z.number().int().min(0).max(9).default(6);

const common = {
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as base')
    .describe('Name of the chain in x402 v1 and in the console'),
  rpcNetwork: z.string().min(1).max(64).describe('Slug of the network whose upstreams read the chain'),
  maxTimeoutSeconds: positive(86_400).default(300).describe('Longest validity of a signed payment'),
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
  receiver: evmReceiver.describe('Address that receives the money; it must receive no other signed authorisations'),
  walletFactories: z
    .array(evmAddress)
    .max(32)
    .default([])
    .describe('Factories whose smart wallets may be deployed with their payment (ERC-6492)'),
  confirmations: z
    .union([positive(1_000), z.enum(['safe', 'finalized'])], {
      error: 'Must be a number of blocks from 1 to 1000, "safe" or "finalized"',
    })
    .optional()
    .describe(
      'Confirmations of a payment: a number of blocks, including its own, or "safe" or "finalized". Default: 8 blocks on Base and Optimism, finalized on every other chain',
    ),
  gasMax: positive(30_000_000)
    .default(150_000)
    .describe('Maximum gas for executing a payment; this process pays the gas if it settles itself'),
  deployGasMax: positive(30_000_000).default(500_000).describe('Maximum gas for deploying a wallet with its payment'),
  logBlocksMax: positive(1_000_000).default(2_000).describe('Maximum blocks of one eth_getLogs request'),
  facilitator: facilitator(/^0x[0-9a-fA-F]{64}$/, 'Must be 0x and 64 hexadecimal digits'),
});

const SOLANA_KEY = /^[1-9A-HJ-NP-Za-km-z]{43,88}$/;

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
  receiver: solanaAddress.describe('Owner of the receiving token account; that account must exist'),
  feeLamportsMax: positive(10_000_000)
    .default(110_000)
    .describe(
      'Maximum lamports that the fee payer may spend on one payment. The default covers two signatures and 20,000 compute units at the highest price of the scheme',
    ),
  facilitator: facilitator(SOLANA_KEY, 'Must be a key of 32 or 64 bytes in base58'),
});

const railOf = { evm: evmRail, solana: solanaRail } satisfies Record<WalletFamily, z.ZodObject>;

type RailSchema = (typeof railOf)[WalletFamily];
const RAILS = Object.values(railOf) as [RailSchema, ...RailSchema[]];

const withdrawals = z
  .strictObject({
    privateKey: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'Must be 0x and 64 hexadecimal digits')
      .optional()
      .describe('Key that pays out on EVM rails. It needs the tokens, and coins for gas; set it from the environment'),
    solanaPrivateKey: z
      .string()
      .regex(SOLANA_KEY, 'Must be a key of 32 or 64 bytes in base58')
      .optional()
      .describe(
        'Key that pays out on Solana rails. It needs the tokens in its associated token account, and SOL for fees; set it from the environment',
      ),
    dailyUsdMax: usd(1).removeDefault().describe('Maximum USD that all withdrawals of a UTC day may debit together'),
    feeUsd: z
      .union([z.literal(0), usd(0.05)])
      .default(0.05)
      .describe('Network fee, deducted from each withdrawal'),
    minimumUsd: usd(1).describe('Smallest withdrawal, fee included'),
  })
  .refine(({ privateKey, solanaPrivateKey }) => (privateKey ?? solanaPrivateKey) !== undefined, {
    path: ['privateKey'],
    error: 'Set privateKey, solanaPrivateKey or both',
  })
  .refine(({ feeUsd, minimumUsd }) => minimumUsd > feeUsd, {
    path: ['minimumUsd'],
    error: 'Must be more than feeUsd',
  });

/** x402 payments. A 402 response offers Base first, then the other rails as configured. */
export const paymentsSchema = z
  .strictObject({
    minimumTopUpUsd: usd(5),
    suggestedTopUpUsd: usd(10),
    perCall: z
      .strictObject({
        minimumUsd: usd(0.01)
          .nullable()
          .describe(
            'Smallest payment with a call, which is credited and then charged for the call; null accepts only top-ups',
          ),
      })
      .prefault({})
      .describe('Payments that are sent with a call instead of a credential'),
    rails: z.array(z.discriminatedUnion('family', RAILS)).max(16).superRefine(refuseTwins).default([]),
    openMax: z
      .strictObject({
        perAddress: positive(1_000_000).default(100).describe('Maximum pending payments from one client address'),
        perPayer: positive(1_000_000).default(20).describe('Maximum pending payments of one wallet'),
        total: positive(1_000_000).default(10_000).describe('Maximum pending payments in total'),
      })
      .prefault({})
      .describe('Limits of pending payments: further payments get 429, or 503 beyond the total'),
    withdrawals: withdrawals
      .optional()
      .describe('Lets wallets withdraw prepaid money that they did not spend; off if absent'),
    answerWithinMs: z
      .number()
      .int()
      .min(100)
      .max(120_000)
      .default(25_000)
      .describe('Time that a payer waits for the outcome before the answer is "pending"'),
    resumeIntervalMs: positive(3_600_000).default(5_000).describe('Interval of checking pending payments'),
  })
  .superRefine(refuseSmallSuggestion);

type PaymentsFile = z.output<typeof paymentsSchema>;
type RailFile = PaymentsFile['rails'][number];

/** How a rail's payments are submitted to the chain: by a remote facilitator, or by this process. */
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

/**
 * When a payment counts as final: after this many blocks including its own, or once its block is `safe` or `finalized`.
 */
export type Confirmations = number | 'safe' | 'finalized';

type Decided<Rail> = Rail extends { family: 'evm' }
  ? Omit<Rail, 'confirmations'> & { confirmations: Confirmations }
  : Rail;

/** Rail with wrapped secrets. Missing confirmations are filled in with the chain's default. */
export type RailConfig = Decided<WithFacilitator<RailFile>>;
export type EvmRailConfig = Extract<RailConfig, { family: 'evm' }>;
export type SolanaRailConfig = Extract<RailConfig, { family: 'solana' }>;

/** Settings of withdrawals. A wallet family's private key is null if none of the family's rails pays out. */
export type WithdrawalsConfig = Omit<NonNullable<PaymentsFile['withdrawals']>, 'privateKey' | 'solanaPrivateKey'> & {
  privateKey: Secret | null;
  solanaPrivateKey: Secret | null;
};

export type PaymentsConfig = Omit<PaymentsFile, 'rails' | 'withdrawals'> & {
  rails: readonly RailConfig[];
  /** Null if wallets cannot withdraw. */
  withdrawals: WithdrawalsConfig | null;
};

function secretOf(text: string | undefined): Secret | null {
  return text === undefined ? null : new Secret(text);
}

/** Wraps secrets, and fills in the default confirmations. */
export function paymentsConfig({ rails, withdrawals, ...settings }: PaymentsFile): PaymentsConfig {
  return {
    ...settings,
    withdrawals: withdrawals
      ? {
          ...withdrawals,
          privateKey: secretOf(withdrawals.privateKey),
          solanaPrivateKey: secretOf(withdrawals.solanaPrivateKey),
        }
      : null,
    rails: rails.map(
      (rail) => ({ ...rail, ...confirmationsOf(rail), facilitator: facilitatorConfig(rail.facilitator) }) as RailConfig,
    ),
  };
}

/**
 * Number of blocks after which a reversal is implausible on Base and Optimism, which have one sequencer and a block
 * every 2 seconds. Base has reorganised at most one block (docs.base.org, "Transaction finality").
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

/** Refuses two rails for the same token and network, because each payment must belong to one rail. */
function refuseTwins(
  rails: readonly { network: string; token: { address: string } }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  rails.forEach(({ network, token }, index) => {
    const key = `${network}/${token.address.toLowerCase()}`;
    if (seen.has(key))
      context.addIssue({
        code: 'custom',
        path: [index],
        message: 'Is listed twice: each token may be listed once per network',
      });
    seen.add(key);
  });
}
