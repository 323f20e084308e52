import { formatCount } from '../amounts';

/** The whole number that an Ethereum quantity means, grouped; null for anything longer than 128 bits or not a quantity. */
export function readQuantity(text: string): string | null {
  return /^0x(0|[1-9a-f][0-9a-f]{0,31})$/.test(text) ? formatCount(BigInt(text)) : null;
}
