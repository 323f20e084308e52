import { formatUsd, type NanoUsd } from '@/lib/protocol/pricing';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { TurnpikeError } from './turnpike-error';

/** Limits on the amount that a client may pay from its wallet without asking. */
export interface Budget {
  /** The client tops up only for calls that cost at most this amount. Default: no limit. */
  perCallUsd?: number;
  /** Maximum total of top-ups within any 24 hours. */
  perDayUsd: number;
  /** Amount of one top-up. Default: the call's shortfall, at least the gateway's minimum. */
  topUpUsd?: number;
}

/** Limits in nano-USD; null for no limit. */
export interface BudgetLimits {
  perCallNanoUsd: NanoUsd | null;
  perDayNanoUsd: NanoUsd;
  topUpNanoUsd: NanoUsd | null;
}

export type BudgetLimit = keyof Budget;

/** Nano-USD per base unit of USDC, which has 6 decimals. */
export const NANO_PER_BASE_UNIT = 1_000;

/** Validates a budget. @throws {TurnpikeError} BUDGET_INVALID, which names the limit */
export function readBudget(budget: Budget): BudgetLimits {
  if (typeof budget !== 'object' || budget === null) throw new TurnpikeError('BUDGET_INVALID');
  const topUpNanoUsd = limit(budget, 'topUpUsd');
  if (topUpNanoUsd !== null && (topUpNanoUsd === 0 || topUpNanoUsd % NANO_PER_BASE_UNIT !== 0))
    throw invalid('topUpUsd', budget.topUpUsd);
  const perDayNanoUsd = limit(budget, 'perDayUsd');
  if (perDayNanoUsd === null) throw invalid('perDayUsd', budget.perDayUsd);
  return { perCallNanoUsd: limit(budget, 'perCallUsd'), perDayNanoUsd, topUpNanoUsd };
}

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

/** Formats an amount for people, with at least two decimals. */
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
    message: `The budget's ${name} is not a valid amount: ${typeof value === 'string' ? JSON.stringify(value) : String(value)}.`,
    detail: { limit: name },
    cause,
  });
}
