import { isDecimal } from './answer-schema';

/** An amount of USD that a header states, as the gateway wrote it; null for a header that is missing or no amount. */
export function usdOf(headers: Headers, name: string): string | null {
  const amount = headers.get(name);
  return amount !== null && isDecimal(amount) && !amount.startsWith('-') ? amount : null;
}
