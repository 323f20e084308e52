import { isDecimal } from './answer-schema';

/** Returns the USD amount in a header; null if missing or invalid. */
export function usdOf(headers: Headers, name: string): string | null {
  const amount = headers.get(name);
  return amount !== null && isDecimal(amount) && !amount.startsWith('-') ? amount : null;
}
