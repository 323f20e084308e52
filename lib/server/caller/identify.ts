import { apiError } from '@/lib/protocol/errors';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import type { Caller } from '../metering/meter';
import { hashApiKey } from '../store/api-keys';
import { discoveryError } from './discovery';

/** A caller whose credential holds. */
export interface IdentifiedCaller extends Caller {
  /** Hash of the API key, to look at it once more when reserving. */
  keyHash: string | null;
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/**
 * Says who is calling an endpoint that is paid for, from the headers alone: the body is not looked at.
 * @throws ApiError 402 with x402 discovery where no credential is presented, 401 where one is and does not hold.
 */
export async function identify(call: Call, gateway: Gateway): Promise<IdentifiedCaller> {
  const authorization = call.header('authorization');
  if (authorization !== null) return identifyKey(authorization, gateway);
  if (call.header('sign-in-with-x') !== null || call.header('x-sign-in-with-x') !== null) throw apiError('SIGN_IN_NOT_ACCEPTED');
  throw discoveryError(call, gateway);
}

async function identifyKey(authorization: string, { meter }: Gateway): Promise<IdentifiedCaller> {
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw apiError('INVALID_AUTHORIZATION');
  const keyHash = hashApiKey(secret);
  const found = meter.findKey(keyHash, { willReserve: true });
  const key = found instanceof Promise ? await found : found;
  if (!key) throw apiError('INVALID_API_KEY');
  if (key.revokedAt !== null) throw apiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt <= Date.now()) throw apiError('API_KEY_EXPIRED');
  return { accountId: key.accountId, apiKeyId: key.id, purse: 'account', keyHash };
}
