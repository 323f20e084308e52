import { formatUsdNumber } from '../amounts';

/** Formats a sum for an overview: rounded to the cent if at least one dollar, else exact. Tables show all digits. */
export function formatSum(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return formatUsdNumber(usd >= 1 ? Math.round(usd * 100) / 100 : usd);
}
