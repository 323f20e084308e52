/** Amounts as the console writes them: with their unit, in figures that line up. */

/** Milliseconds as people read them: `0.42 ms`, `12 ms`, `1.25 s`. */
export function formatDuration(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** `1 credit`, `20 credits`, `12,000 credits`. */
export function formatCredits(credits: number): string {
  return `${credits.toLocaleString('en-US')} ${credits === 1 ? 'credit' : 'credits'}`;
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

/** What somebody has, wherever a balance is shown: `$9.99`, `under $0.01`; cut to the cent, so that nobody is promised what is not there. */
export function formatBalance(usd: number): string {
  if (usd > 0 && usd < 0.01) return 'under $0.01';
  return formatCost((Math.floor(toMicroUsd(usd) / MICRO_USD_PER_CENT) / 100).toFixed(2));
}

/** What somebody has, in a sentence: `0.00 USD`, `1,250.50 USD`; cut to the cent, so that nobody is promised what is not there. */
export function formatHeldUsd(usd: number): string {
  return usd > 0 && usd < 0.01 ? 'less than 0.01 USD' : centsAsMoney(Math.floor(toMicroUsd(usd) / MICRO_USD_PER_CENT));
}

/** What something can cost at most, as money is said: rounded up to the cent, so `0.01 USD` for the least. */
export function formatMostUsd(usd: number): string {
  return centsAsMoney(Math.ceil(toMicroUsd(usd) / MICRO_USD_PER_CENT));
}

const MICRO_USD_PER_CENT = 10_000;

/** Below a millionth, the digits of a double are noise; a cost that is less still costs something. */
function toMicroUsd(usd: number): number {
  return usd > 0 ? Math.max(1, Math.round(usd * 1_000_000)) : 0;
}

function centsAsMoney(cents: number): string {
  return `${grouped(String(Math.floor(cents / 100)))}.${String(cents % 100).padStart(2, '0')} USD`;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Bytes of a UTF-8 text, as `312 B`, `4.1 kB`, `2.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The whole number that an Ethereum quantity means, grouped; null for anything longer than 128 bits or not a quantity. */
export function readQuantity(text: string): string | null {
  return /^0x(0|[1-9a-f][0-9a-f]{0,31})$/.test(text) ? BigInt(text).toLocaleString('en-US') : null;
}
