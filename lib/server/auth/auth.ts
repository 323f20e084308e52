import { apiError } from '@/lib/protocol/errors';
import { hashApiKey } from '../db/api-keys';
import type { Call } from '../http/call';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import type { CallerLimiter } from '../http/rate-limit/caller-limiter';
import type { RequestRecord } from '../http/request-record';
import { bearerSecret } from './bearer';
import {
  type Awaitable,
  type CallerDirectory,
  type IdentifiedCaller,
  type KeyRecord,
  NO_ACCOUNT,
  type WalletCaller,
} from './caller';
import type { PaymentChallenge } from './payment-challenge';
import type { SignInVerifier } from './sign-in-verifier';

const HEADERS_MAX = 10_000;
const HEADER_LENGTH_MAX = 600;

/** Caches hashes of recent keys, because hashing takes longer than the rest of a caller's identification. */
export class KeyHashes {
  readonly #hashes = new Map<string, string>();

  /** Returns the hash of the key in an Authorization header. @throws ApiError INVALID_AUTHORIZATION */
  of(authorization: string): string {
    return this.#hashes.get(authorization) ?? this.#read(authorization);
  }

  #read(authorization: string): string {
    const secret = bearerSecret(authorization);
    if (secret === undefined) throw apiError('INVALID_AUTHORIZATION');
    const hash = hashApiKey(secret);
    if (authorization.length > HEADER_LENGTH_MAX) return hash;
    if (this.#hashes.size >= HEADERS_MAX) this.#hashes.clear();
    // Copies the text, because a substring would keep the whole request head in memory.
    this.#hashes.set(Buffer.from(authorization, 'latin1').toString('latin1'), hash);
    return hash;
  }
}

interface AuthSettings {
  callers: CallerDirectory;
  signIn: Pick<SignInVerifier, 'verify'>;
  challenge: Pick<PaymentChallenge, 'discovery'>;
  callerLimiter: CallerLimiter;
  /** Limits wallets without an account, by client address. */
  strangerLimiter: AddressLimiter;
  now: () => number;
}

/**
 * Identifies callers by their request headers. A key takes precedence over a sign-in.
 *
 * The folder `auth` checks API keys and wallet sign-ins, mints keys and builds the 402. A sign-in is checked for host,
 * chain, time and signature. A contract wallet's signature is checked on its chain, with rate limits (see
 * `ContractChecks`). The database has only hashes of keys.
 */
export class Auth {
  readonly #keyHashes = new KeyHashes();

  constructor(private readonly settings: AuthSettings) {}

  /** Returns whether the call has an API key, valid or not. */
  hasKey(call: Call): boolean {
    return call.header('authorization') !== null;
  }

  hasSignIn(call: Call): boolean {
    return signInHeader(call) !== null;
  }

  /**
   * Identifies the caller of a paid endpoint. Returns a known caller synchronously, because a promise would cost time.
   * @param willReserve true if a reservation will check the key again; false to read the key from the database even if
   * it is cached
   * @throws ApiError 402 (x402 discovery) if there is no credential, 401 for an invalid credential; for a contract
   * wallet also 429 and 503 (see `SignInVerifier.verify`)
   */
  identify(call: Call, { willReserve } = { willReserve: true }): Awaitable<IdentifiedCaller> {
    const authorization = call.header('authorization');
    if (authorization !== null) return this.#identifyKey(authorization, call, willReserve);
    const signIn = signInHeader(call);
    if (signIn !== null) return this.#identifySignIn(signIn, call);
    throw this.settings.challenge.discovery(call, null, { isFree: !willReserve });
  }

  /**
   * Identifies the caller of a free endpoint and reads the body. Identifies the caller before reading, so that a
   * refused request uses no memory. Repeats this after reading, because the key may have been revoked in the meantime.
   * Counts one request toward `limit`.
   */
  async identifyWithBody<Body>(
    call: Call,
    read: () => Promise<Body>,
  ): Promise<{ caller: IdentifiedCaller; body: Body }> {
    this.limit(await this.identify(call, { willReserve: false }), call);
    const body = await read();
    return { caller: await this.identify(call, { willReserve: false }), body };
  }

  /** Identifies the caller of a free endpoint. @throws ApiError 401 without a credential */
  async identifyCredential(call: Call): Promise<IdentifiedCaller> {
    const authorization = call.header('authorization');
    if (authorization !== null) return this.#identifyKey(authorization, call, false);
    const signIn = signInHeader(call);
    if (signIn !== null) return this.#identifySignIn(signIn, call);
    throw apiError('UNAUTHORIZED');
  }

  /**
   * Identifies a caller who reads its own account's records. Accepts a caller with an empty balance.
   * @throws ApiError 401 without a valid credential, 429 above the minute cap, 503 (see `SignInVerifier.verify`)
   */
  async identifyReader(call: Call): Promise<IdentifiedCaller> {
    const caller = await this.identifyCredential(call);
    this.limit(caller, call);
    return caller;
  }

  /** Identifies a wallet by its sign-in. Ignores an API key. Counts the request toward no rate limit. */
  async identifyWallet(call: Call): Promise<WalletCaller> {
    const signIn = signInHeader(call);
    if (signIn !== null) return this.#identifySignIn(signIn, call);
    throw apiError('UNAUTHORIZED', {
      message: 'This endpoint needs a wallet sign-in, and the SIGN-IN-WITH-X header is missing.',
      hint: 'Sign in with the wallet that owns the money. This endpoint accepts no API keys.',
    });
  }

  /**
   * Counts a request toward the caller's limit. RPC calls with a credential have other caps. Counts wallets without an
   * account by client address, because anyone can make new wallets.
   * @throws ApiError 429 above the cap
   */
  limit({ accountId }: IdentifiedCaller, { clientIp }: Pick<Call, 'clientIp'>): void {
    const { callerLimiter, strangerLimiter, now } = this.settings;
    if (accountId === NO_ACCOUNT) strangerLimiter.take(clientIp, now());
    else callerLimiter.take(accountId, now());
  }

  async #identifySignIn(header: string, call: Call): Promise<WalletCaller> {
    const { signIn, callers } = this.settings;
    const verified = signIn.verify(header, call);
    const wallet = typeof verified === 'string' ? verified : await verified;
    const found = callers.findWallet(wallet, { willReserve: true });
    const accountId = found instanceof Promise ? await found : found;
    call.record.accountId = accountId;
    return { accountId: accountId ?? NO_ACCOUNT, apiKeyId: null, purse: 'x402', keyHash: null, wallet, allow: null };
  }

  /** Identifies the caller again, because its key may have been restricted or revoked. @throws ApiError 401 */
  identifyAgain(caller: IdentifiedCaller, call: Call): Awaitable<IdentifiedCaller> {
    return caller.keyHash === null ? caller : this.#findKey(caller.keyHash, call, true);
  }

  #identifyKey(authorization: string, call: Call, willReserve: boolean): Awaitable<IdentifiedCaller> {
    return this.#findKey(this.#keyHashes.of(authorization), call, willReserve);
  }

  #findKey(keyHash: string, { record }: Call, willReserve: boolean): Awaitable<IdentifiedCaller> {
    const found = this.settings.callers.findKey(keyHash, { willReserve });
    return found instanceof Promise
      ? found.then((key) => callerWith(key, keyHash, record))
      : callerWith(found, keyHash, record);
  }
}

function signInHeader(call: Call): string | null {
  return call.header('sign-in-with-x') ?? call.header('x-sign-in-with-x');
}

function callerWith(key: KeyRecord | null, keyHash: string, record: RequestRecord): IdentifiedCaller {
  if (!key) throw apiError('INVALID_API_KEY');
  // Records the account for revoked and expired keys too, so that the owner finds the request in the history.
  record.accountId = key.accountId;
  record.apiKeyId = key.id;
  if (key.revokedAt !== null) throw apiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt <= Date.now()) throw apiError('API_KEY_EXPIRED');
  return {
    accountId: key.accountId,
    apiKeyId: key.id,
    purse: key.limitPrepaid === null ? 'account' : 'all',
    keyHash,
    wallet: null,
    allow: key.allow,
  };
}
