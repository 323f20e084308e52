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
});
