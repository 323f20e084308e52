import { formatCount } from '../../amounts';

/** Converts an integer in the smallest unit to units of 10^decimals: exact, grouped, without trailing zeros. */
export function scaled(value: bigint, decimals: number): string {
  const text = value.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  return formatCount(BigInt(text.slice(0, -decimals))) + (fraction === '' ? '' : `.${fraction}`);
}
