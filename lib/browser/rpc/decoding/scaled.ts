import { formatCount } from '../../amounts';

/** Returns a whole number of the smallest unit in units of 10^decimals, exact, grouped, without zeros at its end. */
export function scaled(value: bigint, decimals: number): string {
  const text = value.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  return formatCount(BigInt(text.slice(0, -decimals))) + (fraction === '' ? '' : `.${fraction}`);
}
