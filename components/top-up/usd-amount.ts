import { formatUnits } from '@/lib/browser/wallet/pay-rails';
import { topUpWords } from './words';

const words = topUpWords.amount.problems;

export type TypedUsd =
  | {
      ok: true;
      units: bigint;
      /** Amount in the API's format, such as `12.5`. */
      usd: string;
    }
  | { ok: false; sentence: string };

export interface UsdBounds {
  decimals: number;
  minimumUnits: bigint;
}

const USD_MAX = 1_000_000n;
const PLACES_MAX = 6;

/** Parses an amount in whole USDC, exactly. Refuses less than the minimum and more decimals than the token has. */
export function readUsdAmount(text: string, { decimals, minimumUnits }: UsdBounds): TypedUsd {
  const trimmed = text.trim().replace(/^\$\s*/, '');
  if (trimmed === '') return { ok: false, sentence: words.empty };
  const match = /^(\d{1,9})(?:\.(\d*))?$/.exec(trimmed);
  if (match === null) return { ok: false, sentence: words.noAmount };
  const [, whole = '0', fraction = ''] = match;
  const places = Math.min(decimals, PLACES_MAX);
  if (fraction.length > places) return { ok: false, sentence: words.tooManyPlaces(places) };
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (units < minimumUnits) return { ok: false, sentence: words.tooLittle(formatUnits(minimumUnits, decimals)) };
  if (units > USD_MAX * 10n ** BigInt(decimals)) return { ok: false, sentence: words.tooMuch };
  return { ok: true, units, usd: fraction === '' ? String(BigInt(whole)) : `${BigInt(whole)}.${fraction}` };
}
