import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import { type CallOptions, credentialHeaders, exchanger, parseBaseUrl, receive, type TurnpikeClientOptions } from './exchange';
import { readGatewayError, UnreachableError } from './gateway-error';

export type { PaymentRequirements };

const TOP_UP_PATH = '/api/v1/x402/top-up';
const RETRY_AFTER_MS = 3_000;
const RETRY_AFTER_MS_MAX = 60_000;

/** What a payment is made of once it is signed: the value of the PAYMENT-SIGNATURE header. Worth keeping until it ended. */
export type SignedPayment = string;

/** What became of a payment. */
export type PaymentOutcome =
  | { state: 'credited'; paymentId: string; walletAddress: string; amountCreditedUsd: number; newBalanceUsd: number; network: string; transaction: string }
  /** Under way: the same payment has to be sent again to hear more, and no other signed. `waitingFor` is a sentence, once the chain has executed it. */
  | { state: 'pending'; stage: 'verified' | 'submitted' | 'settled' | 'unknown'; paymentId: string | null; message: string; waitingFor: string | null; expiresAt: string | null; retryAfterMs: number }
  /** Nothing was taken, and by this payment nothing will be. */
  | { state: 'refused'; reason: string; message: string; paymentId: string | null };

/** Asks what is accepted, Base first. @param amountUsd the minimum unless given */
export async function readPaymentOptions(options: TurnpikeClientOptions, amountUsd?: string, callOptions: CallOptions = {}): Promise<readonly PaymentRequirements[]> {
  const path = amountUsd === undefined ? TOP_UP_PATH : `${TOP_UP_PATH}?${new URLSearchParams({ amountUsd }).toString()}`;
  const { bodyText } = await exchanger(options)('POST', path, { ...callOptions, absentStatus: 402 });
  return (JSON.parse(bodyText) as { accepts: PaymentRequirements[] }).accepts;
}

/** Wraps what a wallet signed as an x402 v2 payment. */
export function signedPayment(accepted: PaymentRequirements, payload: Record<string, unknown>): SignedPayment {
  const bytes = new TextEncoder().encode(JSON.stringify({ x402Version: 2, accepted, payload }));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * Sends a payment once. It may be sent any number of times: it is credited once, and each answer says how far it is.
 * @throws UnreachableError where there is no answer, GatewayError for an answer that says nothing of the payment
 */
export async function sendPayment(options: TurnpikeClientOptions, payment: SignedPayment, { signal }: CallOptions = {}): Promise<PaymentOutcome> {
  const headers = credentialHeaders(options);
  headers.set('payment-signature', payment);
  const startedMs = performance.now();
  const { response, bodyText } = await receive(options.fetch ?? fetch, parseBaseUrl(options.baseUrl), TOP_UP_PATH, { method: 'POST', headers, signal: signal ?? null });
  const outcome = readOutcome(response, bodyText);
  if (outcome === null) throw readGatewayError(response, bodyText, performance.now() - startedMs);
  return outcome;
}

/** How to follow a payment. */
export interface FollowOptions extends CallOptions {
  /** Hears of each answer. */
  onOutcome?: (outcome: PaymentOutcome) => void;
}

/**
 * Sends a payment until it has ended, through answers that say it is under way and through lost connections. Also how
 * a payment is taken up that an earlier page signed and kept.
 * @throws UnreachableError when aborted, GatewayError for an answer that says nothing of the payment
 */
export async function followPayment(options: TurnpikeClientOptions, payment: SignedPayment, { signal, onOutcome }: FollowOptions = {}): Promise<Exclude<PaymentOutcome, { state: 'pending' }>> {
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
  return { state: 'pending', stage: 'unknown', paymentId: null, message, waitingFor: null, expiresAt: null, retryAfterMs: RETRY_AFTER_MS };
}

function waited(ms: number, baseUrl: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new UnreachableError(baseUrl, true));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function readOutcome({ status, headers }: Pick<Response, 'status' | 'headers'>, bodyText: string): PaymentOutcome | null {
  const body = parseObject(bodyText);
  const receipt = parseObject(decodeBase64(headers.get('payment-response') ?? ''));
  if (status === 200) return readCredit(record(body.data), receipt);
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  if (status === 400 && body.code === 'X402_INVALID_PAYMENT') {
    const { reason, paymentId } = record(body.details);
    return { state: 'refused', reason: text(reason) ?? 'invalid_payment', message: text(body.message) ?? 'The payment was not accepted.', paymentId: text(paymentId) };
  }
  if (status !== 429 && status !== 503) return null;
  return {
    state: 'pending',
    stage: body.state === 'verified' || body.state === 'submitted' || body.state === 'settled' ? body.state : 'unknown',
    paymentId: text(body.paymentId),
    message: text(body.message) ?? text(body.customMessage) ?? text(body.error) ?? 'The payment is under way.',
    waitingFor: text(body.waitingFor),
    expiresAt: text(body.expiresAt),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  };
}

function readCredit(data: Record<string, unknown>, receipt: Record<string, unknown>): PaymentOutcome | null {
  const { paymentId, walletAddress, amountCredited, newBalance } = data;
  if (typeof paymentId !== 'string' || typeof walletAddress !== 'string' || typeof amountCredited !== 'number' || typeof newBalance !== 'number') return null;
  const { network, transaction } = receipt;
  return {
    state: 'credited',
    paymentId,
    walletAddress,
    amountCreditedUsd: amountCredited,
    newBalanceUsd: newBalance,
    network: typeof network === 'string' ? network : '',
    transaction: typeof transaction === 'string' ? transaction : '',
  };
}

function retryAfterMs(header: string | null): number {
  const seconds = Number(header);
  return header !== null && Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, RETRY_AFTER_MS_MAX) : RETRY_AFTER_MS;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text));
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
