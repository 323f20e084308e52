import { formatUsd, type NanoUsd } from '@/lib/protocol/pricing';
import { nanoUsdOfNumber } from '@/lib/protocol/usd-number';
import { TurnpikeError } from './turnpike-error';

/** How much a client may move from its wallet to the gateway by itself. */
export interface Budget {
  /** No top-up is made for a call that can cost more; no limit unless given. */
  perCallUsd?: number;
  /** The most that all top-ups within any 24 hours come to. */
  perDayUsd: number;
  /** What one top-up pays in; the gateway's minimum unless given. */
  topUpUsd?: number;
}

/** The same in nano-USD; null for what is not limited or not chosen. */
export interface BudgetLimits {
  perCallNanoUsd: NanoUsd | null;
  perDayNanoUsd: NanoUsd;
  topUpNanoUsd: NanoUsd | null;
}

/** What of a budget a top-up would exceed. */
export type BudgetLimit = keyof Budget;

/** A base unit of USDC, which has 6 decimals. */
export const NANO_PER_BASE_UNIT = 1_000;

/** Reads a budget as its caller wrote it. @throws {TurnpikeError} BUDGET_INVALID, naming the limit */
export function readBudget(budget: Budget): BudgetLimits {
  if (typeof budget !== 'object' || budget === null) throw new TurnpikeError('BUDGET_INVALID');
  const topUpNanoUsd = limit(budget, 'topUpUsd');
  if (topUpNanoUsd !== null && (topUpNanoUsd === 0 || topUpNanoUsd % NANO_PER_BASE_UNIT !== 0))
    throw invalid('topUpUsd', budget.topUpUsd);
  const perDayNanoUsd = limit(budget, 'perDayUsd');
  if (perDayNanoUsd === null) throw invalid('perDayUsd', budget.perDayUsd);
  return { perCallNanoUsd: limit(budget, 'perCallUsd'), perDayNanoUsd, topUpNanoUsd };
}

/** The refusal of a top-up that would exceed a limit. */
export function budgetExceeded(
  limitName: BudgetLimit,
  limitNanoUsd: NanoUsd,
  wouldBeNanoUsd: NanoUsd,
  what: string,
): TurnpikeError {
  const excess = formatUsd(wouldBeNanoUsd - limitNanoUsd, 9).replace(/\.?0+$/, '');
  return new TurnpikeError('BUDGET_EXCEEDED', {
    message: `${what} ${usdText(wouldBeNanoUsd)} USD, which is ${excess} USD more than ${limitName} allows (${usdText(limitNanoUsd)} USD). Nothing was signed.`,
    detail: {
      limit: limitName,
      limitUsd: limitNanoUsd / 1e9,
      wouldBeUsd: wouldBeNanoUsd / 1e9,
      excessUsd: (wouldBeNanoUsd - limitNanoUsd) / 1e9,
    },
  });
}

/** An amount for people: cents, and beyond them what is there. */
export function usdText(nanoUsd: NanoUsd): string {
  return formatUsd(nanoUsd, 9).replace(/(\.\d\d\d*?)0+$/, '$1');
}

function limit(budget: Budget, name: BudgetLimit): NanoUsd | null {
  const value: unknown = budget[name];
  if (value === undefined) return null;
  if (typeof value !== 'number') throw invalid(name, value);
  try {
    return nanoUsdOfNumber(value);
  } catch (cause) {
    throw invalid(name, value, cause);
  }
}

function invalid(name: BudgetLimit, value: unknown, cause?: unknown): TurnpikeError {
  return new TurnpikeError('BUDGET_INVALID', {
    message: `${name} of the budget is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}, which is no amount that it can be.`,
    detail: { limit: name },
    cause,
  });
}
