import { keysWords } from '../words/keys';

const words = keysWords.amount;

/** What a person typed as an amount of a token. */
export type TypedAmount = { ok: true; amount: bigint } | { ok: false; sentence: string };

export interface AmountBounds {
  decimals: number;
  symbol: string;
  /** In base units; null where it is not known yet. */
  max: bigint | null;
  /** What the maximum is: `in the wallet`, `staked`. */
  maxIs: string;
}

/** Reads an amount in whole tokens. Refuses zero, more places than the token has, and more than there is. */
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

/** What was typed in whole tokens, in base units; null for what is no amount, or has more places than the token. */
export function parseToken(text: string, decimals: number): bigint | null {
  const trimmed = text.trim();
  if (!AMOUNT.test(trimmed) || (trimmed.split('.')[1] ?? '').length > decimals) return null;
  const [whole = '', fraction = ''] = trimmed.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const PLACES_SHOWN = 6;

/** An amount of base units in whole tokens, grouped, cut (not rounded) after six places: `1,234.5`. */
export function formatToken(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = plainToken(amount, decimals).split('.');
  const shown = fraction.slice(0, PLACES_SHOWN).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  if (amount > 0n && whole === '0' && shown === '') return `<0.${'0'.repeat(PLACES_SHOWN - 1)}1`;
  return shown === '' ? grouped : `${grouped}.${shown}`;
}

/** The whole amount of base units, from zero, as somebody would type it: `1234.5`. */
export function plainToken(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === ''
    ? digits.slice(0, digits.length - decimals)
    : `${digits.slice(0, digits.length - decimals)}.${fraction}`;
}
