import { apiError } from '@/lib/protocol/errors';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-required';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import type { Payment } from '../db/payments';
import type { Call } from '../http/call';
import { rateLimitHeaders } from '../http/rate-limit/minute-limiter';
import { TooManyPayments } from './open-payments';
import { isOpen } from './payment-work';
import { IdentifierReused, PaymentUsed } from './presentation';
import { ChainUnreachable } from './rail';
import type { RailTerms } from './rail-terms';

const RETRY_AFTER_SECONDS = 5;

export type PaymentHeader = (typeof PAYMENT_HEADERS)[number];

/**
 * Returns the payment header; null if none. Refuses a request with two different payments, because a proxy may have
 * checked only the payment that the gateway would ignore.
 *
 * @throws ApiError X402_INVALID_PAYMENT
 */
export function paymentHeaderOf(call: Pick<Call, 'header'>): PaymentHeader | null {
  const names = PAYMENT_HEADERS.filter((header) => call.header(header) !== null);
  if (new Set(names.map((name) => call.header(name)?.trim())).size > 1) {
    throw invalidPayment(
      'ambiguous_payment',
      `The request carries different payments under ${names.join(' and ')}. Send one of them, under PAYMENT-SIGNATURE.`,
    );
  }
  return names[0] ?? null;
}

/** Converts an error about a payment into the API's error. Returns other errors unchanged. */
export function paymentRefusal(error: unknown): unknown {
  if (error instanceof InvalidPayment) return invalidPayment(error.reason, error.message);
  if (error instanceof PaymentUsed) return apiError('X402_PAYMENT_USED', { message: error.message });
  if (error instanceof IdentifierReused) return apiError('X402_PAYMENT_ID_REUSED', { message: error.message });
  if (error instanceof TooManyPayments) {
    const { message, scope, limit } = error;
    if (scope === 'all')
      return apiError('X402_BUSY', { message, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
    const now = Date.now();
    return apiError('X402_TOO_MANY_OPEN', {
      message,
      fields: { customMessage: message },
      headers: rateLimitHeaders({ limit, remaining: 0, resetAt: now + RETRY_AFTER_SECONDS * 1_000 }, now),
    });
  }
  if (error instanceof ChainUnreachable)
    return apiError('X402_UNAVAILABLE', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  return error;
}

/** @throws ApiError for a payment that failed or is still in progress */
export function requireCredited(payment: Payment, header: PaymentHeader, terms: readonly RailTerms[]): void {
  const { id: paymentId, state, error } = payment;
  if (state === 'credited') return;
  const receipt = paymentReceipt(payment, header, terms);
  if (!isOpen(payment))
    throw invalidPayment('payment_failed', error ?? 'The payment failed.', { paymentId, state }, receipt);
  const why = error ? ` Last error: ${error}` : '';
  const waitingFor = payment.waits_for;
  throw apiError('X402_PAYMENT_PENDING', {
    fields: {
      paymentId,
      state,
      message: `${waitingFor ?? STATE_SENTENCES[state]}${why}`,
      waitingFor,
      expiresAt: payment.expires_at === null ? null : new Date(payment.expires_at).toISOString(),
    },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS), ...receipt },
  });
}

const STATE_SENTENCES: Readonly<Record<Payment['state'], string>> = {
  verified: 'The payment is verified and recorded, but not submitted yet.',
  submitted: 'The payment was submitted, but the chain has not executed it yet.',
  settled: 'The chain has executed the payment; it is not credited yet.',
  credited: 'The payment is credited.',
  failed: 'The payment failed.',
};

/** Returns the headers of the receipt: PAYMENT-RESPONSE, and the v1 name of this header if the request used v1. */
export function paymentReceipt(
  { state, network, payer, asset, error, waits_for, transaction_id }: Payment,
  header: PaymentHeader,
  terms: readonly RailTerms[],
): Record<string, string> {
  const receipt = { success: state === 'credited', network, payer, transaction: transaction_id ?? '' };
  const failure =
    state === 'credited'
      ? {}
      : {
          errorReason: state === 'failed' ? 'payment_failed' : 'settlement_pending',
          errorMessage: error ?? waits_for ?? STATE_SENTENCES[state],
        };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
  const v2 = { 'payment-response': encode({ ...receipt, ...failure }) };
  if (header === 'payment-signature') return v2;
  const name = terms.find((each) => each.network === network && each.asset === asset)?.name ?? network;
  return { ...v2, 'x-payment-response': encode({ ...receipt, ...failure, network: name }) };
}

function invalidPayment(
  reason: string,
  message: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Error {
  return apiError('X402_INVALID_PAYMENT', {
    fields: { message, details: { _errors: [message], reason, ...more } },
    headers,
  });
}
