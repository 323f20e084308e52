import { z } from 'zod';
import { detailedErrorSchema, discoverySchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { formatUsd, parseUsd } from '@/lib/protocol/pricing';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-headers';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import type { Payment } from '../../db/payments';
import { type Call, json, type Reply } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { TooManyPayments } from '../../payments/open-payments';
import { isOpen } from '../../payments/payment-work';
import { ChainUnreachable } from '../../payments/rail';
import { PAYMENT_REQUIRED_HEADER, TOO_MANY_FROM_ADDRESS } from '../openapi/refusals';
import { authOptions, paymentRequiredHeader } from '../../auth/payment-challenge';
import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import { paymentRequired, paymentRequiredV1 } from '@/lib/protocol/x402/payment-required';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';
import type { Payments } from '../../payments/payments';
import type { Rails } from '../../payments/rail-terms';

const payment = (name: string, description: string) => ({ name, in: 'header' as const, required: false, description, schema: z.string() });

const invalidPaymentSchema = z
  .object({
    error: z.literal('X402_INVALID_PAYMENT'),
    code: z.literal('X402_INVALID_PAYMENT'),
    hint: z.string(),
    message: z.string().describe('What is wrong'),
    details: z.object({ _errors: z.array(z.string()), reason: z.string().describe('Stable word') }).catchall(z.unknown()),
  })
  .meta({ id: 'InvalidPayment' });

const pendingSchema = z
  .object({
    error: z.string(),
    code: z.enum(['X402_PAYMENT_PENDING', 'X402_BUSY', 'X402_UNAVAILABLE', 'STORE_UNAVAILABLE']),
    hint: z.string(),
    paymentId: z.string().optional(),
    state: z.enum(['verified', 'submitted', 'settled']).optional(),
    message: z.string().optional(),
    waitingFor: z.string().nullable().optional().describe('What it waits for once the chain has executed it, in a sentence'),
    expiresAt: z.string().nullable().optional().describe('After this the payment can no longer be executed'),
  })
  .meta({ id: 'PendingPayment' });

const v1Schema = z
  .object({
    x402Version: z.literal(1),
    error: z.string(),
    code: z.literal('PAYMENT_REQUIRED'),
    hint: z.string(),
    accepts: z.array(z.looseObject({ scheme: z.literal('exact'), network: z.string(), maxAmountRequired: z.string(), asset: z.string(), payTo: z.string() })),
  })
  .meta({ id: 'PaymentDiscoveryV1' });

/** POST /x402/top-up in the API description. */
const topUpDocs: Operation = {
  id: 'topUp',
  summary: 'Put prepaid USDC on the balance of a wallet',
  description:
    'Without a payment header: 402 with what is accepted. With one of the three: the payment is verified, settled on chain and credited in full to the wallet that signed it. ' +
    'Amounts in "accepts" are the least; a larger exact payment is accepted. A payment that is sent again gets the same answer and is credited once.',
  credentials: [],
  parameters: [
    { name: 'amountUsd', in: 'query', required: false, description: 'Puts this amount into "accepts"; 5 or more', schema: z.string() },
    { name: 'x402Version', in: 'query', required: false, description: '1 answers in the form of x402 v1', schema: z.enum(['1', '2']) },
    payment('PAYMENT-SIGNATURE', 'Base64 of an x402 payment payload'),
    payment('X-PAYMENT', 'The same by its name of x402 v1'),
    payment('X-402-Payment', 'The same by a legacy name'),
  ],
  responses: {
    200: {
      description: 'Credited',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ walletAddress: z.string(), amountCredited: z.number().describe('USD'), newBalance: z.number().describe('USD, right after this credit'), paymentId: z.string() }),
      }),
      headers: { 'PAYMENT-RESPONSE': 'Base64 of {success, network, payer, transaction}', 'X-PAYMENT-RESPONSE': 'The same for clients of x402 v1' },
    },
    400: { description: 'The payment is not valid, or failed for good; or the amount asked for is not', schema: z.union([invalidPaymentSchema, detailedErrorSchema]) },
    402: {
      description: 'No payment: what is accepted',
      schema: z.union([discoverySchema, v1Schema]),
      headers: PAYMENT_REQUIRED_HEADER,
    },
    429: TOO_MANY_FROM_ADDRESS,
    503: { description: 'Not credited yet: "state" says how far the payment is; sending the same payment again is safe and says how it went', schema: pendingSchema, headers: { 'Retry-After': 'Seconds' } },
  },
};

const RETRY_AFTER_SECONDS = 5;

const AMOUNT_USD_MAX = 1_000_000;

/** Beside `error`, as in every refusal. */
const CODE = { code: 'PAYMENT_REQUIRED', hint: 'Sign one of "accepts" and send it again in the PAYMENT-SIGNATURE header.' } as const;

/** What taking top-ups over HTTP takes. */
export interface TopUpParts {
  payments: Payments;
  rails: Rails;
  rules: GatewayRules;
  addressLimiter: AddressLimiter;
}

export const topUpRoute: Route = { path: '/api/v1/x402/top-up', docs: { POST: topUpDocs } };

/**
 * POST /x402/top-up: without a payment, what would be accepted (402, shape A); with one, the credit. Public, limited
 * by client address. A payment that is sent again gets the answer that it had, and is credited once.
 */
export function topUp(parts: TopUpParts): Endpoint {
  return {
    ...topUpRoute,
    POST: async (call) => {
      parts.addressLimiter.take(call.clientIp);
      const name = paymentHeader(call);
      if (name === null) return discovery(call, parts);
      return outcomeOf(await received(call.header(name) ?? '', call, parts), name, parts);
    },
  };
}

/** The name under which the payment comes; null where none does. Two different payments at once are none: what stands between might have checked the other one. */
function paymentHeader(call: Call): (typeof PAYMENT_HEADERS)[number] | null {
  const names = PAYMENT_HEADERS.filter((header) => call.header(header) !== null);
  if (new Set(names.map((name) => call.header(name)?.trim())).size > 1) {
    throw invalidPayment('ambiguous_payment', `The request carries different payments under ${names.join(' and ')}. Send one of them, under PAYMENT-SIGNATURE.`);
  }
  return names[0] ?? null;
}

async function received(header: string, { clientIp }: Call, { payments }: TopUpParts): Promise<Payment> {
  try {
    return await payments.receive(header, { client: clientIp });
  } catch (error) {
    if (error instanceof InvalidPayment) throw invalidPayment(error.reason, error.message);
    if (error instanceof TooManyPayments) {
      const code = error.scope === 'all' ? 'X402_BUSY' : 'X402_TOO_MANY_OPEN';
      throw apiError(code, { message: error.message, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
    }
    if (error instanceof ChainUnreachable) throw apiError('X402_UNAVAILABLE', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
    throw error;
  }
}

function invalidPayment(reason: string, message: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Error {
  return apiError('X402_INVALID_PAYMENT', { fields: { message, details: { _errors: [message], reason, ...more } }, headers });
}

function outcomeOf(payment: Payment, header: string, parts: TopUpParts): Reply {
  const { id: paymentId, state, error } = payment;
  if (state === 'credited') return credited(payment, header, parts);
  if (!isOpen(payment)) throw invalidPayment('payment_failed', error ?? 'The payment failed.', { paymentId, state }, paymentResponse(payment, header, parts));
  const why = error ? ` What was heard last: ${error}` : '';
  const waitingFor = payment.waits_for;
  throw apiError('X402_PAYMENT_PENDING', {
    fields: { paymentId, state, message: `${waitingFor ?? STATE_SENTENCES[state]}${why}`, waitingFor, expiresAt: payment.expires_at === null ? null : new Date(payment.expires_at).toISOString() },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS), ...paymentResponse(payment, header, parts) },
  });
}

const STATE_SENTENCES: Readonly<Record<Payment['state'], string>> = {
  verified: 'The payment is verified and recorded, and not submitted yet.',
  submitted: 'The payment was submitted, and the chain has not executed it yet.',
  settled: 'The money came in and is not credited yet.',
  credited: 'The payment is credited.',
  failed: 'The payment failed.',
};

function credited(payment: Payment, header: string, parts: TopUpParts): Reply {
  const data = {
    walletAddress: payment.payer,
    amountCredited: Number(formatUsd(payment.amount, 9)),
    newBalance: Number(formatUsd(payment.balance_after ?? 0, 9)),
    paymentId: payment.id,
  };
  return json({ success: true, data }, 200, paymentResponse(payment, header, parts));
}

/** The receipt of the protocol: PAYMENT-RESPONSE, and its old name for clients of v1. */
function paymentResponse({ state, network, payer, asset, error, waits_for, transaction_id }: Payment, header: string, { rails }: TopUpParts): Record<string, string> {
  const receipt = { success: state === 'credited', network, payer, transaction: transaction_id ?? '' };
  const failure = state === 'credited' ? {} : { errorReason: state === 'failed' ? 'payment_failed' : 'settlement_pending', errorMessage: error ?? waits_for ?? STATE_SENTENCES[state] };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
  const v2 = { 'payment-response': encode({ ...receipt, ...failure }) };
  if (header === 'payment-signature') return v2;
  const name = rails.terms.find((terms) => terms.network === network && terms.asset === asset)?.name ?? network;
  return { ...v2, 'x-payment-response': encode({ ...receipt, ...failure, network: name }) };
}

function discovery(call: Call, parts: TopUpParts): Reply {
  const { rails, rules } = parts;
  const origin = askedOrigin(call, rules);
  const amountNanoUsd = requestedAmount(call, rails.minimumTopUpUsd);
  const accepts = rails.accepts(amountNanoUsd === null ? {} : { amountNanoUsd });
  const resource = { url: origin + call.path, description: 'Prepaid balance of a wallet, spent by the call', mimeType: 'application/json' };
  const required = paymentRequired(resource, accepts);
  const headers = paymentRequiredHeader(required);
  if (call.query.get('x402Version') === '1') return json({ ...paymentRequiredV1(required, rails.terms), ...CODE }, 402, headers);
  const { apiKey, x402Wallet } = authOptions(origin);
  return json({ ...required, ...CODE, authOptions: { apiKey, x402Wallet: { ...x402Wallet, topUp: resource.url } } }, 402, headers);
}

function requestedAmount(call: Call, minimumUsd: number): number | null {
  const text = call.query.get('amountUsd');
  if (text === null) return null;
  let nanoUsd: number;
  try {
    nanoUsd = parseUsd(text);
  } catch (error) {
    throw invalidAmount((error as Error).message);
  }
  if (nanoUsd < Math.round(minimumUsd * 1e9) || nanoUsd > AMOUNT_USD_MAX * 1e9) throw invalidAmount(`The amount must be from ${minimumUsd} to ${AMOUNT_USD_MAX} USD.`);
  return nanoUsd;
}

function invalidAmount(message: string): Error {
  return apiError('INVALID_REQUEST', { message, details: { _errors: [], amountUsd: { _errors: [message] } } });
}
