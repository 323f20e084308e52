import { formatUnits, parseUnits } from 'viem/utils';

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
  if (trimmed === '') return { ok: false, sentence: 'Enter an amount.' };
  if (!/^\d{1,30}(\.\d*)?$|^\.\d+$/.test(trimmed)) return { ok: false, sentence: 'An amount is digits, with a point before its fraction.' };
  if ((trimmed.split('.')[1] ?? '').length > decimals) return { ok: false, sentence: `${symbol} has ${decimals} places after the point.` };
  const amount = parseUnits(trimmed.startsWith('.') ? `0${trimmed}` : trimmed.replace(/\.$/, ''), decimals);
  if (amount === 0n) return { ok: false, sentence: 'Enter more than zero.' };
  if (max !== null && amount > max) return { ok: false, sentence: `Only ${formatToken(max, decimals)} ${symbol} ${maxIs}.` };
  return { ok: true, amount };
}

const PLACES_SHOWN = 6;

/** An amount of base units in whole tokens, grouped, cut (not rounded) after six places: `1,234.5`. */
export function formatToken(amount: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const shown = fraction.slice(0, PLACES_SHOWN).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  if (amount > 0n && whole === '0' && shown === '') return `<0.${'0'.repeat(PLACES_SHOWN - 1)}1`;
  return shown === '' ? grouped : `${grouped}.${shown}`;
}

/** The whole amount as somebody would type it. */
export function plainToken(amount: bigint, decimals: number): string {
  return formatUnits(amount, decimals);
}
