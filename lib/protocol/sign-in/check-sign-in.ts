import { apiError } from '../errors';
import { canonicalChainId, parseDateTime, SIGN_IN_LIFETIME_MS } from './message-fields';
import type { SignIn } from './payload';

export interface SignInRules {
  /** Lower-case hosts of the gateway, with any non-default port. */
  domains: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** CAIP-2. */
  chainIds: ReadonlySet<string>;
}

const MINUTE_MS = 60_000;
/** Tolerated difference between the caller's clock and the gateway's. */
const CLOCK_SKEW_MS = MINUTE_MS;
/** Longest lifetime of a message that has an expiry. */
const LIFETIME_MS_MAX = 24 * 60 * MINUTE_MS;

/**
 * Checks that a sign-in is for this gateway and an accepted chain, and valid at `now`. Does not check the signature.
 * The caller may reuse a sign-in until it expires.
 *
 * @returns expiry, Unix milliseconds
 * @throws {ApiError} 401, naming the failed check
 */
export function checkSignIn(signIn: SignIn, rules: SignInRules, now: number): number {
  checkHost(signIn, rules);
  if (!rules.chainIds.has(signIn.chainId)) {
    throw apiError('SIGN_IN_WRONG_CHAIN', {
      message: `Sign-in on ${JSON.stringify(signIn.chainId)} is not accepted. Accepted chains: ${[...rules.chainIds].join(', ')}.`,
    });
  }
  return checkTime(signIn, now);
}

function checkHost({ message: { scheme, domain, uri } }: SignIn, { domains, origins }: SignInRules): void {
  if (!domains.has(domain.toLowerCase())) {
    throw apiError('SIGN_IN_WRONG_DOMAIN', {
      message: `The sign-in was made for ${JSON.stringify(domain.slice(0, 80))}, not for this gateway (${[...domains].join(', ')}).`,
    });
  }
  const origin = originOf(uri);
  if (origin === null || !origins.has(origin)) {
    throw apiError('SIGN_IN_WRONG_DOMAIN', {
      message: `The URI of the sign-in does not belong to this gateway; its origin must be ${[...origins].join(' or ')}.`,
    });
  }
  if (scheme !== undefined && !origins.has(`${scheme.toLowerCase()}://${domain.toLowerCase()}`)) {
    throw apiError('SIGN_IN_WRONG_DOMAIN', {
      message: `The sign-in contains the scheme ${JSON.stringify(scheme.slice(0, 20))}, which this gateway does not use.`,
    });
  }
}

function originOf(uri: string): string | null {
  try {
    const { origin, username, password } = new URL(uri);
    return username || password ? null : origin;
  } catch {
    return null;
  }
}

function checkTime({ message, timestamp }: SignIn, now: number): number {
  const issuedAt = moment(message.issuedAt);
  refuseFuture(issuedAt, 'Issued At', now);
  if (message.notBefore !== undefined) refuseFuture(moment(message.notBefore), 'Not Before', now);
  if (timestamp !== null) refuseFuture(timestamp, '"timestamp" (Unix milliseconds)', now);
  const until =
    message.expirationTime === undefined
      ? SIGN_IN_LIFETIME_MS + Math.min(issuedAt, timestamp ?? issuedAt)
      : moment(message.expirationTime);
  if (message.expirationTime !== undefined) {
    if (until <= issuedAt)
      throw apiError('SIGN_IN_EXPIRED', { message: 'The Expiration Time of the sign-in is not after its Issued At.' });
    if (until - issuedAt > LIFETIME_MS_MAX)
      throw apiError('SIGN_IN_EXPIRED', {
        message: 'The sign-in has a lifetime of more than 24 hours, from Issued At to Expiration Time.',
      });
  }
  if (message.notBefore !== undefined && moment(message.notBefore) >= until) {
    throw apiError('SIGN_IN_EXPIRED', {
      message: 'The sign-in is never valid: its "Not Before" time is at or after its expiry.',
    });
  }
  if (until <= now) {
    const limit =
      message.expirationTime === undefined
        ? 'a message without an Expiration Time is valid for 10 minutes'
        : 'its Expiration Time has passed';
    throw apiError('SIGN_IN_EXPIRED', { message: `The sign-in expired ${ago(now - until)}: ${limit}.` });
  }
  // Checked after the expiry, because a corrected timestamp does not help an expired message.
  if (
    message.expirationTime !== undefined &&
    timestamp !== null &&
    (timestamp < issuedAt - CLOCK_SKEW_MS || timestamp > until)
  ) {
    throw apiError('SIGN_IN_EXPIRED', {
      message:
        'The "timestamp" of the sign-in (Unix milliseconds) is not between its Issued At and its Expiration Time.',
    });
  }
  return until;
}

function refuseFuture(at: number, field: string, now: number): void {
  if (at <= now + CLOCK_SKEW_MS) return;
  throw apiError('SIGN_IN_NOT_YET_VALID', {
    message: `The ${field} of the sign-in is ${Math.ceil((at - now) / 1000)} s in the future; at most 60 s are allowed for clocks that differ.`,
  });
}

function ago(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s ago` : `${Math.round(seconds / 60)} minutes ago`;
}

/** @returns Unix milliseconds */
function moment(text: string): number {
  const at = parseDateTime(text);
  if (at === null) throw new Error('The message was not parsed.');
  return at;
}

/**
 * Converts configured chains to CAIP-2.
 *
 * @throws {RangeError} for an invalid chain
 */
export function acceptedChainIds(chainIds: readonly (string | number)[]): Set<string> {
  return new Set(
    chainIds.map((chainId) => {
      const caip2 = canonicalChainId(chainId);
      if (caip2 === null) throw new RangeError(`${JSON.stringify(chainId)} is not a valid chain.`);
      return caip2;
    }),
  );
}
