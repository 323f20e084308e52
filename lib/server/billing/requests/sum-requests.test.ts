import { expect, it } from 'vitest';
import { createAccount } from '../../db/accounts';
import { insertRequests, type RequestRow } from '../../db/requests';
import { testGateway } from '@/test/test-gateway';
import { sumRequests } from './sum-requests';

const DAY = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;

async function accountWith(requests: readonly Partial<RequestRow>[]) {
  const { db } = await testGateway();
  const accountId = await createAccount(db, { label: 'x', tier: 'standard' });
  const usual: Omit<RequestRow, 'request_id'> = {
    account_id: accountId,
    api_key_id: null,
    at: DAY,
    product: 'rpc',
    network: null,
    method: null,
    model: null,
    status: 200,
    code: null,
    failed: 0,
    duration_us: 1,
    units: 1,
    cost: 2,
  };
  const rows = requests.map((request, index) => ({ ...usual, request_id: String(index), ...request }));
  await insertRequests(db, rows);
  return { db, filter: { accountId, from: DAY, until: DAY + 24 * HOUR_MS } };
}

it('sums are the same however few rows a statement reads, also of one millisecond', async () => {
  const { db, filter } = await accountWith(
    Array.from({ length: 40 }, (_none, index) => ({
      at: DAY + (index < 20 ? 0 : index * 200_000),
      product: index % 4 === 0 ? ('chat' as const) : ('rpc' as const),
      model: index % 4 === 0 ? 'guide' : null,
      network: index % 4 === 0 ? null : `n${index % 3}`,
      failed: index % 5 === 0 ? (1 as const) : (0 as const),
      duration_us: ((index * 7) % 40) + 1,
    })),
  );
  const [sum, ...others] = await sumRequests(db, filter, 'day', null, 3);
  expect(others).toEqual([]);
  expect(sum).toEqual({
    at: DAY,
    product: null,
    split: null,
    requests: 40,
    failed: 8,
    averageUs: 20.5,
    p50Us: 20,
    p95Us: 38,
    units: 40,
    cost: 80,
  });
  for (const period of ['hour', 'day'] as const)
    for (const splitBy of [null, 'product', 'network', 'model', 'key', 'status'] as const)
      expect(await sumRequests(db, filter, period, splitBy, 3)).toEqual(await sumRequests(db, filter, period, splitBy));
  expect((await sumRequests(db, filter, 'day', 'network', 3)).map(({ product, split }) => [product, split])).toEqual([
    ['chat', null],
    ['rpc', 'n0'],
    ['rpc', 'n1'],
    ['rpc', 'n2'],
  ]);
});

it('other work runs between the statements', async () => {
  const { db, filter } = await accountWith(Array.from({ length: 40 }, () => ({})));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await sumRequests(db, filter, 'hour', null, 2);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(20);
});
