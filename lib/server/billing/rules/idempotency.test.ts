import { expect, it } from 'vitest';
import { forgottenUntil, repeated } from './idempotency';

const body = Buffer.from('answer');

it('the same request under a key has its answer again, and another one is refused (spec, RPC proxy rule 6)', () => {
  const kept = { fingerprint: 'f', body, isKept: 1 };
  expect(repeated(kept, 'f')).toEqual({ outcome: 'replayed', body });
  expect(repeated(kept, 'g')).toEqual({ outcome: 'refused', refusal: { reason: 'key-reused' } });
});

it('an answer that there was no room for is not given, and its call not made again', () => {
  expect(repeated({ fingerprint: 'f', body, isKept: 0 }, 'f')).toEqual({
    outcome: 'refused',
    refusal: { reason: 'answer-not-kept' },
  });
});

it('a key may be used again after 24 hours', () => {
  expect(forgottenUntil(1_700_000_000_000)).toBe(1_700_000_000_000 - 24 * 3_600_000);
});
