/** Formats milliseconds: `0.4 ms`, `12 ms`, `1.25 s`. */
export function formatDuration(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** Adds thousands separators: `12,000`, `0.25`. Avoids `Intl` (docs/decisions/console.md, 249). */
export function formatCount(count: number | bigint): string {
  return String(count).replace(/^-?\d+/, grouped);
}

export function formatCredits(credits: number): string {
  return `${formatCount(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}

/** Formats decimal USD without trailing zeros, but with cents: `$0.000014`, `$1,250.50`, `-$1.50`. */
export function formatCost(costUsd: string): string {
  const [whole = '0', fraction = ''] = costUsd.replace('-', '').split('.');
  return `${costUsd.startsWith('-') ? '-' : ''}$${grouped(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Formats USD from a JSON number, to nine decimal places at most: `$0.000014`, `$1,250.00`. */
export function formatUsdNumber(usd: number): string {
  return formatCost(usd.toFixed(9));
}

/**
 * Formats a balance: `$10.00`, or `$9.9997` if it includes a fraction of a cent. Truncates, so that the text
 * never exceeds the balance. Uses four places because a call costs ten-thousandths of a dollar.
 */
export function formatBalance(usd: number): string {
  const shown = Math.floor(Math.max(0, Math.round(usd * NANO_USD)) / NANO_USD_PER_LAST_PLACE);
  return usd > 0 && shown === 0 ? 'under $0.0001' : formatCost((shown / 10_000).toFixed(4));
}

const NANO_USD = 1_000_000_000;
const NANO_USD_PER_LAST_PLACE = 100_000;

/** Converts USD to micro-USD. Rounds, but never rounds a positive cost to zero. */
export function toMicroUsd(usd: number): number {
  return usd > 0 ? Math.max(1, Math.round(usd * 1_000_000)) : 0;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
