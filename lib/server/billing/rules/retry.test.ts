import { expect, it } from 'vitest';
import { ERRORS } from '@/lib/protocol/errors';
import { rateLimitHeaders } from '../../http/rate-limit/minute-limiter';
import type { Refusal } from '../meter';
import { refusalError } from '../refusal-error';
import { capOf } from './retry';

const NOW = 1_700_000_000_123;
const REFUSALS: Refusal[] = [
  { reason: 'minute-cap', limit: 100, remaining: 0, resetAt: NOW + 12_345 },
  { reason: 'credit-cap', limit: 1_000, remaining: 3, resetAt: NOW + 3_600_000 },
  { reason: 'collision', kind: 'idempotency-key' },
  { reason: 'collision', kind: 'admission-lock' },
  { reason: 'key-cap', limit: 5 },
  { reason: 'key-reused' },
  { reason: 'answer-not-kept' },
  { reason: 'key-revoked' },
  { reason: 'key-expired' },
  { reason: 'balance', spendableNanoUsd: 1 },
  { reason: 'key-limit', currency: 'usd', period: 'MONTH' },
];

it.each(REFUSALS.map((refusal) => [refusal.reason, refusal] as const))(
  'a call refused for %s is told what to wait for if it is a 429, and else nothing',
  (_reason, refusal) => {
    const { code, headers } = refusalError(refusal, 10, NOW);
    const cap = capOf(refusal, NOW);
    expect(ERRORS[code].status === 429).toBe(cap !== null);
    expect(headers).toEqual(cap ? rateLimitHeaders(cap, NOW) : undefined);
  },
);
