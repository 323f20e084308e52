import { expect, it } from 'vitest';
import { ERRORS, isApiError } from '@/lib/protocol/errors';
import { CallerLimiter } from './caller-limiter';

const NOW = Date.UTC(2026, 10, 20, 12);

it('a caller has its requests a minute, and beyond them a 429 that says when to come back', () => {
  const limiter = new CallerLimiter(2);
  limiter.take(7, NOW);
  limiter.take(7, NOW + 1_000);
  let refusal: unknown;
  try {
    limiter.take(7, NOW + 2_000);
  } catch (error) {
    refusal = error;
  }
  if (!isApiError(refusal)) throw new Error('Not refused.');
  expect(ERRORS[refusal.code].status).toBe(429);
  expect(refusal.headers).toMatchObject({
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'retry-after': '58',
  });
  expect(refusal.fields?.customMessage).toContain('one caller');
  limiter.take(8, NOW + 2_000);
  limiter.take('0xabc', NOW + 2_000);
  limiter.take(7, NOW + 60_000);
});
