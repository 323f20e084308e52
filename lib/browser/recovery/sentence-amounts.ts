import { formatCount, formatUsdNumber, toMicroUsd } from '../amounts';

const MICRO_USD_PER_CENT = 10_000;

/**
 * Formats a balance for a sentence: `0.00 USD`, `1,250.50 USD`. Truncates to the cent, so that the text never exceeds
 * the balance.
 */
export function formatHeldUsd(usd: number): string {
  return usd > 0 && usd < 0.01 ? 'less than 0.01 USD' : centsAsMoney(Math.floor(toMicroUsd(usd) / MICRO_USD_PER_CENT));
}

/** Formats a maximum cost with all digits: `0.000014 USD`. */
export function formatMostUsd(usd: number): string {
  return `${formatUsdNumber(usd).slice(1)} USD`;
}

function centsAsMoney(cents: number): string {
  return `${formatCount(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')} USD`;
}
