import { z } from 'zod';
import { detailedErrorSchema, discoverySchema } from '@/lib/protocol/error-bodies';
import { apiError, ERRORS } from '@/lib/protocol/errors';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { formatUsd } from '@/lib/protocol/pricing';
import type { Payment } from '../../db/payments';
import { type Call, json, type Reply } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { authenticate } from '../../http/error-reply';
import type { Operation } from '../../http/operation';
import {
  DISCOVERY_EXAMPLE,
  PAYMENT_ID_REUSED,
  PAYMENT_REQUIRED_HEADER,
  TOO_MANY_FROM_ADDRESS,
} from '../openapi/refusals';
import { authOptions, paymentRequiredHeader } from '../../auth/payment-challenge';
import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import { PAYMENT_IDENTIFIER, PAYMENT_IDENTIFIER_DECLARATION } from '@/lib/protocol/x402/presented-payment';
import { paymentRequired, paymentRequiredV1 } from '@/lib/protocol/x402/payment-required';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';
import {
  type PaymentHeader,
  paymentHeaderOf,
  paymentReceipt,
  paymentRefusal,
  requireCredited,
} from '../../payments/payment-answers';
import type { Payments } from '../../payments/payments';
import type { Rails } from '../../payments/rail-terms';

const payment = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: z.string(),
});

const invalidPaymentSchema = z
  .object({
    error: z.literal('X402_INVALID_PAYMENT'),
    code: z.literal('X402_INVALID_PAYMENT'),
    hint: z.string(),
    message: z.string().describe('What is wrong'),
    details: z
      .object({ _errors: z.array(z.string()), reason: z.string().describe('Stable reason code') })
      .catchall(z.unknown()),
  })
  .meta({ id: 'InvalidPayment' });

const pendingSchema = z
  .object({
    error: z.string(),
    code: z.enum(['X402_PAYMENT_PENDING', 'X402_BUSY', 'X402_UNAVAILABLE', 'STORE_UNAVAILABLE', 'STORE_FULL']),
    hint: z.string(),
    docs: z.string().describe('Path of the console page that explains the code, relative to the origin'),
    paymentId: z.string().optional(),
    state: z.enum(['verified', 'submitted', 'settled']).optional(),
    message: z.string().optional(),
    waitingFor: z
      .string()
      .nullable()
      .optional()
      .describe('What the payment waits for after its execution on chain, as a sentence'),
    expiresAt: z.string().nullable().optional().describe('After this the payment can no longer be executed'),
  })
  .meta({ id: 'PendingPayment' });

const v1Schema = z
  .object({
    x402Version: z.literal(1),
    error: z.string(),
    code: z.literal('PAYMENT_REQUIRED'),
    hint: z.string(),
    accepts: z.array(
      z.looseObject({
        scheme: z.literal('exact'),
        network: z.string(),
        maxAmountRequired: z.string(),
        asset: z.string(),
        payTo: z.string(),
      }),
    ),
  })
  .meta({ id: 'PaymentDiscoveryV1' });

const INVALID_PAYMENT_EXAMPLE = {
  error: 'X402_INVALID_PAYMENT',
  code: 'X402_INVALID_PAYMENT',
  hint: ERRORS.X402_INVALID_PAYMENT.hint,
  message: 'The payment has expired.',
  details: { _errors: ['The payment has expired.'], reason: 'expired' },
};

const topUpDocs: Operation = {
  id: 'topUp',
  tag: 'Prepaid balance',
  summary: 'Top up the prepaid balance of a wallet',
  description:
    'Without a payment header, the answer is 402 with the accepted payments. With a payment header, the gateway verifies the payment, settles it on chain and credits it in full to the wallet that signed it. ' +
    'Amounts in "accepts" are minimums; a larger payment is accepted. A payment that is sent again gets the same answer and is credited once.',
  credentials: [],
  parameters: [
    {
      name: 'amountUsd',
      in: 'query',
      required: false,
      description: 'Puts this amount into "accepts"; 5 or more',
      schema: z.string(),
    },
    {
      name: 'x402Version',
      in: 'query',
      required: false,
      description: 'Set to 1 for answers in the x402 v1 format',
      schema: z.enum(['1', '2']),
    },
    payment('PAYMENT-SIGNATURE', 'Base64 of an x402 payment payload'),
    payment('X-PAYMENT', 'The same, under its x402 v1 name'),
    payment('X-402-Payment', 'The same by a legacy name'),
  ],
  responses: {
    200: {
      description: 'Credited',
      schema: z
        .object({
          success: z.literal(true),
          data: z.object({
            walletAddress: z.string(),
            amountCredited: z.number().describe('USD'),
            newBalance: z
              .number()
              .optional()
              .describe('Balance in USD after this credit. Left out for a payment that was made with a call'),
            paymentId: z.string(),
          }),
        })
        .meta({ id: 'TopUp' }),
      examples: {
        credited: {
          success: true,
          data: {
            walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
            amountCredited: 5,
            newBalance: 5,
            paymentId: '9d8b1c3e-5a4f-4c02-8f4e-6f1d0a7b2c35',
          },
        },
      },
      headers: {
        'PAYMENT-RESPONSE': 'Base64 of {success, network, payer, transaction}',
        'X-PAYMENT-RESPONSE': 'The same for clients of x402 v1',
      },
    },
    400: {
      description: 'The payment is not valid or has failed, or the requested amount is not valid',
      schema: z.union([invalidPaymentSchema, detailedErrorSchema]).meta({ id: 'TopUpRefusal' }),
      examples: { invalid: INVALID_PAYMENT_EXAMPLE },
    },
    402: {
      description: 'No payment was sent; the answer has the accepted payments',
      schema: z.union([discoverySchema, v1Schema]).meta({ id: 'TopUpDiscovery' }),
      examples: { discovery: DISCOVERY_EXAMPLE },
      headers: PAYMENT_REQUIRED_HEADER,
    },
    409: PAYMENT_ID_REUSED,
    429: TOO_MANY_FROM_ADDRESS,
    503: {
      description:
        'The payment is not credited yet; "state" is its progress. Sending the same payment again is safe and returns its state',
      schema: pendingSchema,
      codes: ['X402_PAYMENT_PENDING', 'X402_BUSY'],
      headers: { 'Retry-After': 'Seconds' },
    },
  },
};

const AMOUNT_USD_MAX = 1_000_000;

const CODE = {
  code: 'PAYMENT_REQUIRED',
  hint: 'Sign one of "accepts", then send this request again with the payment in the PAYMENT-SIGNATURE header.',
} as const;

interface TopUpParts {
  payments: Payments;
  rails: Rails;
  rules: GatewayRules;
  addressLimiter: AddressLimiter;
  realm: string;
}

export const topUpRoute: Route = { path: '/api/v1/x402/top-up', docs: { POST: topUpDocs } };

/**
 * POST /x402/top-up: credits the payment in the header to the paying wallet. A repeated payment gets the same answer
 * and is credited once. Without a payment, answers 402 with the accepted payments (spec, "402 bodies", shape A).
 * Public, rate-limited by client address.
 */
export function topUp(parts: TopUpParts): Endpoint {
  return {
    ...topUpRoute,
    POST: async (call) => {
      parts.addressLimiter.take(call.clientIp);
      const name = paymentHeaderOf(call);
      if (name === null) return discovery(call, parts);
      const payment = await received(call.header(name) ?? '', call, parts);
      requireCredited(payment, name, parts.rails.terms);
      return credited(payment, name, parts);
    },
  };
}

async function received(header: string, { clientIp }: Call, { payments }: TopUpParts): Promise<Payment> {
  try {
    return await payments.receive(header, { client: clientIp });
  } catch (error) {
    throw paymentRefusal(error);
  }
}

/**
 * Builds the answer to a credited payment. Omits the balance if the payment was made for a call. Otherwise anyone could
 * rebuild that payment from chain data and send it again to learn the balance.
 */
function credited(payment: Payment, header: PaymentHeader, { rails }: TopUpParts): Reply {
  const newBalance = Number(formatUsd(payment.balance_after ?? 0, 9));
  const data = {
    walletAddress: payment.payer,
    amountCredited: Number(formatUsd(payment.amount, 9)),
    ...(payment.call === null ? { newBalance } : {}),
    paymentId: payment.id,
  };
  return json({ success: true, data }, 200, paymentReceipt(payment, header, rails.terms));
}

function discovery(call: Call, parts: TopUpParts): Reply {
  const { rails, rules, realm } = parts;
  const origin = askedOrigin(call, rules);
  const amountNanoUsd = requestedAmount(call, rails.minimumTopUpUsd);
  const accepts = rails.accepts(amountNanoUsd === null ? {} : { amountNanoUsd });
  const resource = {
    url: origin + call.path,
    description: 'Prepaid balance of a wallet, which its calls spend',
    mimeType: 'application/json',
  };
  const required = {
    ...paymentRequired(resource, accepts),
    extensions: { [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_DECLARATION },
  };
  const headers = { ...authenticate(realm), ...paymentRequiredHeader(required) };
  if (call.query.get('x402Version') === '1')
    return json({ ...paymentRequiredV1(required, rails.terms), ...CODE }, 402, headers);
  const { apiKey, x402Wallet } = authOptions(origin);
  return json(
    { ...required, ...CODE, authOptions: { apiKey, x402Wallet: { ...x402Wallet, topUp: resource.url } } },
    402,
    headers,
  );
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
  if (nanoUsd < Math.round(minimumUsd * 1e9) || nanoUsd > AMOUNT_USD_MAX * 1e9)
    throw invalidAmount(`The amount must be from ${minimumUsd} to ${AMOUNT_USD_MAX} USD.`);
  return nanoUsd;
}

function invalidAmount(message: string): Error {
  return apiError('INVALID_REQUEST', { message, details: { _errors: [], amountUsd: { _errors: [message] } } });
}
