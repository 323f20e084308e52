import { describe, expect, it } from 'vitest';
import type { ListedKey } from '@/lib/client';
import { keysCsv } from './key-list-section';

const KEY: ListedKey = {
  id: '1',
  apiKeyType: 'INFERENCE',
  description: '=Laptop, "old"',
  last6Chars: 'abcdef',
  consumptionLimit: { usd: 12.5, diem: null },
  limitPeriod: 'MONTH',
  usage: { currentPeriod: { usd: 0, diem: 0 }, total: { usd: 0.000014, diem: 1 } },
  createdAt: '2026-11-21T20:00:00.000Z',
  allow: null,
  prepaidLimitUsd: null,
  alert: null,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};

describe('keys as CSV', () => {
  it('have a line each, with what they spent and may spend, and nothing that could be called with', () => {
    expect(
      keysCsv([KEY, { ...KEY, description: 'Server', consumptionLimit: { usd: null, diem: null } }]).split('\r\n'),
    ).toEqual([
      'name,last6,type,created,last_used,expires,spent_usd,limit_credits_and_usd,limit_allocation_usd,limit_period',
      `"'=Laptop, ""old""",abcdef,INFERENCE,2026-11-21T20:00:00.000Z,,,1.000014000,12.500000000,,MONTH`,
      'Server,abcdef,INFERENCE,2026-11-21T20:00:00.000Z,,,1.000014000,,,',
      '',
    ]);
  });
});
