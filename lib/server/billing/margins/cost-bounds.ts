/** Price and cost of each kind of unit, such as input and output tokens: nano-USD per `per` units. */
export interface UnitCosts {
  per: number;
  kinds: readonly { price: number; cost: number }[];
}

/** Relative error that division leaves in an average. */
const FLOAT_ERROR = 1e-9;

interface Sold {
  charges: number;
  units: number;
  chargedNanoUsd: number;
}

/**
 * Returns bounds in nano-USD of what sold units cost. The daily sums hold the number of units but not their kinds. The
 * amount charged limits which mixtures of kinds are possible: with two prices there is one mixture, so both bounds are
 * equal. If no mixture has this amount, as after a change of prices, every mixture counts as possible.
 */
export function costBounds({ per, kinds }: UnitCosts, { charges, units, chargedNanoUsd }: Sold) {
  if (units === 0) return { least: 0, most: 0 };
  const average = averagePrice(kinds, { charges, units, chargedNanoUsd }, per);
  const costs = average === null ? kinds.map(({ cost }) => cost) : possibleCosts(kinds, average);
  const amountOf = (cost: number): number => Math.round((units / per) * cost);
  return { least: amountOf(Math.min(...costs)), most: amountOf(Math.max(...costs)) };
}

/** Returns the average price of the units; null if no mixture of kinds has it. Each charge was rounded up by less than 1. */
function averagePrice(kinds: UnitCosts['kinds'], { charges, units, chargedNanoUsd }: Sold, per: number): number | null {
  const prices = kinds.map(({ price }) => price);
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const average = (chargedNanoUsd / units) * per;
  const inexact = highest * FLOAT_ERROR;
  if (average < lowest - inexact || average - (charges / units) * per > highest + inexact) return null;
  return Math.max(lowest, Math.min(average, highest));
}

/** Returns the costs of the extreme mixtures with an average price. Each of these has at most two kinds. */
function possibleCosts(kinds: UnitCosts['kinds'], average: number): number[] {
  return kinds.flatMap((one, index) => [
    ...(one.price === average ? [one.cost] : []),
    ...kinds.slice(index + 1).flatMap((other) => {
      const share = (average - one.price) / (other.price - one.price);
      return share >= 0 && share <= 1 ? [one.cost + share * (other.cost - one.cost)] : [];
    }),
  ]);
}
