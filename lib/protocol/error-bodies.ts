import { z } from 'zod';
import { ERRORS, type ErrorCode } from './errors';
import { signInChallengeSchema } from './sign-in/challenge';

const code = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).describe('Stable code of the error');
const hint = z.string().describe('What to do');

const docs = z.string().describe('Path of the console page that explains the code, relative to the origin').optional();

/** StandardError (spec, "Error bodies"). */
export const standardErrorSchema = z
  .object({
    error: z.string(),
    code,
    hint,
    docs,
    customMessage: z.string().optional().describe('On 429: the limit or collision that caused it'),
  })
  .meta({ id: 'StandardError' });

/** DetailedError (spec, "Error bodies"): `details` nests `_errors` arrays by invalid field. */
export const detailedErrorSchema = z
  .object({
    error: z.string(),
    code,
    hint,
    docs,
    details: z
      .object({ _errors: z.array(z.string()) })
      .catchall(z.unknown())
      .describe('Messages of this level under _errors, and one such tree for each invalid field'),
  })
  .meta({ id: 'DetailedError' });

/** 402 shape A (spec, "402 bodies"). */
export const discoverySchema = z
  .object({
    x402Version: z.number(),
    error: z.string(),
    code: z.literal('PAYMENT_REQUIRED'),
    hint,
    resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
    accepts: z.array(
      z.object({
        scheme: z.literal('exact'),
        network: z.string(),
        asset: z.string(),
        amount: z.string(),
        payTo: z.string(),
        maxTimeoutSeconds: z.number(),
        extra: z.record(z.string(), z.unknown()),
      }),
    ),
    extensions: z.record(z.string(), z.unknown()).optional(),
    authOptions: z.object({
      apiKey: z.object({ header: z.string(), getKey: z.string(), docs: z.string() }),
      x402Wallet: z.object({ header: z.string(), legacyHeader: z.string(), topUp: z.string(), docs: z.string() }),
    }),
  })
  .meta({ id: 'PaymentDiscovery' });

/** 402 shape B (spec, "402 bodies"). */
export const walletBalanceSchema = z
  .object({
    error: z.string(),
    code: z.literal('PAYMENT_REQUIRED'),
    hint,
    reason: z.literal('insufficient_balance'),
    message: z.string().optional(),
    currentBalanceUsd: z.number().optional(),
    minimumBalanceUsd: z.number().optional().describe('The most that the request, or batch, can cost'),
    description: z.string().optional(),
    suggestedTopUpUsd: z.number(),
    minimumTopUpUsd: z.number(),
    supportedTokens: z.array(z.string()),
    supportedChains: z.array(z.string()).describe('Chains that accept top-ups, such as base and solana'),
    topUpInstructions: z
      .object({
        step1: z.string(),
        step2: z.string(),
        step3: z.string(),
        receiverWallet: z.string(),
        tokenAddress: z.string(),
        tokenDecimals: z.number(),
        network: z.string(),
        minimumAmountUsd: z.number(),
      })
      .describe('The wallet, token and network describe Base only; prefer the accepts entries of POST /x402/top-up'),
    siwxChallenge: signInChallengeSchema,
  })
  .meta({ id: 'WalletPaymentRequired' });

/** 402 for an API key, with the account's balances as in GET /billing/balance. */
export const accountBalanceSchema = standardErrorSchema
  .extend({
    code: z.literal('INSUFFICIENT_BALANCE'),
    currentBalanceUsd: z.number().describe('What the key may spend now'),
    minimumBalanceUsd: z.number().optional().describe('The most that the request, or batch, can cost'),
    balances: z.object({ diem: z.number(), bundledCredits: z.number(), usd: z.number() }).optional().describe('USD'),
    x402Usd: z.number().optional().describe('Prepaid balance of the wallet, if the key may spend it'),
  })
  .meta({ id: 'AccountPaymentRequired' });

/** Any 402 body of a paid endpoint. */
export const paymentRequiredSchema = z
  .union([discoverySchema, walletBalanceSchema, accountBalanceSchema, standardErrorSchema])
  .meta({ id: 'PaymentRequired' });

/** Answer to an invalid request, with the faulty fields if known. */
export const refusedRequestSchema = z.union([detailedErrorSchema, standardErrorSchema]).meta({ id: 'RefusedRequest' });

export const succeededSchema = z.object({ success: z.literal(true) }).meta({ id: 'Succeeded' });
