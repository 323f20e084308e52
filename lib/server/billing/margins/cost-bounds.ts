/** Price and cost of each kind of unit, such as input and output tokens. Both are in nano-USD for `per` units. */
export interface UnitCosts {
  per: number;
  kinds: readonly { price: number; cost: number }[];
}

const FLOAT_ERROR = 1e-9;

interface Sold {
  charges: number;
  units: number;
  chargedNanoUsd: number;
}

/**
 * Returns the lowest and the highest possible cost of sold units. The kinds of the units are unknown, but the amount
 * charged rules out most mixtures of kinds. With two kinds, only one mixture fits. If none fits, for example after a
 * price change, considers all mixtures.
 */
export function costBounds({ per, kinds }: UnitCosts, { charges, units, chargedNanoUsd }: Sold) {
  if (units === 0) return { least: 0, most: 0 };
  const average = averagePrice(kinds, { charges, units, chargedNanoUsd }, per);
  const costs = average === null ? kinds.map(({ cost }) => cost) : possibleCosts(kinds, average);
  const amountOf = (cost: number): number => Math.round((units / per) * cost);
  return { least: amountOf(Math.min(...costs)), most: amountOf(Math.max(...costs)) };
}

/**
 * Returns the average price; null if no mixture of kinds has this price. Each charge may have been rounded up by less
 * than 1 nano-USD.
 */
function averagePrice(kinds: UnitCosts['kinds'], { charges, units, chargedNanoUsd }: Sold, per: number): number | null {
  const prices = kinds.map(({ price }) => price);
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const average = (chargedNanoUsd / units) * per;
  const inexact = highest * FLOAT_ERROR;
  if (average < lowest - inexact || average - (charges / units) * per > highest + inexact) return null;
  return Math.max(lowest, Math.min(average, highest));
}

/** Returns the costs of mixtures of at most two kinds. They include the lowest and the highest cost of any mixture. */
function possibleCosts(kinds: UnitCosts['kinds'], average: number): number[] {
  return kinds.flatMap((one, index) => [
    ...(one.price === average ? [one.cost] : []),
    ...kinds.slice(index + 1).flatMap((other) => {
      const share = (average - one.price) / (other.price - one.price);
      return share >= 0 && share <= 1 ? [one.cost + share * (other.cost - one.cost)] : [];
    }),
  ]);
}
