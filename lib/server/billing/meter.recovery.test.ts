import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { grant } from '../db/credits';
import { describeStores } from '@/test/describe-stores';
import { UNLIMITED } from '@/test/metered-store';

const CAPPED = { ...UNLIMITED, creditsPerDay: { standard: 100, paid: 100, staff: 100 } };

describeStores('what fails', (open) => {
  describe('a commit that fails', () => {
    it('charges nothing, and everything is as before', async () => {
      const books = await open(CAPPED);
      const account = await books.account({ diem: 30, usd: 70 });
      const key = await books.key(account, { limitUsdNano: 60, limitDiemNano: 30 });
      await books.breakCharges('bad');
      await turn();
      const idempotency = { key: 'k', fingerprint: 'f' };
      const call = books.request(account, 90, { key, idempotency, maxCredits: 100 });
      await expect(
        books.charge(call, { requestId: 'bad', credits: 100, replayBody: Buffer.from('x') }),
      ).rejects.toThrow('disk full');
      expect(await books.spendable(account)).toBe(100);
      expect(await books.balances(account)).toMatchObject({ diem: 30, usd: 70 });

      await books.repairCharges();
      await turn();
      // Nothing of the call counts toward the key's limits, the credit cap or the idempotency key, so it can be made
      // again.
      await books.charge(call, { credits: 100, replayBody: Buffer.from('y') });
      expect(await books.charges(account)).toEqual([
        ['diem', -30, 0],
        ['usd', -60, 10],
      ]);
      const { db } = books.store;
      expect(await db.selectFrom('usage').select(['account_id', 'units']).execute()).toEqual([
        { account_id: account, units: 100 },
      ]);
      expect(await db.selectFrom('key_spend').select(['usd', 'diem']).execute()).toEqual([{ usd: 60, diem: 30 }]);
      expect(
        (await db.selectFrom('idempotency_records').select('body').execute()).map(({ body }) =>
          Buffer.from(body).toString(),
        ),
      ).toEqual(['y']);
      expect(await books.faults()).toEqual([]);
    });

    it('is survived with a grant of another process in the middle', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      await books.breakCharges('bad');
      await turn();
      const failing = books.charge(books.request(account, 40), { requestId: 'bad' });
      await grant(books.store.db, { accountId: account, pot: 'usd', amountNanoUsd: 1_000, detail: '' });
      await expect(failing).rejects.toThrow('disk full');
      await turn();
      expect(await books.spendable(account)).toBe(1_100);
      await books.charge(books.request(account, 40));
      expect(await books.charges(account)).toEqual([['usd', -40, 1_060]]);
      expect(await books.faults()).toEqual([]);
    });
  });

  describe('groups of charges', () => {
    it.each([1, 2, 3, 31, 63, 64, 65, 130, 200])(
      'of %i, each over two pots, are all on the books in order',
      async (size) => {
        const books = await open();
        const account = await books.account({ bundled: 2 * size - 1, usd: 10_000 });
        await Promise.all(
          Array.from({ length: size }, (_none, index) =>
            books.charge(books.request(account, 2), { detail: `m${index}`, replayBody: null }),
          ),
        );
        const charges = await books.charges(account);
        expect(charges).toHaveLength(size + 1);
        expect(charges.at(-1)).toEqual(['usd', -1, 9_999]);
        const details = await books.store.db.selectFrom('usage').select(['detail', 'amount']).orderBy('id').execute();
        expect(details).toEqual(Array.from({ length: size }, (_none, index) => ({ detail: `m${index}`, amount: 2 })));
        expect(await books.faults()).toEqual([]);
      },
    );
  });
});
