/** Amounts as the console writes them: with their unit, in figures that line up. */

/** Milliseconds as people read them: `0.42 ms`, `12 ms`, `1.25 s`. */
export function formatDuration(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/**
 * A number, its thousands apart: `12,000`, `0.25`. Written here because the first use of `Intl` costs a phone some
 * 50 ms (docs/decisions.md, 249).
 */
export function formatCount(count: number | bigint): string {
  return String(count).replace(/^-?\d+/, grouped);
}

/** `1 credit`, `20 credits`, `12,000 credits`. */
export function formatCredits(credits: number): string {
  return `${formatCount(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}

/** A decimal text of dollars without the zeros at its end, but with cents: `$0.000014`, `$1,250.50`, `-$1.50`. */
export function formatCost(costUsd: string): string {
  const [whole = '0', fraction = ''] = costUsd.replace('-', '').split('.');
  return `${costUsd.startsWith('-') ? '-' : ''}$${grouped(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Dollars that arrived as a JSON number, to the ninth place at most: `$0.000014`, `$1,250.00`. */
export function formatUsdNumber(usd: number): string {
  return formatCost(usd.toFixed(9));
}

/**
 * What somebody has, wherever a balance is shown: `$10.00`, `$9.9997` where it is no whole number of cents; cut and never
 * rounded up, so that nobody is promised what is not there. Four places, because a call costs some ten-thousandths of a
 * dollar, and one that took a whole cent off what is shown would look a hundred times as dear as it is.
 */
export function formatBalance(usd: number): string {
  const shown = Math.floor(toMicroUsd(usd) / MICRO_USD_PER_LAST_PLACE);
  return usd > 0 && shown === 0 ? 'under $0.0001' : formatCost((shown / 10_000).toFixed(4));
}

const MICRO_USD_PER_LAST_PLACE = 100;

/** Below a millionth, the digits of a double are noise; a cost that is less still costs something. */
export function toMicroUsd(usd: number): number {
  return usd > 0 ? Math.max(1, Math.round(usd * 1_000_000)) : 0;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
