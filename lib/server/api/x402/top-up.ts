import { apiError } from '@/lib/protocol/errors';
import { formatUsd, parseUsd } from '@/lib/protocol/pricing';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { askedOrigin } from '../../auth/sign-in-rules';
import type { Gateway } from '../../gateway';
import { type Call, json, type Reply } from '../../http/call';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-headers';
import type { Endpoint } from '../../http/endpoint';
import { isOpen } from '../../payments/payment-work';
import { paymentRequired, paymentRequiredV1 } from '../../payments/payment-required';
import { TooManyPayments } from '../../payments/open-payments';
import { ChainUnreachable } from '../../payments/rail';
import type { Payment } from '../../db/payments';
import { topUpDocs } from './docs';

const RETRY_AFTER_SECONDS = 5;
const AMOUNT_USD_MAX = 1_000_000;
/** Beside `error`, as in every refusal. */
const CODE = { code: 'PAYMENT_REQUIRED', hint: 'Sign one of "accepts" and send it again in the PAYMENT-SIGNATURE header.' } as const;

/**
 * POST /x402/top-up: without a payment, what would be accepted (402, shape A); with one, the credit. Public, limited
 * by client address. A payment that is sent again gets the answer that it had, and is credited once.
 */
export const topUp: Endpoint = {
  path: '/api/v1/x402/top-up',
  docs: { POST: topUpDocs },
  POST: async (call, gateway) => {
    gateway.addressLimiter.take(call.clientIp);
    const name = paymentHeader(call);
    if (name === null) return discovery(call, gateway);
    return outcomeOf(await received(call.header(name) ?? '', call, gateway), name, gateway);
  },
};

/** The name under which the payment comes; null where none does. Two different payments at once are none: what stands between might have checked the other one. */
function paymentHeader(call: Call): (typeof PAYMENT_HEADERS)[number] | null {
  const names = PAYMENT_HEADERS.filter((header) => call.header(header) !== null);
  if (new Set(names.map((name) => call.header(name)?.trim())).size > 1) {
    throw invalidPayment('ambiguous_payment', `The request carries different payments under ${names.join(' and ')}. Send one of them, under PAYMENT-SIGNATURE.`);
  }
  return names[0] ?? null;
}

async function received(header: string, { clientIp }: Call, { payments }: Gateway): Promise<Payment> {
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

function outcomeOf(payment: Payment, header: string, gateway: Gateway): Reply {
  const { id: paymentId, state, error } = payment;
  if (state === 'credited') return credited(payment, header, gateway);
  if (!isOpen(payment)) throw invalidPayment('payment_failed', error ?? 'The payment failed.', { paymentId, state }, paymentResponse(payment, header, gateway));
  const why = error ? ` What was heard last: ${error}` : '';
  const waitingFor = payment.waits_for;
  throw apiError('X402_PAYMENT_PENDING', {
    fields: { paymentId, state, message: `${waitingFor ?? STATE_SENTENCES[state]}${why}`, waitingFor, expiresAt: payment.expires_at === null ? null : new Date(payment.expires_at).toISOString() },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS), ...paymentResponse(payment, header, gateway) },
  });
}

const STATE_SENTENCES: Readonly<Record<Payment['state'], string>> = {
  verified: 'The payment is verified and recorded, and not submitted yet.',
  submitted: 'The payment was submitted, and the chain has not executed it yet.',
  settled: 'The money came in and is not credited yet.',
  credited: 'The payment is credited.',
  failed: 'The payment failed.',
};

function credited(payment: Payment, header: string, gateway: Gateway): Reply {
  const data = {
    walletAddress: payment.payer,
    amountCredited: Number(formatUsd(payment.amount, 9)),
    newBalance: Number(formatUsd(payment.balance_after ?? 0, 9)),
    paymentId: payment.id,
  };
  return json({ success: true, data }, 200, paymentResponse(payment, header, gateway));
}

/** The receipt of the protocol: PAYMENT-RESPONSE, and its old name for clients of v1. */
function paymentResponse({ state, network, payer, asset, error, waits_for, transaction_id }: Payment, header: string, { rails }: Gateway): Record<string, string> {
  const receipt = { success: state === 'credited', network, payer, transaction: transaction_id ?? '' };
  const failure = state === 'credited' ? {} : { errorReason: state === 'failed' ? 'payment_failed' : 'settlement_pending', errorMessage: error ?? waits_for ?? STATE_SENTENCES[state] };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
  const v2 = { 'payment-response': encode({ ...receipt, ...failure }) };
  if (header === 'payment-signature') return v2;
  const name = rails.terms.find((terms) => terms.network === network && terms.asset === asset)?.name ?? network;
  return { ...v2, 'x-payment-response': encode({ ...receipt, ...failure, network: name }) };
}

function discovery(call: Call, gateway: Gateway): Reply {
  const { rails } = gateway;
  const origin = askedOrigin(call, gateway);
  const amountNanoUsd = requestedAmount(call, rails.minimumTopUpUsd);
  const accepts = rails.accepts(amountNanoUsd === null ? {} : { amountNanoUsd });
  const resource = { url: origin + call.path, description: 'Prepaid balance of a wallet, spent by the call', mimeType: 'application/json' };
  const required = paymentRequired(resource, accepts, 'Payment required');
  const headers = { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') };
  if (call.query.get('x402Version') === '1') return json({ ...paymentRequiredV1(resource, accepts, rails.terms, required.error), ...CODE }, 402, headers);
  const docs = `${origin}/api/v1/openapi.json`;
  const authOptions = {
    apiKey: { header: 'Authorization: Bearer <API_KEY>', getKey: `${origin}/api/v1/api_keys/generate_web3_key`, docs },
    x402Wallet: { header: 'SIGN-IN-WITH-X', legacyHeader: 'X-Sign-In-With-X', topUp: resource.url, docs },
  };
  return json({ ...required, ...CODE, authOptions }, 402, headers);
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
