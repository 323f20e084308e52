import { expect, it } from 'vitest';
import { hashApiKey } from './api-keys';
import { provideDemoAccount } from './demo-account';
import { describeStores } from '@/test/describe-stores';

describeStores('the sandbox', (open) => {
  it('the demo account is made once, with a key that the secret gives again and no other secret does', async () => {
    const books = await open();
    const { db } = books.store;
    const key = await provideDemoAccount(db, 'one secret');
    expect(await provideDemoAccount(db, 'one secret')).toBe(key);
    expect(await db.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
    expect(await provideDemoAccount(db, 'another secret')).not.toBe(key);
    const standing = await books.meter.findKey(hashApiKey(key));
    expect(standing).toMatchObject({ type: 'INFERENCE', expiresAt: null, revokedAt: null });
    expect(await books.spendable(standing?.accountId as number)).toBe(1_000_000_000_000);
    expect(await books.faults()).toEqual([]);
  });

  it('with another secret the account stays the same where the one before it is given: it has both keys, and its money once', async () => {
    const books = await open();
    const { db } = books.store;
    const before = await provideDemoAccount(db, 'one secret');
    const after = await provideDemoAccount(db, 'another secret', 'one secret');
    expect(await provideDemoAccount(db, 'another secret')).toBe(after);
    const holders = await Promise.all([before, after].map((key) => books.meter.findKey(hashApiKey(key))));
    expect(holders[0]?.accountId).toBe(holders[1]?.accountId);
    expect(await db.selectFrom('accounts').selectAll().execute()).toHaveLength(1);
    expect(await books.spendable(holders[0]?.accountId as number)).toBe(1_000_000_000_000);
  });
});
