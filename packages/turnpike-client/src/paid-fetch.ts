import { isRecord } from '@/lib/protocol/json-record';
import { checked, MisfitError, object, optional } from '@/lib/client/answer-schema';
import { errorText } from '@/lib/client/bounded-answer';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { mayRepeat, type OutgoingCall, outgoingCall } from './outgoing-call';
import { pause } from './shared-work';
import { TurnpikeError } from './turnpike-error';
import { type EventListener, tell } from './turnpike-event';
import type { WalletSignIn } from './wallet-sign-in';
import type { MissingMoney, WalletTopUp } from './wallet-top-up';

const ATTEMPTS_MAX = 3;
const REPEAT_DELAYS_MS = [250, 1_000];
/** Temporary errors of the gateway or of a proxy in front of it. */
const PASSING_STATUSES: readonly number[] = [502, 503, 504];
const RETRY_AFTER_SECONDS_MAX = 10;
const AMOUNT_USD_MAX = 1_000_000;
const TOP_UP_PATH = '/api/v1/x402/top-up';

export interface PaidFetchParts {
  base: string;
  credential: { kind: 'apiKey'; apiKey: string } | { kind: 'wallet'; signIn: WalletSignIn; topUp: WalletTopUp | null };
  fetch: typeof fetch;
  /** Timeout until the answer begins. */
  timeoutMs: number;
  onEvent?: EventListener | undefined;
}

/**
 * Returns a `fetch` for one gateway. Adds the credential, retries calls that are safe to repeat, and tops up once for a
 * low balance. Resolves with refusals, like any fetch.
 * @throws {TurnpikeError} if no answer arrives, or the wallet or the budget refuses; the reason of an aborted signal
 */
export function paidFetch(parts: PaidFetchParts): typeof fetch {
  return async (input, init) => {
    const call = await outgoingCall(parts.base, input, init);
    call.signal?.throwIfAborted();
    return parts.credential.kind === 'apiKey'
      ? sent(parts, call, ['authorization', `Bearer ${parts.credential.apiKey}`])
      : signedIn(parts, call, parts.credential);
  };
}

type WalletCredential = Extract<PaidFetchParts['credential'], { kind: 'wallet' }>;

/** Sends a wallet's call with a valid sign-in. If the balance is too low, tops up and sends it again. */
async function signedIn(parts: PaidFetchParts, call: OutgoingCall, wallet: WalletCredential): Promise<Response> {
  const { topUp, signIn } = wallet;
  const creditsBefore = topUp?.credits ?? 0;
  const response = await withSignIn(parts, call, wallet);
  const missing = topUp === null ? null : await missingMoney(call, response);
  if (missing === null || topUp === null) return response;
  await discard(response);
  // If the credits have grown, another call has topped up in the meantime.
  if (topUp.credits > creditsBefore) {
    const second = await withSignIn(parts, call, wallet);
    const stillMissing = await missingMoney(call, second);
    if (stillMissing === null) return second;
    await discard(second);
    await topUp.make(stillMissing, call.signal, signIn.address);
  } else await topUp.make(missing, call.signal, signIn.address);
  return withSignIn(parts, call, wallet);
}

/** Sends a call with the sign-in. After a 401 the call has not run, so signs in and sends once more. */
async function withSignIn(parts: PaidFetchParts, call: OutgoingCall, { signIn }: WalletCredential): Promise<Response> {
  const header = await signIn.header(call.signal);
  const response = await sent(parts, call, ['sign-in-with-x', header]);
  if (response.status !== 401) return response;
  signIn.refuse(header);
  await discard(response);
  return sent(parts, call, ['sign-in-with-x', await signIn.header(call.signal)]);
}

async function sent(
  parts: PaidFetchParts,
  call: OutgoingCall,
  credential: readonly [name: string, value: string],
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attempted(parts, call, credential);
    const mayGoOn = attempt < ATTEMPTS_MAX && mayRepeat(call);
    const because = mayGoOn ? await passingReason(outcome, attempt) : null;
    if (because === 'IDEMPOTENCY_KEYS_USED_UP') call.init.headers.delete('idempotency-key');
    if (because === null) {
      if (outcome instanceof Response) return outcome;
      throw outcome;
    }
    tell(parts.onEvent, { type: 'repeats', url: call.url, attempt: attempt + 1, because });
    const delayMs = delayOf(outcome, attempt);
    if (outcome instanceof Response) await discard(outcome);
    await pause(delayMs, call.signal);
  }
}

/**
 * @returns answer, or an error if none arrived
 * @throws the reason of the caller's signal
 */
async function attempted(
  { fetch: fetchOnce, timeoutMs }: PaidFetchParts,
  { url, init, signal }: OutgoingCall,
  [name, value]: readonly [string, string],
): Promise<Response | TurnpikeError> {
  const headers = new Headers(init.headers);
  headers.set(name, value);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    return await fetchOnce(url, {
      ...init,
      headers,
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    return new TurnpikeError(limit.signal.aborted ? 'TIMEOUT' : 'UNREACHABLE', {
      message: limit.signal.aborted
        ? `The gateway at ${new URL(url).origin} did not begin to answer within ${timeoutMs} ms.`
        : `The gateway at ${new URL(url).origin} does not answer.`,
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

async function passingReason(outcome: Response | TurnpikeError, attempt: number): Promise<string | null> {
  if (!(outcome instanceof Response)) return outcome.code;
  if (PASSING_STATUSES.includes(outcome.status)) return `HTTP ${outcome.status}`;
  if (outcome.status !== 429) return null;
  const { code } = await bodyOf(outcome);
  // An earlier attempt with this Idempotency-Key may still be running, although its answer was lost.
  if (code === 'CONCURRENT_CALL' && attempt > 1) return code;
  return code === 'IDEMPOTENCY_KEYS_USED_UP' ? code : null;
}

function delayOf(outcome: Response | TurnpikeError, attempt: number): number {
  const seconds = outcome instanceof Response ? Number(outcome.headers.get('retry-after')) : 0;
  if (seconds > 0 && seconds <= RETRY_AFTER_SECONDS_MAX) return seconds * 1_000;
  return REPEAT_DELAYS_MS[attempt - 1] ?? 0;
}

const amountUsd = checked(
  'an amount of USD',
  (value): value is number => typeof value === 'number' && value >= 0 && value <= AMOUNT_USD_MAX,
);
const refusedCall = object({
  currentBalanceUsd: optional(amountUsd),
  minimumBalanceUsd: optional(amountUsd),
  minimumTopUpUsd: optional(amountUsd),
});

/**
 * Reads the amounts of a 402 about a low balance; null for other answers.
 *
 * @throws {TurnpikeError} TERMS_UNEXPECTED for invalid amounts
 */
async function missingMoney({ path }: OutgoingCall, response: Response): Promise<MissingMoney | null> {
  if (response.status !== 402 || path === TOP_UP_PATH) return null;
  const body = await bodyOf(response);
  if (body['reason'] !== 'insufficient_balance') return null;
  try {
    const { currentBalanceUsd = 0, minimumBalanceUsd, minimumTopUpUsd } = refusedCall(body, '');
    return {
      balanceNanoUsd: nano(currentBalanceUsd),
      callNanoUsd: minimumBalanceUsd === undefined ? null : nano(minimumBalanceUsd),
      minimumNanoUsd: minimumTopUpUsd === undefined ? null : nano(minimumTopUpUsd),
    };
  } catch (cause) {
    if (cause instanceof MisfitError)
      throw new TurnpikeError('TERMS_UNEXPECTED', {
        message: `The gateway's answer with the balance could not be read: ${cause.message}.`,
        cause,
      });
    throw cause;
  }
}

async function bodyOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await errorText(response.clone()));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function nano(usd: number): number {
  return parseUsd(usd.toFixed(9));
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}
