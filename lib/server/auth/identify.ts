import { apiError } from '@/lib/protocol/errors';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import type { Awaitable, Caller, KeyStanding } from '../billing/meter';
import { hashApiKey } from '../db/api-keys';
import { discoveryError } from './discovery';

/** A caller whose credential holds. */
export interface IdentifiedCaller extends Caller {
  /** Hash of the API key, to look at it once more when reserving. */
  keyHash: string | null;
  /** The wallet that signed in, in the form that `walletKey` gives; null for callers with a key. */
  wallet: string | null;
}

/** A caller who signed in with a wallet. */
export interface WalletCaller extends IdentifiedCaller {
  wallet: string;
}

/** In place of the account of a wallet that has none: no row has this number, so nothing is there and nothing is paid. */
export const NO_ACCOUNT = 0;

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/**
 * Says who is calling an endpoint that is paid for, from the headers alone: the body is not looked at. A key goes
 * before a sign-in. Whoever is known is told at once: an await costs a promise.
 * @throws ApiError 402 with x402 discovery where no credential is presented, 401 where one is and does not hold; for a
 *   wallet that is a contract 429 and 503 too, as `SignInVerifier.verify` says.
 */
export function identify(call: Call, gateway: Gateway): Awaitable<IdentifiedCaller> {
  const authorization = call.header('authorization');
  if (authorization !== null) return identifyKey(authorization, gateway);
  const signIn = signInHeader(call);
  if (signIn !== null) return identifySignIn(signIn, call, gateway);
  throw discoveryError(call, gateway);
}

/** The same at an endpoint that is not paid for: no credential is 401. */
export async function identifyCredential(call: Call, gateway: Gateway): Promise<IdentifiedCaller> {
  const authorization = call.header('authorization');
  if (authorization !== null) return identifyKey(authorization, gateway);
  const signIn = signInHeader(call);
  if (signIn !== null) return identifySignIn(signIn, call, gateway);
  throw apiError('UNAUTHORIZED');
}

/** The same where only a wallet's sign-in will do; a key beside it is not looked at. */
export async function identifyWallet(call: Call, gateway: Gateway): Promise<WalletCaller> {
  const signIn = signInHeader(call);
  if (signIn !== null) return identifySignIn(signIn, call, gateway);
  throw apiError('UNAUTHORIZED', { message: 'A wallet has to sign in here: the SIGN-IN-WITH-X header is missing.' });
}

function signInHeader(call: Call): string | null {
  return call.header('sign-in-with-x') ?? call.header('x-sign-in-with-x');
}

async function identifySignIn(header: string, call: Call, { signIn, meter }: Gateway): Promise<WalletCaller> {
  const verified = signIn.verify(header, call);
  const wallet = typeof verified === 'string' ? verified : await verified;
  const found = meter.findWallet(wallet, { willReserve: true });
  const accountId = found instanceof Promise ? await found : found;
  return { accountId: accountId ?? NO_ACCOUNT, apiKeyId: null, purse: 'x402', keyHash: null, wallet };
}

function identifyKey(authorization: string, { meter }: Gateway): Awaitable<IdentifiedCaller> {
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw apiError('INVALID_AUTHORIZATION');
  const keyHash = hashApiKey(secret);
  const found = meter.findKey(keyHash, { willReserve: true });
  return found instanceof Promise ? found.then((key) => callerWith(key, keyHash)) : callerWith(found, keyHash);
}

function callerWith(key: KeyStanding | null, keyHash: string): IdentifiedCaller {
  if (!key) throw apiError('INVALID_API_KEY');
  if (key.revokedAt !== null) throw apiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt <= Date.now()) throw apiError('API_KEY_EXPIRED');
  return { accountId: key.accountId, apiKeyId: key.id, purse: 'account', keyHash, wallet: null };
}
