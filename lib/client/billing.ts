import {
  decimal,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  text,
} from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Balances of a caller, in USD (GET /billing/balance). */
export interface Balance {
  canConsume: boolean;
  consumptionCurrency: Currency;
  balances: { diem: number; bundledCredits: number; usd: number };
  /** Allocation of the current UTC day; 0 without an allocation. */
  diemEpochAllocation: number;
  /** Time at which the allocation is renewed, ISO 8601. */
  diemEpochEndsAt: string;
  /** Prepaid balance. Present if the credential may spend it. */
  x402Usd?: number;
}

const CURRENCIES = ['DIEM', 'BUNDLED_CREDITS', 'USD', 'X402'] as const;
export type Currency = (typeof CURRENCIES)[number];

const balance: Schema<Balance> = object({
  canConsume: flag,
  consumptionCurrency: oneOf(CURRENCIES),
  balances: object({ diem: number, bundledCredits: number, usd: number }),
  diemEpochAllocation: number,
  diemEpochEndsAt: text,
  x402Usd: optional(number),
});

/** Fetches the caller's balances. The request is free. */
export async function readBalance(options: TurnpikeClientOptions, callOptions?: CallOptions): Promise<Balance> {
  return fitting(balance, await exchanger(options)('GET', '/api/v1/billing/balance', callOptions));
}

export interface KeyName {
  id: string;
  last6: string;
  description: string;
}

/** One charge from GET /billing/usage. Amounts are exact decimal USD. */
export interface Charge {
  timestamp: string;
  resource: string;
  detail: string;
  units: number;
  amount: string;
  currency: Currency;
  pots: Partial<Record<Currency, string>>;
  apiKey: KeyName | null;
  requestId: string;
}

/** Page of charges, newest first. */
export interface ChargePage {
  data: readonly Charge[];
  pagination: { hasMore: boolean; nextCursor: string | null };
}

/** Filter for charges. A date is `2026-11-21` (UTC, inclusive) or an ISO 8601 time. */
export interface ChargeQuery {
  startDate?: string;
  endDate?: string;
  /** Sums accept it only with `splitBy`. */
  product?: string;
  resource?: string;
  apiKeyId?: string;
  /** Id of the paid request (`X-Request-ID`). Only for `listCharges`. */
  requestId?: string;
}

export const CHARGE_GROUPINGS = ['day', 'resource', 'key'] as const;
export type ChargeGrouping = (typeof CHARGE_GROUPINGS)[number];

/** Sum of charges with the same day, resource or API key. */
export interface ChargeSum {
  /** Day, resource or API key id; empty for charges by wallet sign-in. */
  group: string;
  /** Null unless grouped by key, and for wallet sign-ins. */
  apiKey?: KeyName | null;
  charges: number;
  units: number;
  amount: string;
}

/** Sums of charges, and the movement of each balance in the same period. */
export interface ChargeSums {
  startDate: string;
  endDate: string;
  data: readonly ChargeSum[];
  totals: {
    charges: number;
    amount: string;
    /**
     * Refunds for failed videos in the period, regardless of the other filters. `amount` still includes the refunded
     * charges.
     */
    refunded: string;
    pots: Partial<Record<Currency, PotMovement>>;
    /** True if opening + credited − charged − expired = closing for each balance. */
    reconciles: boolean;
  };
}

export type ChargeSplit = 'resource' | 'key';

/** Sum of the charges of one day or hour for one resource or API key. */
export interface SplitCharge {
  /** First moment of the day or hour, ISO 8601. */
  group: string;
  /** Resource or API key id; empty for charges by wallet sign-in. */
  split: string;
  apiKey?: KeyName | null;
  charges: number;
  units: number;
  amount: string;
}

/** `withdrawn` is already subtracted from `credited`. */
export type PotMovement = Record<'opening' | 'credited' | 'withdrawn' | 'charged' | 'expired' | 'closing', string>;

export const keyName = nullable(object({ id: text, last6: text, description: text }));
const chargePage: Schema<ChargePage> = object({
  data: list(
    object({
      timestamp: text,
      resource: text,
      detail: text,
      units: number,
      amount: decimal,
      currency: oneOf(CURRENCIES),
      pots: record(decimal),
      apiKey: keyName,
      requestId: text,
    }),
  ),
  pagination: object({ hasMore: flag, nextCursor: nullable(text) }),
});
const chargeSums: Schema<ChargeSums> = object({
  startDate: text,
  endDate: text,
  data: list(object({ group: text, apiKey: keyName, charges: number, units: number, amount: decimal })),
  totals: object({
    charges: number,
    amount: decimal,
    refunded: decimal,
    pots: record(
      object({
        opening: decimal,
        credited: decimal,
        withdrawn: decimal,
        charged: decimal,
        expired: decimal,
        closing: decimal,
      }),
    ),
    reconciles: flag,
  }),
});

const chargeSplits: Schema<{ data: readonly SplitCharge[] }> = object({
  data: list(object({ group: text, split: text, apiKey: keyName, charges: number, units: number, amount: decimal })),
});

/** Fetches a page of the caller's charges. `limit` is 1 to 500. */
export async function listCharges(
  options: TurnpikeClientOptions,
  query: ChargeQuery & { limit?: number; cursor?: string },
  callOptions?: CallOptions,
): Promise<ChargePage> {
  return fitting(chargePage, await exchanger(options)('GET', chargesPath(query), callOptions));
}

/** Fetches sums of the caller's charges. Rejects with the same errors as `listCharges`. */
export async function sumCharges(
  options: TurnpikeClientOptions,
  groupBy: ChargeGrouping,
  query: Omit<ChargeQuery, 'requestId'>,
  callOptions?: CallOptions,
): Promise<ChargeSums> {
  return fitting(chargeSums, await exchanger(options)('GET', chargesPath({ ...query, groupBy }), callOptions));
}

/**
 * Fetches sums of the caller's charges per day or hour and per resource or API key. Rejects with the same errors as
 * `listCharges`.
 */
export async function splitCharges(
  options: TurnpikeClientOptions,
  groupBy: 'day' | 'hour',
  splitBy: ChargeSplit,
  query: Omit<ChargeQuery, 'requestId'>,
  callOptions?: CallOptions,
): Promise<readonly SplitCharge[]> {
  const path = chargesPath({ ...query, groupBy, splitBy });
  return (await fitting(chargeSplits, await exchanger(options)('GET', path, callOptions))).data;
}

/** Returns the path and query of a request for charges. With `groupBy`, the request is for sums instead. */
export function chargesPath(
  query: ChargeQuery & {
    limit?: number;
    cursor?: string;
    groupBy?: ChargeGrouping | 'hour';
    splitBy?: ChargeSplit;
  },
): string {
  return `/api/v1/billing/usage?${searchOf(query)}`;
}

export function searchOf(query: object): string {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
}
