import { identifyCredential, type IdentifiedCaller, NO_ACCOUNT } from './identify';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';

/**
 * Says who reads an account's own records: these are neither charged nor refused for an empty balance, and have the
 * minute cap of every endpoint beside the RPC proxy.
 * @throws ApiError 401 without a credential or with one that does not hold, 429 beyond the cap.
 */
export async function identifyReader(call: Call, gateway: Gateway): Promise<IdentifiedCaller> {
  const caller = await identifyCredential(call, gateway);
  limitCaller(caller, gateway);
  return caller;
}

/** Counts a request of this caller to an endpoint other than the RPC proxy. @throws ApiError 429 beyond the cap. */
export function limitCaller({ accountId, wallet }: IdentifiedCaller, { callerLimiter, now }: Gateway): void {
  callerLimiter.take(accountId === NO_ACCOUNT && wallet !== null ? wallet : accountId, now());
}
