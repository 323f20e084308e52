import { isRecord } from '@/lib/protocol/json-record';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { number, object, text } from './answer-schema';
import {
  type CallOptions,
  credentialHeaders,
  type Exchanged,
  exchanger,
  fitting,
  parseBaseUrl,
  receive,
  type TurnpikeClientOptions,
} from './exchange';
import { readGatewayError, UnreachableError } from './gateway-error';
import { waited } from './waited';

export type { PaymentRequirements };

const TOP_UP_PATH = '/api/v1/x402/top-up';
const RETRY_AFTER_MS = 3_000;
/** Minimum wait, even if Retry-After is shorter. */
const RETRY_AFTER_MS_MIN = 500;
const RETRY_AFTER_MS_MAX = 60_000;

/** Value of the PAYMENT-SIGNATURE header. Callers must store it until the payment has a final outcome. */
export type SignedPayment = string;

export type PaymentOutcome =
  | {
      state: 'credited';
      paymentId: string;
      walletAddress: string;
      amountCreditedUsd: number;
      newBalanceUsd: number;
      network: string;
      transaction: string;
    }
  /**
   * The outcome is not final. Send the same payment again; do not sign another. `waitingFor` is a sentence that says
   * what an executed payment is still waiting for.
   */
  | {
      state: 'pending';
      stage: 'verified' | 'submitted' | 'settled' | 'unknown';
      paymentId: string | null;
      message: string;
      waitingFor: string | null;
      expiresAt: string | null;
      retryAfterMs: number;
    }
  /** The gateway took no money. Sign a new payment. */
  | { state: 'refused'; reason: string; message: string; paymentId: string | null };

const credit = object({
  data: object({ paymentId: text, walletAddress: text, amountCredited: number, newBalance: number }),
});

/**
 * Fetches the accepted payment terms, Base first.
 *
 * @param amountUsd default: the minimum
 * @throws {GatewayError} for an error answer or terms that no wallet can sign
 */
export async function readPaymentOptions(
  options: TurnpikeClientOptions,
  amountUsd?: string,
  callOptions: CallOptions = {},
): Promise<readonly PaymentRequirements[]> {
  const path =
    amountUsd === undefined ? TOP_UP_PATH : `${TOP_UP_PATH}?${new URLSearchParams({ amountUsd }).toString()}`;
  const answer = await exchanger(options)('POST', path, { ...callOptions, absentStatus: 402 });
  // Loaded on demand, because console pages load this file long before a payment.
  const { acceptedTerms } = await import('./payment-terms');
  return (await fitting(object({ accepts: acceptedTerms }), { ...answer, body: parseObject(answer.bodyText) })).accepts;
}

/** Encodes a wallet's signature as an x402 v2 payment. */
export function signedPayment(accepted: PaymentRequirements, payload: Record<string, unknown>): SignedPayment {
  const bytes = new TextEncoder().encode(JSON.stringify({ x402Version: 2, accepted, payload }));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * Sends a payment. Resending is safe: the gateway credits a payment only once.
 *
 * @throws {UnreachableError} if no answer arrives; {GatewayError} for an answer that states no outcome
 */
export async function sendPayment(
  options: TurnpikeClientOptions,
  payment: SignedPayment,
  { signal }: CallOptions = {},
): Promise<PaymentOutcome> {
  const headers = credentialHeaders(options);
  headers.set('payment-signature', payment);
  const startedMs = performance.now();
  const { response, bodyText } = await receive(options.fetch ?? fetch, parseBaseUrl(options.baseUrl), TOP_UP_PATH, {
    method: 'POST',
    headers,
    signal: signal ?? null,
  });
  const { status } = response;
  const latencyMs = performance.now() - startedMs;
  const outcome = await readOutcome({
    status,
    headers: response.headers,
    bodyText,
    body: parseObject(bodyText),
    latencyMs,
    absent: false,
  });
  if (outcome === null) throw readGatewayError(response, bodyText, latencyMs);
  return outcome;
}

export interface FollowOptions extends CallOptions {
  onOutcome?: (outcome: PaymentOutcome) => void;
}

/**
 * Sends a payment repeatedly until it has a final outcome, despite pending answers and lost connections. Also resumes a
 * stored payment.
 *
 * @throws {UnreachableError} if aborted; {GatewayError} for an answer without an outcome
 */
export async function followPayment(
  options: TurnpikeClientOptions,
  payment: SignedPayment,
  { signal, onOutcome }: FollowOptions = {},
): Promise<Exclude<PaymentOutcome, { state: 'pending' }>> {
  for (;;) {
    const outcome = await sendPayment(options, payment, signal ? { signal } : {}).catch((error: unknown) => {
      if (error instanceof UnreachableError && !error.aborted) return lostSight(error.message);
      throw error;
    });
    onOutcome?.(outcome);
    if (outcome.state !== 'pending') return outcome;
    await waited(outcome.retryAfterMs, options.baseUrl, signal);
  }
}

function lostSight(message: string): PaymentOutcome {
  return {
    state: 'pending',
    stage: 'unknown',
    paymentId: null,
    message,
    waitingFor: null,
    expiresAt: null,
    retryAfterMs: RETRY_AFTER_MS,
  };
}

async function readOutcome(answer: Exchanged & { body: Members }): Promise<PaymentOutcome | null> {
  const { status, headers, body } = answer;
  if (status === 200) return creditOf(answer);
  if (status === 400 && body['code'] === 'X402_INVALID_PAYMENT') {
    const { reason, paymentId } = isRecord(body['details']) ? body['details'] : {};
    return {
      state: 'refused',
      reason: textOr(reason, 'invalid_payment'),
      message: textOr(body['message'], 'The payment was not accepted.'),
      paymentId: textOr(paymentId, null),
    };
  }
  if (status !== 429 && status !== 503) return null;
  const { state: stage } = body;
  return {
    state: 'pending',
    stage: stage === 'verified' || stage === 'submitted' || stage === 'settled' ? stage : 'unknown',
    paymentId: textOr(body['paymentId'], null),
    message:
      [body['message'], body['customMessage'], body['error']].find((said) => typeof said === 'string') ??
      'The payment is pending.',
    waitingFor: textOr(body['waitingFor'], null),
    expiresAt: textOr(body['expiresAt'], null),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  };
}

async function creditOf(answer: Exchanged): Promise<PaymentOutcome> {
  const {
    paymentId,
    walletAddress,
    amountCredited: amountCreditedUsd,
    newBalance: newBalanceUsd,
  } = (await fitting(credit, answer)).data;
  const { network, transaction } = parseObject(decodeBase64(answer.headers.get('payment-response') ?? ''));
  return {
    state: 'credited',
    paymentId,
    walletAddress,
    amountCreditedUsd,
    newBalanceUsd,
    network: textOr(network, ''),
    transaction: textOr(transaction, ''),
  };
}

function retryAfterMs(header: string | null): number {
  const seconds = Number(header);
  return header !== null && Number.isFinite(seconds) && seconds > 0
    ? Math.min(Math.max(seconds * 1_000, RETRY_AFTER_MS_MIN), RETRY_AFTER_MS_MAX)
    : RETRY_AFTER_MS;
}

type Members = Readonly<Record<string, unknown>>;

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function parseObject(json: string): Members {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function decodeBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return '';
  }
}
