import { z } from 'zod';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import type { Auth } from '../../auth/auth';
import type { WalletCaller } from '../../auth/caller';
import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import type { Withdrawal } from '../../db/withdrawals';
import { type Call, json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { readJson } from '../../http/json-body';
import type { Operation } from '../../http/operation';
import { unitsOf } from '../../payments/token-amount';
import { withdrawalRefusal } from '../../payments/withdrawals/refusals';
import type { Withdrawals } from '../../payments/withdrawals/withdrawals';
import { faultyField, JSON_REFUSALS } from '../openapi/refusals';
import { WALLET_REFUSALS } from './own-wallet';

const BODY_BYTES_MAX = 16_384;
const ID = 'wd_5f2c1a0e9b7d4c3f8a6e2d1b0c9f7e5a';

const units = z.string().regex(/^\d{1,30}$/, 'Must be base units of the token, in digits');

const bodySchema = z
  .strictObject({
    network: z.string().max(100).describe('Chain of the payments (CAIP-2)'),
    asset: z.string().max(100).describe('Address of the token; its mint on Solana'),
    gateway: z.string().max(300).describe('Origin of this gateway'),
    amount: units.describe('Base units to debit, fee included'),
    fee: units.describe('Fee in base units, as GET /api/v1/x402/withdrawals states it'),
    nonce: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'Must be 32 bytes in hexadecimal')
      .transform((text) => text.toLowerCase() as `0x${string}`)
      .describe('Random; a repetition with this nonce is the same withdrawal'),
    validBefore: z
      .string()
      .regex(/^\d{1,12}$/, 'Must be Unix seconds, in digits')
      .describe('Unix seconds, at most an hour ahead'),
    signature: z
      .string()
      .max(12_300)
      .describe(
        'Signature of the other fields by the wallet: EIP-712 in hex on EVM chains; of the text in base58 or Base64 on Solana',
      ),
  })
  .meta({ id: 'WithdrawalRequest' });

const withdrawalSchema = z
  .object({
    id: z.string(),
    state: z
      .enum(['debited', 'submitted', 'sent', 'failed'])
      .describe('debited and submitted are pending; a failed withdrawal was credited back'),
    network: z.string(),
    asset: z.string(),
    to: z.string().describe('Receiver: the wallet that signed'),
    amountUsd: z.number().describe('Debited, fee included'),
    feeUsd: z.number(),
    payout: z.string().describe('Base units that the wallet gets'),
    balanceAfterUsd: z.number().describe('Prepaid balance right after the debit'),
    transaction: z.string().nullable(),
    waitingFor: z.string().nullable(),
    error: z.string().nullable().describe('Why it failed, or the last error of sending'),
    createdAt: z.string(),
    endedAt: z.string().nullable(),
  })
  .meta({ id: 'Withdrawal' });

const answerSchema = z.object({ success: z.literal(true), data: withdrawalSchema }).meta({ id: 'WithdrawalAnswer' });

const listSchema = z
  .object({
    success: z.literal(true),
    data: z.object({
      gateway: z.string().describe('Value for "gateway" of a statement'),
      terms: z.array(
        z.object({
          network: z.string(),
          asset: z.string(),
          symbol: z.string(),
          decimals: z.number(),
          minimum: z.string().describe('Smallest "amount", in base units'),
          fee: z.string().describe('Base units'),
          withdrawable: z.string().describe('Largest "amount" now, in base units'),
        }),
      ),
      withdrawals: z.array(withdrawalSchema),
    }),
  })
  .meta({ id: 'WithdrawalList' });

const EXAMPLE = {
  id: ID,
  state: 'submitted',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  to: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
  amountUsd: 5,
  feeUsd: 0.05,
  payout: '4950000',
  balanceAfterUsd: 1.25,
  transaction: null,
  waitingFor: null,
  error: null,
  createdAt: '2026-11-29T15:00:00.000Z',
  endedAt: null,
};

const REFUSALS: Operation['responses'] = {
  401: WALLET_REFUSALS[401] as NonNullable<Operation['responses'][number]>,
  404: {
    description: 'The operator has not enabled withdrawals, or the wallet has no such withdrawal',
    schema: standardErrorSchema,
    codes: ['NOT_OFFERED', 'WITHDRAWAL_NOT_FOUND'],
  },
  429: WALLET_REFUSALS[429] as NonNullable<Operation['responses'][number]>,
};

const requestDocs: Operation = {
  id: 'withdraw',
  tag: 'Prepaid balance',
  summary: 'Withdraw prepaid money to the wallet that paid it',
  description:
    'Needs a sign-in by the wallet, and its signature of the statement: EIP-712 on EVM chains, a text on Solana (docs/payments.md). Pays out money that was prepaid on this network in this token, and neither spent nor withdrawn. ' +
    'The amount is debited first; the answer does not wait for the chain. A repetition returns the same withdrawal. Offered if the operator has enabled it. On Solana, the wallet needs a token account.',
  credentials: ['signInWithX'],
  body: {
    schema: bodySchema,
    examples: {
      withdrawal: {
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        gateway: 'https://gateway.example',
        amount: '5000000',
        fee: '50000',
        nonce: `0x${'5f'.repeat(32)}`,
        validBefore: '1795968000',
        signature: `0x${'1b'.repeat(65)}`,
      },
    },
  },
  responses: {
    202: {
      description: 'Recorded and debited',
      schema: answerSchema,
      examples: { debited: { success: true, data: EXAMPLE } },
    },
    400: {
      description: 'A field is not valid, or the amount is more than the wallet can withdraw. Nothing was debited',
      schema: z.union([detailedErrorSchema, standardErrorSchema]).meta({ id: 'WithdrawalRefusal' }),
      examples: { fee: faultyField('fee', 'The fee is 50000 base units. Sign a statement with this fee.') },
      codes: ['WITHDRAWAL_TOO_LARGE'],
    },
    ...JSON_REFUSALS,
    ...REFUSALS,
    503: {
      description: 'Nothing was debited: withdrawals are paused, or the chain or the database does not answer',
      schema: standardErrorSchema,
      codes: ['WITHDRAWALS_PAUSED', 'X402_UNAVAILABLE', 'SIGN_IN_UNVERIFIABLE', 'STORE_UNAVAILABLE'],
      headers: { 'Retry-After': 'Seconds' },
    },
  },
};

const UNAVAILABLE = WALLET_REFUSALS[503] as NonNullable<Operation['responses'][number]>;

const listDocs: Operation = {
  id: 'withdrawals',
  tag: 'Prepaid balance',
  summary: 'List what a wallet can withdraw, and its withdrawals',
  description:
    'Needs a sign-in. Free of charge. Terms are those of the wallet’s chains. Lists the newest 100 withdrawals.',
  credentials: ['signInWithX'],
  responses: {
    200: {
      description: 'Terms and withdrawals',
      schema: listSchema,
      examples: {
        list: {
          success: true,
          data: {
            gateway: 'https://gateway.example',
            terms: [
              {
                network: EXAMPLE.network,
                asset: EXAMPLE.asset,
                symbol: 'USDC',
                decimals: 6,
                minimum: '1000000',
                fee: '50000',
                withdrawable: '1250000',
              },
            ],
            withdrawals: [EXAMPLE],
          },
        },
      },
    },
    ...REFUSALS,
    503: UNAVAILABLE,
  },
};

const showDocs: Operation = {
  id: 'withdrawal',
  tag: 'Prepaid balance',
  summary: 'Get one withdrawal',
  description: 'Needs a sign-in by the wallet that withdrew. Free of charge.',
  credentials: ['signInWithX'],
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'Id of the withdrawal', schema: z.string(), example: ID },
  ],
  responses: {
    200: {
      description: 'The withdrawal',
      schema: answerSchema,
      examples: { pending: { success: true, data: EXAMPLE } },
    },
    ...REFUSALS,
    503: UNAVAILABLE,
  },
};

export const withdrawalsRoute: Route = {
  path: '/api/v1/x402/withdrawals',
  docs: { GET: listDocs, POST: requestDocs },
};
export const withdrawalRoute: Route = { path: '/api/v1/x402/withdrawals/{id}', docs: { GET: showDocs } };

interface WithdrawalParts {
  auth: Auth;
  withdrawals: Withdrawals;
  rules: GatewayRules;
  now: () => number;
}

/** /x402/withdrawals: POST withdraws a wallet's prepaid money to that wallet; GET lists terms and withdrawals. */
export function walletWithdrawals(parts: WithdrawalParts): Endpoint {
  const { withdrawals, rules, now } = parts;
  return {
    ...withdrawalsRoute,
    POST: async (call) => {
      const { accountId, wallet } = await identify(call, parts);
      const { network, asset, signature, ...statement } = await readJson(call, bodySchema, BODY_BYTES_MAX);
      try {
        const withdrawal = await withdrawals.request(
          { network, asset, signature, statement },
          { accountId, wallet, clientIp: call.clientIp },
          rules.origins,
        );
        return json({ success: true, data: show(withdrawal) }, 202);
      } catch (error) {
        throw withdrawalRefusal(error, now());
      }
    },
    GET: async (call) => {
      const caller = await identify(call, parts);
      const terms = await withdrawals.terms(caller);
      const data = {
        gateway: askedOrigin(call, rules),
        terms: terms.map(({ terms: { network, asset, symbol, decimals }, minimum, fee, withdrawable }) => ({
          network,
          asset,
          symbol,
          decimals,
          minimum: unitsOf(minimum, decimals).toString(),
          fee: unitsOf(fee, decimals).toString(),
          withdrawable: (BigInt(withdrawable) / 10n ** BigInt(9 - decimals)).toString(),
        })),
        withdrawals: (await withdrawals.list(caller.accountId)).map(show),
      };
      return json({ success: true, data });
    },
  };
}

/** GET /x402/withdrawals/{id}: one withdrawal of the signed-in wallet. */
export function walletWithdrawal(parts: WithdrawalParts): Endpoint {
  return {
    ...withdrawalRoute,
    GET: async (call) => {
      const { accountId } = await identify(call, parts);
      const withdrawal = await parts.withdrawals.find(accountId, call.params.id ?? '');
      if (!withdrawal) throw apiError('WITHDRAWAL_NOT_FOUND');
      return json({ success: true, data: show(withdrawal) });
    },
  };
}

async function identify(call: Call, { auth, withdrawals }: WithdrawalParts): Promise<WalletCaller> {
  const caller = await auth.identifyWallet(call);
  auth.limit(caller, call);
  if (!withdrawals.isOffered)
    throw apiError('NOT_OFFERED', { message: 'The operator of this gateway has not enabled withdrawals.' });
  return caller;
}

function show(withdrawal: Withdrawal): z.output<typeof withdrawalSchema> {
  const { id, state, network, asset, error } = withdrawal;
  return {
    id,
    state,
    network,
    asset,
    to: withdrawal.wallet,
    amountUsd: withdrawal.amount / 1e9,
    feeUsd: withdrawal.fee / 1e9,
    payout: withdrawal.payout_units,
    balanceAfterUsd: withdrawal.balance_after / 1e9,
    transaction: withdrawal.transaction_id,
    waitingFor: withdrawal.waits_for,
    error,
    createdAt: new Date(withdrawal.created_at).toISOString(),
    endedAt: withdrawal.ended_at === null ? null : new Date(withdrawal.ended_at).toISOString(),
  };
}
