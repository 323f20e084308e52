import type { ListedKey } from '@/lib/client';
import { describe, expect, it } from 'vitest';
import { boundsOf, budgetOf, spentShareOf } from './key-table';

const key: ListedKey = {
  id: '1',
  apiKeyType: 'INFERENCE',
  description: 'x',
  last6Chars: 'abcdef',
  consumptionLimit: { usd: null, diem: null },
  limitPeriod: 'MONTH',
  usage: { currentPeriod: { usd: 1, diem: 2 }, total: { usd: 10, diem: 20 } },
  allow: { endpoints: ['rpc'] },
  prepaidLimitUsd: 3,
  alert: { usd: 4, webhookUrl: 'https://example.org/x', last: null },
  createdAt: '2026-11-21T00:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};

describe('what a key spent of its limit', () => {
  it.each([
    [{ usd: null, diem: null }, null],
    [{ usd: 4, diem: null }, 0.25],
    [{ usd: 4, diem: 2 }, 1],
    [{ usd: 0, diem: null }, 1],
  ])('of %j is %s, by the limit that is nearest', (consumptionLimit, share) =>
    expect(spentShareOf({ ...key, consumptionLimit })).toBe(share),
  );
});

describe('the scope that the list shows', () => {
  it.each([
    [null, []],
    [{ privacy: 'attested' as const }, ['texts only to verified enclaves']],
    [
      { endpoints: ['chat' as const], privacy: 'encrypted' as const },
      ['only Chat', 'texts only encrypted to the enclave'],
    ],
  ])('of a key that is allowed %j is %j', (allow, bounds) =>
    expect(boundsOf({ ...key, allow, prepaidLimitUsd: null })).toEqual(bounds),
  );
});

describe('the limits that a change is undone with', () => {
  it('are all that the list shows, prepaid money only by a wallet', () => {
    const budget = { allow: { endpoints: ['rpc'] }, alert: { usd: 4, webhookUrl: 'https://example.org/x' } };
    expect(budgetOf(key, false)).toEqual(budget);
    expect(budgetOf(key, true)).toEqual({ ...budget, prepaidLimitUsd: 3 });
    expect(budgetOf({ ...key, allow: null, alert: null, prepaidLimitUsd: null }, true)).toEqual({
      allow: null,
      alert: null,
      prepaidLimitUsd: null,
    });
  });
});
