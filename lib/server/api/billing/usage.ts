import { apiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import { type ChargedCall, type ChargeFilter, listCharges } from '../../billing/usage/list-charges';
import { type KeyName, nameKeys } from '../../billing/usage/name-keys';
import { type ChargeGroup, potMovements, type PotMovement, sumCharges } from '../../billing/usage/sum-charges';
import { identifyReader } from '../../auth/identify-reader';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readQuery } from '../../http/read-query';
import { POTS, type Pot } from '../../db/schema';
import { billingUsageDocs } from './docs';
import { periodOf, usageQuery } from './usage-query';

/** What the API calls the pots. */
const CURRENCY: Readonly<Record<Pot, string>> = { diem: 'DIEM', bundled: 'BUNDLED_CREDITS', usd: 'USD', x402: 'X402' };
const EXACT = 9;

/** GET /billing/usage: the caller's charges, newest first, or their sums. */
export const billingUsage: Endpoint = {
  path: '/api/v1/billing/usage',
  docs: { GET: billingUsageDocs },
  GET: async (call, gateway) => {
    const { accountId } = await identifyReader(call, gateway);
    const query = readQuery(call, usageQuery);
    const period = periodOf(query, gateway.now());
    if (!period) throw badPeriod();
    const { limit, page, cursor = null, resource, apiKeyId, groupBy } = query;
    const filter: ChargeFilter = { accountId, ...period, resource, apiKeyId };
    const facts = { startDate: new Date(period.from).toISOString(), endDate: new Date(period.until).toISOString() };
    if (groupBy) {
      const groups = await sumCharges(gateway.db, filter, groupBy);
      const movements = await potMovements(gateway.db, filter);
      const keys = groupBy === 'key' ? await nameKeys(gateway.db, accountId) : null;
      return json({ ...facts, groupBy, data: groups.map((group) => showGroup(group, keys)), totals: showTotals(groups, movements) });
    }
    const { charges, next } = await listCharges(gateway.db, filter, { limit, skip: (page - 1) * limit, after: cursor });
    const pagination = { page, limit, hasMore: next !== null, nextCursor: next && `${next.at}-${next.id}` };
    return json({ ...facts, data: charges.map(showCharge), pagination });
  },
};

function badPeriod(): Error {
  const message = 'The period must end after it starts, and is at most 366 days.';
  return apiError('INVALID_REQUEST', { message, details: { _errors: [], endDate: { _errors: [message] } } });
}

function showCharge({ at, resource, detail, units, amount, pots, apiKey, requestId }: ChargedCall) {
  return { timestamp: new Date(at).toISOString(), resource, detail, units, amount: formatUsd(amount, EXACT), ...showPots(pots), apiKey: apiKey && showKey(apiKey), requestId };
}

/** `keys` are there where the groups are keys: each then says which one it is, and wallet sign-in null. */
function showGroup({ group, charges, units, amount, pots }: ChargeGroup, keys: ReadonlyMap<number, KeyName> | null) {
  const key = keys?.get(Number(group));
  return { group, ...(keys && { apiKey: key ? showKey(key) : null }), charges, units, amount: formatUsd(amount, EXACT), ...showPots(pots) };
}

/** Ids of keys are texts on the wire, as in the list of keys. */
function showKey(key: KeyName) {
  return { ...key, id: String(key.id) };
}

/** The pots that money came from: `currency` is the first of them. */
function showPots(pots: Partial<Record<Pot, number>>) {
  const used = POTS.filter((pot) => (pots[pot] ?? 0) !== 0);
  return { currency: CURRENCY[used[0] ?? 'usd'], pots: Object.fromEntries(used.map((pot) => [CURRENCY[pot], formatUsd(pots[pot] ?? 0, EXACT)])) };
}

/** The sums of all groups, and how each pot came from its balance at the start to that at the end: by what the ledger says, exactly. */
function showTotals(groups: readonly ChargeGroup[], movements: Partial<Record<Pot, PotMovement>>) {
  const sum = (of: (group: ChargeGroup) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const moved = POTS.flatMap((pot) => (movements[pot] ? [[CURRENCY[pot], movements[pot]] as const] : []));
  return {
    charges: sum(({ charges }) => charges),
    units: sum(({ units }) => units),
    amount: formatUsd(sum(({ amount }) => amount), EXACT),
    refunded: formatUsd(moved.reduce((total, [, { refunded }]) => total + refunded, 0), EXACT),
    pots: Object.fromEntries(moved.map(([name, movement]) => [name, showMovement(movement)])),
    reconciles: moved.every(([, { opening, credited, charged, expired, closing }]) => opening + credited - charged - expired === closing),
  };
}

function showMovement({ opening, credited, charged, expired, closing }: PotMovement) {
  const entries = Object.entries({ opening, credited, charged, expired, closing });
  return Object.fromEntries(entries.map(([name, amount]) => [name, formatUsd(amount, EXACT)]));
}
