import { expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { hashApiKey, insertApiKey } from './api-keys';
import { claimForProfile, DatabaseOfOtherProfile, markForProfile, type Profile } from './database-profile';
import { provideDemoAccount } from './demo-account';
import { grant } from './credits';

describeStores('a database belongs to one profile', (open) => {
  const claim = (books: MeteredStore, profile: Profile) => claimForProfile(books.store.db, profile, 'the test');
  const marks = async (books: MeteredStore) =>
    (await books.store.db.selectFrom('installation').selectAll().execute()).map(({ value }) => value);

  it.each(['sandbox', 'live'] as const)(
    'an empty one is marked by the %s that is started on it first, and the other refuses it from then on',
    async (first) => {
      const books = await open();
      const second = first === 'live' ? 'sandbox' : 'live';
      for (let start = 0; start < 2; start++) await claim(books, first);
      await expect(claim(books, second)).rejects.toThrow(DatabaseOfOtherProfile);
      await expect(claim(books, second)).rejects.toThrow(
        `belongs to the ${first} profile, which used it first, and the ${second} profile was started on it.`,
      );
      await expect(claim(books, second)).rejects.toThrow(
        `Start with TURNPIKE_PROFILE=${first}, or give the ${second} profile a database of its own`,
      );
      expect(await marks(books)).toEqual([first]);
    },
  );

  it('one of both that are started at the same time gets it', async () => {
    const books = await open();
    const other = await books.connect();
    const outcomes = await Promise.allSettled([claim(books, 'sandbox'), claimForProfile(other, 'live', 'the test')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await marks(books)).toHaveLength(1);
  });

  it("one from before the mark that has a demo account is a sandbox's: live refuses it, unmarked, and never finds its key", async () => {
    const books = await open();
    await provideDemoAccount(books.store.db, 'a secret');
    await expect(claim(books, 'live')).rejects.toThrow(
      /contains a sandbox's demo account.*database mark --profile live records that permanently, and revokes the demo account's keys/,
    );
    expect(await marks(books)).toEqual([]);
    await claim(books, 'sandbox');
    expect(await marks(books)).toEqual(['sandbox']);
  });

  it('one from before the mark that has accounts and no demo account is live: the sandbox refuses it, and adds none', async () => {
    const books = await open();
    await books.account({ usd: 10 });
    await expect(claim(books, 'sandbox')).rejects.toThrow(
      /contains accounts, but no demo account of a sandbox.*would add its demo account/,
    );
    expect(await marks(books)).toEqual([]);
    await claim(books, 'live');
    expect(await marks(books)).toEqual(['live']);
  });

  it("what customers and operators may name so is no sandbox's mark: a label, a key's description, a note alone", async () => {
    const books = await open();
    const accountId = await books.account({ usd: 10 });
    const { db } = books.store;
    await grant(db, { accountId, pot: 'bundled', amountNanoUsd: 5, detail: 'sandbox demo credit' });
    await insertApiKey(db, 'tpk_x', {
      accountId,
      type: 'INFERENCE',
      description: 'Sandbox demo key',
      expiresAt: null,
      limitPeriod: 'LIFETIME',
      limitUsdNano: null,
      limitDiemNano: null,
    });
    await claim(books, 'live');
    expect(await marks(books)).toEqual(['live']);
  });

  it('the operator marks one that nobody has marked: for live its demo key is revoked, and the money of others stays', async () => {
    const books = await open();
    const { db } = books.store;
    const account = await books.account({ usd: 10 });
    const key = await provideDemoAccount(db, 'a secret');
    expect(await markForProfile(db, 'live', 'the test')).toBe(1);
    expect((await books.meter.findKey(hashApiKey(key)))?.revokedAt).not.toBeNull();
    await claim(books, 'live');
    await expect(markForProfile(db, 'sandbox', 'the test')).rejects.toThrow(DatabaseOfOtherProfile);
    expect(await books.balances(account)).toMatchObject({ usd: 10 });
    expect(await books.faults()).toEqual([]);
  });
});
