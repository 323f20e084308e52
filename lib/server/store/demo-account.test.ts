import { expect, it } from 'vitest';
import { MeteredStore } from '../testing/metered-store';
import { hashApiKey } from './api-keys';
import { provideDemoAccount } from './demo-account';

it('the demo account is made once, with a key that the secret gives again and no other secret does', async () => {
  const books = await MeteredStore.open();
  const { db } = books.store;
  const key = await provideDemoAccount(db, 'one secret');
  expect(await provideDemoAccount(db, 'one secret')).toBe(key);
  expect(await db.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
  expect(await provideDemoAccount(db, 'another secret')).not.toBe(key);
  const standing = books.meter.findKey(hashApiKey(key));
  expect(standing).toMatchObject({ type: 'INFERENCE', expiresAt: null, revokedAt: null });
  expect(books.spendable(standing?.accountId as number)).toBe(1_000_000_000_000);
  expect(await books.faults()).toEqual([]);
});
