import { flag, number, object, oneOf, optional, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** What a caller has, by pot, in USD (GET /billing/balance). */
export interface Balance {
  canConsume: boolean;
  consumptionCurrency: Currency;
  balances: { diem: number; bundledCredits: number; usd: number };
  /** What was fixed for today (UTC); 0 where nothing is. */
  diemEpochAllocation: number;
  /** ISO 8601: when the allocation is new. */
  diemEpochEndsAt: string;
  /** What the wallet prepaid; by wallet sign-in only. */
  x402Usd?: number;
}

export const CURRENCIES = ['DIEM', 'BUNDLED_CREDITS', 'USD', 'X402'] as const;
export type Currency = (typeof CURRENCIES)[number];

const balance: Schema<Balance> = object({
  canConsume: flag,
  consumptionCurrency: oneOf(CURRENCIES),
  balances: object({ diem: number, bundledCredits: number, usd: number }),
  diemEpochAllocation: number,
  diemEpochEndsAt: text,
  x402Usd: optional(number),
});

/** What the caller has, free of charge. Rejects with GatewayError or UnreachableError. */
export async function readBalance(options: TurnpikeClientOptions, callOptions?: CallOptions): Promise<Balance> {
  return fitting(balance, await exchanger(options)('GET', '/api/v1/billing/balance', callOptions));
}
