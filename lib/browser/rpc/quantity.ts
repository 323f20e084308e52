import { formatCount } from '../amounts';

/** Formats an Ethereum quantity as a grouped integer; null if it is invalid, or longer than 128 bits. */
export function readQuantity(text: string): string | null {
  return /^0x(0|[1-9a-f][0-9a-f]{0,31})$/.test(text) ? formatCount(BigInt(text)) : null;
}
