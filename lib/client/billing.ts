import { decimal, flag, list, nullable, number, object, oneOf, record, type Schema, text } from './answer-schema';
import { CURRENCIES, type Currency } from './balance';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

export { type Balance, type Currency, readBalance } from './balance';

/** A key as people know it. */
export interface KeyName {
  id: string;
  last6: string;
  /** What its owner called it; may be empty. */
  description: string;
}

/** One charge (GET /billing/usage). Amounts are decimal texts of USD, exact. */
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

/** A page of charges, newest first. */
export interface ChargePage {
  data: readonly Charge[];
  pagination: { hasMore: boolean; nextCursor: string | null };
}

/** Which charges. Dates are `2026-11-21` (UTC, the end included) or ISO 8601 times. */
export interface ChargeQuery {
  startDate?: string;
  endDate?: string;
  resource?: string;
  apiKeyId?: string;
  /** Of the answer that was paid for (`X-Request-ID`); for lists, not for sums. */
  requestId?: string;
}

export const CHARGE_GROUPINGS = ['day', 'resource', 'key'] as const;
export type ChargeGrouping = (typeof CHARGE_GROUPINGS)[number];

/** Charges that have a day, a resource or a key in common. */
export interface ChargeSum {
  /** The day, the resource, or the id of the key (empty for wallet sign-in). */
  group: string;
  /** Where the groups are keys; null for wallet sign-in. */
  apiKey?: KeyName | null;
  charges: number;
  units: number;
  amount: string;
}

/** Sums of charges, and how each pot moved meanwhile. */
export interface ChargeSums {
  startDate: string;
  endDate: string;
  data: readonly ChargeSum[];
  totals: {
    charges: number;
    amount: string;
    /** What was paid back for videos that failed, whatever is filtered; their charges are in `amount`. */
    refunded: string;
    pots: Partial<Record<Currency, PotMovement>>;
    /** Whether each pot's opening, plus credited, less charged and expired, is its closing. */
    reconciles: boolean;
  };
}

export type PotMovement = Record<'opening' | 'credited' | 'charged' | 'expired' | 'closing', string>;

const keyName = nullable(object({ id: text, last6: text, description: text }));
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
    pots: record(object({ opening: decimal, credited: decimal, charged: decimal, expired: decimal, closing: decimal })),
    reconciles: flag,
  }),
});

/** A page of the caller's charges: the first, or the one at a cursor. `limit` is 1 to 500. Rejects with GatewayError or UnreachableError, as sumCharges does. */
export async function listCharges(
  options: TurnpikeClientOptions,
  query: ChargeQuery & { limit?: number; cursor?: string },
  callOptions?: CallOptions,
): Promise<ChargePage> {
  return fitting(chargePage, await exchanger(options)('GET', chargesPath(query), callOptions));
}

/** The caller's charges summed up. */
export async function sumCharges(
  options: TurnpikeClientOptions,
  groupBy: ChargeGrouping,
  query: Omit<ChargeQuery, 'requestId'>,
  callOptions?: CallOptions,
): Promise<ChargeSums> {
  return fitting(chargeSums, await exchanger(options)('GET', chargesPath({ ...query, groupBy }), callOptions));
}

/** Where charges, or with `groupBy` their sums, are read: from the root, query included. */
export function chargesPath(
  query: ChargeQuery & { limit?: number; cursor?: string; groupBy?: ChargeGrouping },
): string {
  return `/api/v1/billing/usage?${searchOf(query)}`;
}

function searchOf(query: object): string {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
}
