import { flag, number, object, oneOf, optional, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Balances of a caller, in USD (GET /billing/balance). */
export interface Balance {
  canConsume: boolean;
  consumptionCurrency: Currency;
  balances: { diem: number; bundledCredits: number; usd: number };
  /** Allocation of the current UTC day; 0 if there is none. */
  diemEpochAllocation: number;
  /** Renewal time, ISO 8601. */
  diemEpochEndsAt: string;
  /** Prepaid balance. Present only with a wallet sign-in. */
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

/** Fetches the caller's balances. Free. Rejects with GatewayError or UnreachableError. */
export async function readBalance(options: TurnpikeClientOptions, callOptions?: CallOptions): Promise<Balance> {
  return fitting(balance, await exchanger(options)('GET', '/api/v1/billing/balance', callOptions));
}
