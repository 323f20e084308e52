import { keysWords } from '../words';

const words = keysWords.amount;

export type TypedAmount = { ok: true; amount: bigint } | { ok: false; sentence: string };

export interface AmountBounds {
  decimals: number;
  symbol: string;
  max: bigint | null;
  maxIs: string;
}

/** Parses an amount in whole tokens. Refuses zero, amounts above `max`, and more decimals than the token has. */
export function readTypedAmount(text: string, { decimals, symbol, max, maxIs }: AmountBounds): TypedAmount {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, sentence: words.empty };
  if (!AMOUNT.test(trimmed)) return { ok: false, sentence: words.noAmount };
  const amount = parseToken(trimmed, decimals);
  if (amount === null) return { ok: false, sentence: words.tooManyPlaces(symbol, decimals) };
  if (amount === 0n) return { ok: false, sentence: words.zero };
  if (max !== null && amount > max)
    return { ok: false, sentence: words.tooMuch(formatToken(max, decimals), symbol, maxIs) };
  return { ok: true, amount };
}

const AMOUNT = /^\d{1,30}(\.\d*)?$|^\.\d+$/;

/** Converts whole tokens to base units; null if invalid or with more decimals than the token has. */
export function parseToken(text: string, decimals: number): bigint | null {
  const trimmed = text.trim();
  if (!AMOUNT.test(trimmed) || (trimmed.split('.')[1] ?? '').length > decimals) return null;
  const [whole = '', fraction = ''] = trimmed.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const PLACES_SHOWN = 6;

/** Formats base units as whole tokens, grouped, truncated to six decimals: `1,234.5`. */
export function formatToken(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = plainToken(amount, decimals).split('.');
  const shown = fraction.slice(0, PLACES_SHOWN).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  if (amount > 0n && whole === '0' && shown === '') return `<0.${'0'.repeat(PLACES_SHOWN - 1)}1`;
  return shown === '' ? grouped : `${grouped}.${shown}`;
}

/** Formats an amount for an input field: `1234.5`. */
export function plainToken(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === ''
    ? digits.slice(0, digits.length - decimals)
    : `${digits.slice(0, digits.length - decimals)}.${fraction}`;
}
