import { describe, expect, it } from 'vitest';
import { keyBudgetSchema } from '@/lib/protocol/api-keys/key-budget';
import type { ListedKey } from '@/lib/client';
import { boundsOf, lastAlertOf } from './key-table';
import { fieldsOf, readKeyBudget } from './key-budget-form';

const KEY = { allow: null, prepaidLimitUsd: null, alert: null, limitPeriod: 'MONTH' } as ListedKey;
const FIELDS = fieldsOf(KEY);

/** Guarantee: the form for a key's limits sends what it shows and nothing that the API refuses. */
describe('the limits of a key', () => {
  it('open with what the key has, and change nothing as they are', () => {
    const bounded = {
      ...KEY,
      allow: { endpoints: ['rpc'], networks: ['base-mainnet', 'linea-mainnet'], privacy: 'attested' },
      prepaidLimitUsd: 2.5,
      alert: { usd: 8, webhookUrl: 'https://example.org/', last: null },
    } as ListedKey;
    for (const [key, budget] of [
      [KEY, { allow: null, alert: null, prepaidLimitUsd: null }],
      [bounded, { allow: bounded.allow, alert: { usd: 8, webhookUrl: 'https://example.org/' }, prepaidLimitUsd: 2.5 }],
    ] as const) {
      const read = readKeyBudget(fieldsOf(key), true, null);
      expect(read).toEqual({ ok: true, budget });
      if (read.ok) expect(keyBudgetSchema.safeParse(read.budget).success).toBe(true);
    }
  });

  it('take lists with commas, spaces and lines, and leave prepaid money to the wallet', () => {
    const read = readKeyBudget(
      { ...FIELDS, endpoints: ['chat'], networks: ' base-mainnet,\nsolana-mainnet  ', prepaid: '5' },
      false,
      ['base-mainnet', 'solana-mainnet'],
    );
    expect(read).toEqual({
      ok: true,
      budget: { allow: { endpoints: ['chat'], networks: ['base-mainnet', 'solana-mainnet'] }, alert: null },
    });
  });

  it.each([
    [{ endpoints: [] }, 'endpoints'],
    [{ networks: 'base-mainnet, ethereum-mainet' }, 'networks'],
    [{ prepaid: 'all' }, 'prepaid'],
    [{ prepaid: '-1' }, 'prepaid'],
    [{ alert: '0' }, 'alert'],
    [{ alert: '1e-12' }, 'alert'],
    [{ webhook: 'https://example.org/' }, 'alert'],
  ] as const)('%o is a problem of %s', (fields, name) => {
    const read = readKeyBudget({ ...FIELDS, ...fields }, true, ['base-mainnet']);
    expect(read.ok ? [] : Object.keys(read.problems)).toEqual([name]);
  });

  it('are told in the list, with what was reached and whether the message about it arrived', () => {
    expect(boundsOf(KEY)).toEqual([]);
    expect(boundsOf({ ...KEY, allow: { endpoints: ['rpc', 'speech'], models: ['m'] }, prepaidLimitUsd: 1 })).toEqual([
      'only RPC, Speech',
      'only m',
      'up to $1.00 of prepaid money a month',
    ]);
    const last = {
      period: '2026-11',
      spentUsd: 8.5,
      reachedAt: '2026-11-24T10:00:00.000Z',
      deliveredAt: null,
      attempts: 1,
      nextAttemptAt: null,
      error: null,
    };
    expect(lastAlertOf({ ...KEY, alert: { usd: 8, webhookUrl: null, last } })).toMatch(/^reached \$8\.50 on /);
    expect(lastAlertOf({ ...KEY, alert: { usd: 8, webhookUrl: 'https://example.org/', last } })).toMatch(
      /; the alert has not been delivered yet$/,
    );
  });
});
