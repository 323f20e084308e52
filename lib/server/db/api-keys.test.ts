import { describe, expect, it } from 'vitest';
import { hashApiKey, insertApiKey, listApiKeys, newApiKeySecret, revokeApiKey } from './api-keys';
import { describeStores } from '@/test/describe-stores';

const unlimited = {
  type: 'INFERENCE',
  description: 'd',
  expiresAt: null,
  limitPeriod: 'LIFETIME',
  limitUsdNano: null,
  limitDiemNano: null,
} as const;

describeStores('keys', (open) => {
  describe('API keys', () => {
    it('are 256 random bits behind a prefix', () => {
      const keys = Array.from({ length: 1_000 }, newApiKeySecret);
      expect(new Set(keys).size).toBe(1_000);
      for (const key of keys) expect(key).toMatch(/^tpk_[A-Za-z0-9_-]{43}$/);
    });

    it('are stored as a hash: the secret is nowhere in the database', async () => {
      const books = await open();
      const account = await books.account();
      const secret = newApiKeySecret();
      await insertApiKey(books.store.db, secret, { accountId: account, ...unlimited });
      const [row] = await books.store.db.selectFrom('api_keys').selectAll().execute();
      expect(row?.hash).toBe(hashApiKey(secret));
      expect(JSON.stringify(row)).not.toContain(secret.slice(4, -6));
      expect(row?.last6).toBe(secret.slice(-6));
    });

    it('are listed by account, oldest first', async () => {
      const books = await open();
      const [one, two] = [await books.account(), await books.account()];
      const ids = [await books.key(one), await books.key(two), await books.key(one)].map(({ id }) => id);
      expect((await listApiKeys(books.store.db)).map(({ id }) => id)).toEqual(ids);
      expect((await listApiKeys(books.store.db, one)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
      expect(await listApiKeys(books.store.db, 99)).toEqual([]);
    });

    it('are revoked once and for good', async () => {
      const books = await open();
      const key = await books.key(await books.account());
      expect(await revokeApiKey(books.store.db, key.id, 5)).toBe(true);
      expect(await revokeApiKey(books.store.db, key.id, 6)).toBe(false);
      expect(await revokeApiKey(books.store.db, 99)).toBe(false);
      expect((await listApiKeys(books.store.db))[0]?.revokedAt).toBe(5);
    });
  });
});
