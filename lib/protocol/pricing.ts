import type { Network } from './networks';
import type { RpcMethod, Tier } from './rpc-methods/rpc-method';

/** What a tier multiplies a network's base credits with (spec, RPC proxy rule 2). */
export const TIER_MULTIPLIER: Readonly<Record<Tier, number>> = Object.freeze({ standard: 1, advanced: 2, large: 4 });

/** Credits of an item that is answered with a JSON-RPC error, on every network and tier (rule 5). */
export const ERROR_CREDITS = 5;

/**
 * An amount of US dollars in billionths, as a safe integer: sums and products stay exact up to
 * 2^53 - 1, about 9,007,199 USD.
 */
export type NanoUsd = number;

/** 7e-7 USD a credit, unless the operator sets another price. */
export const DEFAULT_PRICE_PER_CREDIT_NANO_USD: NanoUsd = 700;

/** The decimal places of the cost header (spec, Limits: cost header precision). */
export const COST_HEADER_DECIMALS = 8;

const NANO_DECIMALS = 9;
const NANO_PER_USD = 1_000_000_000n;

/** Credits of one successful call: the network's base credits times the tier's multiplier (rule 4). */
export function creditsOf(network: Pick<Network, 'baseCredits'>, method: Pick<RpcMethod, 'tier'>): number {
  return network.baseCredits * TIER_MULTIPLIER[method.tier];
}

/**
 * The exact cost of some credits.
 *
 * @param credits a whole number from 0
 * @param pricePerCreditNanoUsd a whole number from 0
 * @throws {RangeError} where a factor or the product is not a safe integer from 0
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
 * An amount as a plain decimal string of dollars, as `0.00001400`: no sign but a minus, no grouping,
 * no exponent. Rounded to `decimals` places half away from zero, so that a refund shows as the
 * negative of its charge; what rounds to zero has no sign.
 *
 * @param decimals places after the point, a whole number from 0 to 9 (9 is exact)
 * @throws {RangeError} where the amount is not a safe integer or the places are out of range
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

const DECIMAL_USD = /^(?<whole>0|[1-9]\d{0,15})(?:\.(?<fraction>\d{1,9}))?$/;

/**
 * The amount that a plain decimal string of dollars states, exactly.
 *
 * @param text digits, at most 9 of them after a point, with no sign, exponent, grouping, blank or
 *   leading zero
 * @throws {RangeError} saying what is expected, where the text is anything else or the amount is over
 *   the bound of {@link NanoUsd}
 */
export function parseUsd(text: string): NanoUsd {
  const groups = DECIMAL_USD.exec(text)?.groups;
  if (groups === undefined) {
    throw new RangeError('An amount in USD is written in digits with at most 9 decimals, as 12 or 0.50.');
  }
  const fraction = (groups['fraction'] ?? '').padEnd(NANO_DECIMALS, '0');
  const nano = BigInt(groups['whole'] ?? '') * NANO_PER_USD + BigInt(fraction);
  if (nano > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`An amount in USD is at most ${formatUsd(Number.MAX_SAFE_INTEGER, NANO_DECIMALS)}.`);
  }
  return Number(nano);
}

/** An amount for people: at least cents, and as many further places as it has, as `0.00`, `1.50` or `0.000014`. */
export function spokenUsd(nanoUsd: NanoUsd): string {
  return formatUsd(nanoUsd, NANO_DECIMALS).replace(/(\.\d\d\d*?)0+$/, '$1');
}
