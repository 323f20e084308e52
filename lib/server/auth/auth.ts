import { apiError } from '@/lib/protocol/errors';
import type { Call } from '../http/call';
import type { RequestRecord } from '../http/request-record';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import type { CallerLimiter } from '../http/rate-limit/caller-limiter';
import {
  type Awaitable,
  type CallerDirectory,
  type IdentifiedCaller,
  type KeyRecord,
  NO_ACCOUNT,
  type WalletCaller,
} from './caller';
import { KeyHashes } from './key-hashes';
import type { PaymentChallenge } from './payment-challenge';
import type { SignInVerifier } from './sign-in-verifier';

export interface AuthSettings {
  callers: CallerDirectory;
  signIn: Pick<SignInVerifier, 'verify'>;
  /** Asks whoever presents no credential to pay. */
  challenge: Pick<PaymentChallenge, 'discovery'>;
  /** Of one caller to endpoints other than the RPC proxy. */
  callerLimiter: CallerLimiter;
  /** The same of wallets without an account, by client address. */
  strangerLimiter: AddressLimiter;
  now: () => number;
}

/** Says who is calling, from the headers alone: the body is not looked at. A key goes before a sign-in. */
export class Auth {
  readonly #keyHashes = new KeyHashes();

  constructor(private readonly settings: AuthSettings) {}

  /** Whether the call carries a key, good or bad. */
  hasKey(call: Call): boolean {
    return call.header('authorization') !== null;
  }

  /** Whether the call carries a wallet's sign-in, good or bad. */
  hasSignIn(call: Call): boolean {
    return signInHeader(call) !== null;
  }

  /**
   * Who calls an endpoint that is paid for. Whoever is known is told at once: an await costs a promise.
   * @param willReserve whether the call goes on to reserve, which looks at its key again; otherwise the key is read anew,
   *   since nothing else would notice that it was revoked a moment ago, at whichever gateway.
   * @throws ApiError 402 with x402 discovery where no credential is presented, 401 where one is and does not hold; for a
   *   wallet that is a contract 429 and 503 too, as `SignInVerifier.verify` says.
   */
  identify(call: Call, { willReserve } = { willReserve: true }): Awaitable<IdentifiedCaller> {
    const authorization = call.header('authorization');
    if (authorization !== null) return this.#identifyKey(authorization, call, willReserve);
    const signIn = signInHeader(call);
    if (signIn !== null) return this.#identifySignIn(signIn, call);
    throw this.settings.challenge.discovery(call, null);
  }

  /**
   * Reads a body that is charged nothing, and identifies its caller before it, so that a refusal costs no memory, and
   * after it: while a client holds its request open, its key may be revoked. Counted once by the cap of `limit`.
   */
  async identifyWithBody<Body>(
    call: Call,
    read: () => Promise<Body>,
  ): Promise<{ caller: IdentifiedCaller; body: Body }> {
    this.limit(await this.identify(call, { willReserve: false }), call);
    const body = await read();
    return { caller: await this.identify(call, { willReserve: false }), body };
  }

  /** Identifies the caller of an endpoint that is not paid for: no credential is 401. */
  async identifyCredential(call: Call): Promise<IdentifiedCaller> {
    const authorization = call.header('authorization');
    if (authorization !== null) return this.#identifyKey(authorization, call, false);
    const signIn = signInHeader(call);
    if (signIn !== null) return this.#identifySignIn(signIn, call);
    throw apiError('UNAUTHORIZED');
  }

  /**
   * Who reads an account's own records: these are neither charged nor refused for an empty balance, and have the
   * minute cap of every endpoint beside the RPC proxy.
   * @throws ApiError 401 without a credential or with one that does not hold, 429 beyond the cap.
   */
  async identifyReader(call: Call): Promise<IdentifiedCaller> {
    const caller = await this.identifyCredential(call);
    this.limit(caller, call);
    return caller;
  }

  /** The same where only a wallet's sign-in will do; a key beside it is not looked at. No cap is counted. */
  async identifyWallet(call: Call): Promise<WalletCaller> {
    const signIn = signInHeader(call);
    if (signIn !== null) return this.#identifySignIn(signIn, call);
    throw apiError('UNAUTHORIZED', {
      message: 'A wallet has to sign in here: the SIGN-IN-WITH-X header is missing.',
      hint: 'Send the sign-in of the wallet in the path; API keys are not accepted here.',
    });
  }

  /**
   * Counts a request of this caller to an endpoint other than the RPC proxy. A wallet without an account is counted by
   * the client's address: one is made up in a millisecond, and would have a minute of its own.
   * @throws ApiError 429 beyond the cap.
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

  /** Looks the caller's key up again. The key may have been restricted or revoked while the request was read. @throws ApiError 401 */
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
  // Of a key that has ended too, whose owner may ask about it.
  record.accountId = key.accountId;
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
