import { describe, expect, it } from 'vitest';
import { isIdempotencyKey } from './idempotency-key';

describe('an idempotency key', () => {
  it.each(['a', 'order-17_B', 'x'.repeat(255)])('may be %s', (key) => expect(isIdempotencyKey(key)).toBe(true));

  it.each(['', ' ', 'a b', 'ü', 'a\n', 'x'.repeat(256), '../a'])(
    'is not %j: it could not be sent, or would be refused',
    (key) => expect(isIdempotencyKey(key)).toBe(false),
  );
});
