'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { STAKING_POOL_KEY } from '@/lib/browser/reads/known-keys';
import { useRead } from '@/lib/browser/reads/use-read';
import { askStakingPool } from '@/lib/client';
import { dailyAmount, minimumStake, type PoolShare } from '@/lib/protocol/allocation/daily-amount';
import { keysWords } from '../words';

export { minimumStake } from '@/lib/protocol/allocation/daily-amount';

export interface AllocationOf extends PoolShare {
  dailyPoolUsd: number;
}

/**
 * Returns a stake's daily credits in USD: its share of the pool, or 0 below the minimum. The result is a float, for
 * display.
 */
export function dailyAllocationUsd({ dailyPoolUsd, ...share }: AllocationOf): number {
  return dailyAmount(share, Math.round(dailyPoolUsd * 1e9)) / 1e9;
}

/**
 * Returns what the allocation meter shows, in USD.
 * @param stake daily credits of the stake; null while unknown
 * @param fixed allocation that the gateway has fixed for today; 0 or null if it has fixed none
 * @param left unspent part of `fixed`; null while unknown, for example without a sign-in
 */
export function allocationMeter(
  stake: number | null,
  fixed: number | null,
  left: number | null,
): { today: number; shown: number; isLeft: boolean } | null {
  if (!fixed) return stake === null ? null : { today: stake, shown: stake, isLeft: false };
  return { today: fixed, shown: left ?? fixed, isLeft: left !== null };
}

export interface PoolFigures {
  total: bigint;
  decimals: number;
  dailyPoolUsd: number;
}

export type PlannedStake =
  | { ok: true; usdPerDay: number; /** Share of the pool, 0 to 1. */ share: number; isUnderMinimum: boolean }
  | { ok: false; sentence: string };

const PERCENT_PLACES = 1_000_000n;

/** Estimates the daily credits for an amount that the user would add to the total stake. */
export function plannedStake(text: string, { total, decimals, dailyPoolUsd }: PoolFigures): PlannedStake {
  const amount = parseToken(text, decimals);
  if (amount === null) return { ok: false, sentence: keysWords.amount.noAmount };
  const together = total + amount;
  const share = together === 0n ? 0 : Number((amount * PERCENT_PLACES) / together) / Number(PERCENT_PLACES);
  return {
    ok: true,
    usdPerDay: dailyAllocationUsd({ staked: amount, total: together, decimals, dailyPoolUsd }),
    share,
    isUnderMinimum: amount < minimumStake(decimals),
  };
}

/**
 * Reads the total stake for daily allocations. Needs no wallet. The data is null if the gateway does not offer staking.
 */
export function useStakingPool() {
  return useRead({ key: STAKING_POOL_KEY, read: (signal) => askStakingPool(gatewayOptions(), { signal }), retries: 1 });
}

const words = keysWords.amount;

type TypedAmount = { ok: true; amount: bigint } | { ok: false; sentence: string };

interface AmountBounds {
  decimals: number;
  symbol: string;
  max: bigint | null;
  maxIs: string;
}

/** Parses an amount in whole tokens. Refuses zero, amounts above `max`, and more decimals than the token has. */
export function readTypedAmount(text: string, { decimals, symbol, max, maxIs }: AmountBounds): TypedAmount {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, sentence: words.empty };
  if (!AMOUNT.test(trimmed)) return { ok: false, sentence: words.noAmount };
  const amount = parseToken(trimmed, decimals);
  if (amount === null) return { ok: false, sentence: words.tooManyPlaces(symbol, decimals) };
  if (amount === 0n) return { ok: false, sentence: words.zero };
  if (max !== null && amount > max)
    return { ok: false, sentence: words.tooMuch(formatToken(max, decimals), symbol, maxIs) };
  return { ok: true, amount };
}

const AMOUNT = /^\d{1,30}(\.\d*)?$|^\.\d+$/;

/** Converts whole tokens to base units; null if invalid or with more decimals than the token has. */
function parseToken(text: string, decimals: number): bigint | null {
  const trimmed = text.trim();
  if (!AMOUNT.test(trimmed) || (trimmed.split('.')[1] ?? '').length > decimals) return null;
  const [whole = '', fraction = ''] = trimmed.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const PLACES_SHOWN = 6;

/** Formats base units as whole tokens, grouped, truncated to six decimals: `1,234.5`. */
export function formatToken(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = plainToken(amount, decimals).split('.');
  const shown = fraction.slice(0, PLACES_SHOWN).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  if (amount > 0n && whole === '0' && shown === '') return `<0.${'0'.repeat(PLACES_SHOWN - 1)}1`;
  return shown === '' ? grouped : `${grouped}.${shown}`;
}

/** Formats an amount for an input field: `1234.5`. */
export function plainToken(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === ''
    ? digits.slice(0, digits.length - decimals)
    : `${digits.slice(0, digits.length - decimals)}.${fraction}`;
}
