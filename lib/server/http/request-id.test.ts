import { expect, it } from 'vitest';
import { newRequestId } from './request-id';

it('request ids are 32 hex characters, and none comes twice, beyond one fill of the pool too', () => {
  const ids = Array.from({ length: 5_000 }, newRequestId);
  expect(new Set(ids).size).toBe(5_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
