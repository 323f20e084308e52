import { expect } from 'vitest';
import type { GatewayUnderTest } from './gateway-under-test';
import type { Answer } from './http-exchange';

/** Default price per credit, in nano-USD (7e-7 USD). */
export const NANO_USD_PER_CREDIT = 700;

/** Converts credits to decimal USD at the default price, as in the operator's list. */
export function usdOf(credits: number): string {
  const nano = credits * NANO_USD_PER_CREDIT;
  return `${Math.floor(nano / 1e9)}.${String(nano % 1e9).padStart(9, '0')}`;
}

/** Expects a 200 that charged this amount, both in its headers and in the ledger. */
export function expectCharged(gateway: GatewayUnderTest, answer: Answer, credits: number): void {
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  expect(answer.headers['x-service-rpc-credits']).toBe(String(credits));
  expect(answer.headers['x-service-rpc-cost-usd']).toBe((credits * 7e-7).toFixed(8));
  const rows = gateway.books.charges().filter(({ requestId }) => requestId === answer.headers['x-request-id']);
  expect(rows.map((row) => row.credits)).toEqual([credits]);
  expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(credits * NANO_USD_PER_CREDIT);
}
