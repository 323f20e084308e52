import type { Network } from './networks';
import type { RpcMethod, Tier } from './rpc-methods/rpc-method';

/** Factor by tier that multiplies a network's base credits (spec, RPC proxy rule 2). */
export const TIER_MULTIPLIER: Readonly<Record<Tier, number>> = Object.freeze({ standard: 1, advanced: 2, large: 4 });

/** Number of credits that a JSON-RPC error costs on any network and tier (rule 5). */
export const ERROR_CREDITS = 5;

/** US dollars in billionths, as a safe integer: at most about 9,007,199 USD. */
export type NanoUsd = number;

export const DEFAULT_PRICE_PER_CREDIT_NANO_USD: NanoUsd = 700;

/** Number of decimals in the cost header (spec, Limits: cost header precision). */
export const COST_HEADER_DECIMALS = 8;

export const NANO_DECIMALS = 9;
const NANO_PER_USD = 1_000_000_000n;

/** Returns the credits of a successful call: base credits times tier multiplier (rule 4). */
export function creditsOf(network: Pick<Network, 'baseCredits'>, method: Pick<RpcMethod, 'tier'>): number {
  return network.baseCredits * TIER_MULTIPLIER[method.tier];
}

/**
 * Computes the exact cost of credits.
 *
 * @param credits non-negative integer
 * @param pricePerCreditNanoUsd non-negative integer
 * @throws {RangeError} if an argument or the product is negative or not a safe integer
 */
export function costNanoUsd(credits: number, pricePerCreditNanoUsd: NanoUsd): NanoUsd {
  const cost = credits * pricePerCreditNanoUsd;
  for (const value of [credits, pricePerCreditNanoUsd, cost]) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`${credits} credits at ${pricePerCreditNanoUsd} nano-USD have no exact cost.`);
    }
  }
  return cost;
}

/**
 * Formats dollars as a plain decimal, such as `0.00001400`. Rounds half away from zero, so that a refund is the
 * negative of its charge. Zero has no sign.
 *
 * @param decimals number of decimals, from 0 to 9 (9 is exact)
 * @throws {RangeError} if the amount is not a safe integer, or `decimals` is out of range
 */
export function formatUsd(nanoUsd: NanoUsd, decimals: number): string {
  if (!Number.isSafeInteger(nanoUsd)) throw new RangeError(`${nanoUsd} is not a whole number of nano-USD.`);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > NANO_DECIMALS) {
    throw new RangeError(`An amount has 0 to ${NANO_DECIMALS} decimals, not ${decimals}.`);
  }
  const unit = 10n ** BigInt(NANO_DECIMALS - decimals);
  const magnitude = BigInt(Math.abs(nanoUsd));
  const rounded = (magnitude + unit / 2n) / unit;
  const digits = rounded.toString().padStart(decimals + 1, '0');
  const sign = nanoUsd < 0 && rounded > 0n ? '-' : '';
  const point = digits.length - decimals;
  return sign + digits.slice(0, point) + (decimals > 0 ? `.${digits.slice(point)}` : '');
}

export const DECIMAL_USD = /^(?<whole>0|[1-9]\d{0,15})(?:\.(?<fraction>\d{1,9}))?$/;

/**
 * Parses a plain decimal amount of dollars exactly; null if it is invalid.
 *
 * @param text amount with at most 9 decimals, with no sign, exponent, grouping, space or leading zero
 */
export function readUsd(text: string): NanoUsd | null {
  const { whole, fraction = '' } = DECIMAL_USD.exec(text)?.groups ?? {};
  if (whole === undefined) return null;
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(NANO_DECIMALS, '0'));
  return nano > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(nano);
}

/** Formats an amount for display, with at least 2 decimals and no other trailing zeros: `0.00`, `1.50`, `0.000014`. */
export function spokenUsd(nanoUsd: NanoUsd): string {
  return formatUsd(nanoUsd, NANO_DECIMALS).replace(/(\.\d\d\d*?)0+$/, '$1');
}
