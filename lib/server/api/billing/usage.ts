import { z } from 'zod';
import { detailedErrorSchema } from '@/lib/protocol/error-bodies';
import { chargesCsv } from '@/lib/protocol/billing/usage-csv';
import { csvText } from '@/lib/protocol/csv';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import { SOLD } from '@/lib/protocol/api-keys/key-scope';
import { formatUsd } from '@/lib/protocol/pricing';
import { type ChargedCall, type ChargeFilter, listCharges } from '../../billing/usage/list-charges';
import { type KeyName, nameKeys } from '../../billing/usage/name-keys';
import { CHARGE_SPLITS, splitCharges, type SplitSum } from '../../billing/usage/split-charges';
import { type ChargeGroup, type PotMovement, potMovements, sumCharges } from '../../billing/usage/sum-charges';
import { type Database, type Pot, POTS } from '../../db/schema';
import { json, type Reply } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readQuery } from '../../http/json-body';
import { faultyField } from '../openapi/refusals';
import { csv, wantsCsv } from './csv-reply';
import { keyName, REFUSALS, showKey, spent, units, usd } from './docs';
import { badPeriod, periodOf, usageParameters, usageQuery } from './queries';
import type { Auth } from '../../auth/auth';

const period = { startDate: z.string(), endDate: z.string() };

const listSchema = z
  .object({
    ...period,
    data: z.array(
      z.object({
        timestamp: z.string(),
        resource: z.string().describe('Resource, such as rpc/ethereum-mainnet'),
        detail: z.string().describe('Detail, such as the method'),
        ...spent,
        apiKey: keyName,
        requestId: z.string(),
      }),
    ),
    pagination: z.object({
      page: z.number(),
      limit: z.number(),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
  })
  .meta({ id: 'UsageCharges' });

const movement = z.object({
  opening: usd,
  credited: usd,
  withdrawn: usd.describe('Withdrawals in the period. They are already subtracted from "credited"'),
  charged: usd,
  expired: usd,
  closing: usd,
});

const sumsSchema = z
  .object({
    ...period,
    groupBy: z.string(),
    data: z.array(
      z.object({
        group: z.string().describe('The day, the resource, or the id of the key (empty for wallet sign-in)'),
        apiKey: keyName.optional(),
        charges: z.number(),
        ...spent,
      }),
    ),
    totals: z.object({
      charges: z.number(),
      units: z.number(),
      amount: usd,
      refunded: usd.describe(
        'Refunds for failed videos in this period, whatever the filter. Their charges stay in the sums, and "credited" includes the refunds',
      ),
      pots: z
        .record(z.string(), movement)
        .describe('Movement of each balance from the start to the end of the period, whatever the filter'),
      reconciles: z.boolean().describe('Whether opening + credited − charged − expired = closing for each balance'),
    }),
  })
  .meta({ id: 'UsageSums' });

const splitsSchema = z
  .object({
    ...period,
    groupBy: z.enum(['day', 'hour']),
    splitBy: z.enum(CHARGE_SPLITS),
    data: z.array(
      z.object({
        group: z.string().describe('Start of the day or hour. Days and hours without charges are left out'),
        split: z.string().describe('The resource, or the id of the key (empty for wallet sign-in)'),
        apiKey: keyName.optional(),
        charges: z.number(),
        units,
        amount: usd,
      }),
    ),
  })
  .meta({ id: 'UsageSplits' });

const usageSchema = z.union([listSchema, sumsSchema, splitsSchema]).meta({ id: 'Usage' });

const CHARGES_EXAMPLE = {
  startDate: '2026-11-01T00:00:00.000Z',
  endDate: '2026-11-24T02:30:00.000Z',
  data: [
    {
      timestamp: '2026-11-23T17:40:03.512Z',
      resource: 'rpc/ethereum-mainnet',
      detail: 'eth_blockNumber',
      units: 20,
      amount: '0.000014000',
      currency: 'DIEM',
      pots: { DIEM: '0.000014000' },
      apiKey: { id: '17', last6: 'oVy6Wx', description: 'bot' },
      requestId: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
    },
  ],
  pagination: { page: 1, limit: 50, hasMore: false, nextCursor: null },
};

const CSV_EXAMPLE = chargesCsv(CHARGES_EXAMPLE.data);

const billingUsageDocs: Operation = {
  id: 'billingUsage',
  tag: 'Billing',
  summary: "The caller's charges, newest first, or their sums",
  description:
    'Free of charge. A charge to several balances is one entry. groupBy returns sums by day, resource or key, and the movement of each balance. With splitBy, each day or hour has a sum for each resource or key. CSV returns a page of charges or the sums; X-Next-Cursor is the cursor of the next page.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: Object.entries(usageParameters).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: false,
    description: schema.description ?? '',
    schema: inputOf(name),
  })),
  responses: {
    200: {
      description: 'Charges, or sums',
      schema: usageSchema,
      examples: { charges: CHARGES_EXAMPLE },
      media: [{ type: 'text/csv', example: CSV_EXAMPLE }],
      headers: { 'X-Next-Cursor': 'CSV only: cursor of the next page; absent on the last page' },
    },
    400: {
      description: 'A parameter is not valid; details names it',
      schema: detailedErrorSchema,
      examples: { limit: faultyField('limit', 'Must be from 1 to 500') },
    },
    ...REFUSALS,
  },
};

/** Omits a parameter's transformation, because JSON Schema cannot express it. */
function inputOf(name: string): z.ZodType {
  if (name === 'limit') return z.int().min(1).max(500).default(50);
  if (name === 'page' || name === 'apiKeyId') return z.int().min(1);
  if (name === 'format') return z.enum(['json', 'csv']);
  if (name === 'product') return z.enum(SOLD);
  if (name === 'splitBy') return z.enum(CHARGE_SPLITS);
  return name === 'groupBy' ? z.enum(['day', 'resource', 'key', 'hour']) : z.string();
}

const CURRENCY: Readonly<Record<Pot, string>> = { diem: 'DIEM', bundled: 'BUNDLED_CREDITS', usd: 'USD', x402: 'X402' };

const EXACT = 9;
const HOURS_DAYS_MAX = 7;

export const billingUsageRoute: Route = { path: '/api/v1/billing/usage', docs: { GET: billingUsageDocs } };

/** GET /billing/usage. */
export function billingUsage({ auth, db, now }: { auth: Auth; db: Database; now: () => number }): Endpoint {
  return {
    ...billingUsageRoute,
    GET: async (call) => {
      const { accountId } = await auth.identifyReader(call);
      const query = readQuery(call, usageQuery);
      const period = periodOf(query, now());
      if (!period) throw badPeriod();
      const { limit, page, cursor = null, product, resource, apiKeyId, requestId, groupBy, splitBy } = query;
      const filter: ChargeFilter = { accountId, ...period, product, resource, apiKeyId };
      const facts = { startDate: new Date(period.from).toISOString(), endDate: new Date(period.until).toISOString() };
      const isCsv = wantsCsv(call, query.format);
      if (splitBy && (groupBy === 'day' || groupBy === 'hour')) {
        if (groupBy === 'hour' && period.until - period.from > HOURS_DAYS_MAX * DAY_MS + 1)
          throw badPeriod(HOURS_DAYS_MAX);
        const keys = splitBy === 'key' ? await nameKeys(db, accountId) : null;
        const sums = await splitCharges(db, filter, groupBy, splitBy);
        if (isCsv) return splitsCsv(groupBy, splitBy, sums);
        return json({ ...facts, groupBy, splitBy, data: sums.map((sum) => showSplit(sum, keys)) });
      }
      if (groupBy && groupBy !== 'hour') {
        const groups = await sumCharges(db, filter, groupBy);
        if (isCsv) return sumsCsv(groupBy, groups);
        const movements = await potMovements(db, filter);
        const keys = groupBy === 'key' ? await nameKeys(db, accountId) : null;
        return json({
          ...facts,
          groupBy,
          data: groups.map((group) => showGroup(group, keys)),
          totals: showTotals(groups, movements),
        });
      }
      if (requestId !== undefined) {
        const one = { limit: 1, skip: 0, after: null };
        const [charge] = (await listCharges(db, { ...filter, requestId }, one)).charges;
        if (isCsv) return csv(chargesCsv(charge ? [showCharge(charge)] : []));
        return json({
          ...facts,
          data: charge ? [showCharge(charge)] : [],
          pagination: { page: 1, limit: 1, hasMore: false, nextCursor: null },
        });
      }
      const { charges, next } = await listCharges(db, filter, { limit, skip: (page - 1) * limit, after: cursor });
      const nextCursor = next && `${next.at}-${next.id}`;
      if (isCsv) return csv(chargesCsv(charges.map(showCharge)), nextCursor);
      const pagination = { page, limit, hasMore: next !== null, nextCursor };
      return json({ ...facts, data: charges.map(showCharge), pagination });
    },
  };
}

function sumsCsv(groupBy: string, groups: readonly ChargeGroup[]): Reply {
  return csv(
    csvText(
      [groupBy, 'charges', 'units', 'amount_usd'],
      groups.map(({ group, charges, units, amount }) => [
        String(group),
        String(charges),
        String(units),
        formatUsd(amount, EXACT),
      ]),
    ),
  );
}

function splitsCsv(groupBy: string, splitBy: string, sums: readonly SplitSum[]): Reply {
  return csv(
    csvText(
      [groupBy, splitBy, 'charges', 'units', 'amount_usd'],
      sums.map(({ at, split, charges, units: sum, amount }) => [
        new Date(at).toISOString(),
        split,
        String(charges),
        String(sum),
        formatUsd(amount, EXACT),
      ]),
    ),
  );
}

function showSplit({ at, split, charges, units: sum, amount }: SplitSum, keys: ReadonlyMap<number, KeyName> | null) {
  const key = keys?.get(Number(split));
  return {
    group: new Date(at).toISOString(),
    split,
    ...(keys && { apiKey: key ? showKey(key) : null }),
    charges,
    units: sum,
    amount: formatUsd(amount, EXACT),
  };
}

function showCharge({ at, resource, detail, units, amount, pots, apiKey, requestId }: ChargedCall) {
  return {
    timestamp: new Date(at).toISOString(),
    resource,
    detail,
    units,
    amount: formatUsd(amount, EXACT),
    ...showPots(pots),
    apiKey: apiKey && showKey(apiKey),
    requestId,
  };
}

function showGroup({ group, charges, units, amount, pots }: ChargeGroup, keys: ReadonlyMap<number, KeyName> | null) {
  const key = keys?.get(Number(group));
  return {
    group,
    ...(keys && { apiKey: key ? showKey(key) : null }),
    charges,
    units,
    amount: formatUsd(amount, EXACT),
    ...showPots(pots),
  };
}

function showPots(pots: Partial<Record<Pot, number>>) {
  const used = POTS.filter((pot) => (pots[pot] ?? 0) !== 0);
  return {
    currency: CURRENCY[used[0] ?? 'usd'],
    pots: Object.fromEntries(used.map((pot) => [CURRENCY[pot], formatUsd(pots[pot] ?? 0, EXACT)])),
  };
}

function showTotals(groups: readonly ChargeGroup[], movements: Partial<Record<Pot, PotMovement>>) {
  const sum = (of: (group: ChargeGroup) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const moved = POTS.flatMap((pot) => (movements[pot] ? [[CURRENCY[pot], movements[pot]] as const] : []));
  return {
    charges: sum(({ charges }) => charges),
    units: sum(({ units }) => units),
    amount: formatUsd(
      sum(({ amount }) => amount),
      EXACT,
    ),
    refunded: formatUsd(
      moved.reduce((total, [, { refunded }]) => total + refunded, 0),
      EXACT,
    ),
    pots: Object.fromEntries(moved.map(([name, movement]) => [name, showMovement(movement)])),
    reconciles: moved.every(
      ([, { opening, credited, charged, expired, closing }]) => opening + credited - charged - expired === closing,
    ),
  };
}

function showMovement({ opening, credited, withdrawn, charged, expired, closing }: PotMovement) {
  const entries = Object.entries({ opening, credited, withdrawn, charged, expired, closing });
  return Object.fromEntries(entries.map(([name, amount]) => [name, formatUsd(amount, EXACT)]));
}
