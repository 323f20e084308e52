import { formatUsdNumber } from '../amounts';

/** A sum as it is read at a glance: to the cent from a dollar on, below it as exact as it is. Tables have every digit. */
export function formatSum(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return formatUsdNumber(usd >= 1 ? Math.round(usd * 100) / 100 : usd);
}
