import { describe, expect, it } from 'vitest';
import { bucketsOf, groupOfResource, STACKED_MAX, type StackRow, stackRows } from '@/components/billing/stacked-sums';
import { rowOfCharge, rowOfRequests } from './use-usage-rows';

const WORDS = { none: 'Without', others: 'Others' };
const DAYS = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
const row = (start: string | undefined, id: string | null, value: number): StackRow => ({
  start: start ?? '',
  id,
  label: id ?? '',
  product: id?.split('/')[0] ?? null,
  value,
  count: 1,
});

describe('stacked sums', () => {
  it('have a part for each group, most first, and the parts add up to the bar', () => {
    const { series, buckets } = stackRows(
      DAYS,
      [row(DAYS[0], 'chat/a', 1), row(DAYS[1], 'chat/b', 3), row(DAYS[1], 'chat/a', 1), row(DAYS[1], null, 9)],
      WORDS,
    );
    expect(series.map(({ label, tint, value, count }) => [label, tint, value, count])).toEqual([
      ['chat/b', 0, 3, 1],
      ['chat/a', 1, 2, 2],
      ['Without', 0, 9, 1],
    ]);
    expect(buckets.map(({ value, parts }) => [value, parts])).toEqual([
      [1, [0, 1, 0]],
      [13, [3, 1, 9]],
    ]);
  });

  it('show a bounded number of groups and all others as one, and no group without a value', () => {
    const rows = Array.from({ length: 9 }, (_, index) => row(DAYS[0], `rpc/${index}`, index));
    const { series, buckets } = stackRows(DAYS, rows, WORDS);
    expect(series).toHaveLength(STACKED_MAX + 1);
    expect(series.at(-1)).toMatchObject({ kind: 'others', value: 1 + 2 + 3, count: 3 });
    expect(buckets[0]?.parts).toEqual([8, 7, 6, 5, 4, 6]);
    expect(stackRows(DAYS, [row(DAYS[0], 'rpc/a', 0)], WORDS).series).toEqual([]);
  });

  it('leave out what lies outside the period', () => {
    const { buckets } = stackRows(DAYS, [row('2026-10-01T00:00:00.000Z', 'rpc/a', 1)], WORDS);
    expect(buckets.map(({ value }) => value)).toEqual([0, 0]);
  });

  it('have 24 hours of a day, and every day of a longer period', () => {
    expect(bucketsOf({ days: 30, day: '2026-11-20' })).toHaveLength(24);
    expect(bucketsOf({ days: 30, day: '2026-11-20' })[23]).toBe('2026-11-20T23:00:00.000Z');
    expect(bucketsOf({ days: 1, day: '' })).toHaveLength(24);
    expect(bucketsOf({ days: 90, day: '' })).toHaveLength(90);
  });
});

describe('the group of a resource', () => {
  it('is its product, model or network, and none of another kind', () => {
    expect(groupOfResource('rpc/base-mainnet', 'product').id).toBe('rpc');
    expect(groupOfResource('rpc/base-mainnet', 'network')).toMatchObject({
      id: 'rpc/base-mainnet',
      label: 'base-mainnet',
    });
    expect(groupOfResource('rpc/base-mainnet', 'model').id).toBeNull();
    expect(groupOfResource('chat/org/guide', 'model')).toMatchObject({ id: 'chat/org/guide', label: 'org/guide' });
    expect(groupOfResource('chat', 'model').id).toBeNull();
  });
});

describe('a row of the plot', () => {
  const key = { id: '7', last6: 'abcdef', description: 'bot' };
  const charge = { group: DAYS[0] ?? '', charges: 2, units: 4, amount: '0.5' };
  const sum = { ...charge, requests: 4, failed: 1, averageMs: 10, p50Ms: 9, p95Ms: 20, product: 'chat' };

  it('names a key as people know it, and has no key for a wallet', () => {
    expect(rowOfCharge({ ...charge, split: '7', apiKey: key }, 'key')).toMatchObject({ id: '7', label: 'bot …abcdef' });
    expect(rowOfCharge({ ...charge, split: '', apiKey: null }, 'key').id).toBeNull();
    expect(rowOfRequests({ ...sum, split: null, apiKey: null }, 'requests', 'key').id).toBeNull();
  });

  it('has the value of its tab; a latency weighs by requests', () => {
    expect(rowOfRequests({ ...sum, split: 'chat' }, 'latency', 'product')).toMatchObject({ value: 40, count: 4 });
    expect(rowOfRequests({ ...sum, split: 'guide' }, 'tokens', 'model')).toMatchObject({ id: 'chat/guide', value: 4 });
    expect(rowOfRequests({ ...sum, split: '429' }, 'requests', 'status')).toMatchObject({ id: '429', value: 4 });
  });
});
