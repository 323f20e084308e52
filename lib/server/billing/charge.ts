import type { ApiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import type { Admission, Awaitable, Refusal, ReserveRequest } from './meter';
import { balanceError, refusalError } from './refusal-error';
import { type IdentifiedCaller, NO_ACCOUNT } from '../auth/identify';
import { walletBalanceError } from './wallet-balance-error';

/**
 * What a caller could spend at most, in nano-USD; a wallet without an account has nothing. As current as the meter's.
 * The daily allocation of whoever pays from an account's pots is fixed before, if it is not yet.
 */
export function spendableOf(caller: IdentifiedCaller, { meter, allocations }: Gateway): Awaitable<number> {
  if (caller.accountId === NO_ACCOUNT) return 0;
  const fixing = caller.purse === 'account' ? allocations.ensure(caller.accountId) : undefined;
  return fixing ? fixing.then(() => meter.spendable(caller, { willReserve: true })) : meter.spendable(caller, { willReserve: true });
}

/** Admits a call of an identified caller, or says why not; a wallet without an account has too little. */
export function reserveFor(caller: IdentifiedCaller, request: Omit<ReserveRequest, 'caller' | 'keyHash'>, { meter, allocations }: Gateway): Awaitable<Admission> {
  if (caller.accountId === NO_ACCOUNT) return { outcome: 'refused', refusal: { reason: 'balance', spendableNanoUsd: 0 } };
  // Written out: copying by spread is slow, and its result has a shape for each kind of request.
  const { maxNanoUsd, maxCredits, uncapped = false, deferrable = false, idempotency, now } = request;
  const whole = { caller, keyHash: caller.keyHash, maxNanoUsd, maxCredits, uncapped, deferrable, idempotency, now };
  const fixing = caller.purse === 'account' ? allocations.ensure(caller.accountId) : undefined;
  return fixing ? fixing.then(() => meter.reserve(whole)) : meter.reserve(whole);
}

/**
 * The answer to a call that was not admitted, in the form for its caller: wallets are told how to top up.
 * @param costNanoUsd the most that it can cost.
 */
export function notAdmitted(refusal: Refusal, caller: IdentifiedCaller, costNanoUsd: number, call: Call, gateway: Gateway): ApiError {
  return refusal.reason === 'balance' ? tooLittle(refusal.spendableNanoUsd, caller, costNanoUsd, call, gateway) : refusalError(refusal, costNanoUsd, gateway.now());
}

/** 402 for a caller who cannot pay. @param costNanoUsd what was asked for; null where that is not known. */
export function tooLittle(spendableNanoUsd: number, caller: IdentifiedCaller, costNanoUsd: number | null, call: Call, gateway: Gateway): ApiError {
  return caller.wallet === null ? balanceError(spendableNanoUsd, costNanoUsd) : walletBalanceError(call, gateway, spendableNanoUsd, costNanoUsd);
}

const BALANCE_DECIMALS = 6;
const NANO_PER_LAST_PLACE = 1_000;

/** X-Balance-Remaining for callers who signed in with a wallet: USD, rounded down; no header for others. */
export function balanceHeader({ wallet }: IdentifiedCaller, remainingNanoUsd: number): Record<string, string> {
  if (wallet === null) return {};
  return { 'x-balance-remaining': formatUsd(remainingNanoUsd - (remainingNanoUsd % NANO_PER_LAST_PLACE), BALANCE_DECIMALS) };
}
