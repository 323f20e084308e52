import { expect, it } from 'vitest';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';

describeWithPostgres('an allocation that several gateways fix at once', (server) => {
  it('is one, and all of them see what was fixed', async () => {
    const one = await PostgresBooks.open(server());
    const gateways = [one, await one.another(), await one.another()];
    const accounts = [await one.account(), await one.account({ usd: 9 })];
    const fixed = await Promise.all(
      accounts.flatMap((account, at) =>
        Array.from({ length: 15 }, async (_none, index) => ({
          at,
          allocation: await (gateways[index % 3] as PostgresBooks).allocate(account, 100 + index),
        })),
      ),
    );
    for (const [at, account] of accounts.entries()) {
      const amounts = new Set(
        fixed.filter((each) => each.at === at).map(({ allocation }) => allocation?.amountNanoUsd),
      );
      expect(amounts.size).toBe(1);
      expect(await one.balances(account)).toMatchObject({ diem: [...amounts][0] });
    }
    expect(
      await one.store.db.selectFrom('ledger').select('id').where('kind', '=', 'ALLOCATION').execute(),
    ).toHaveLength(2);
    expect(await one.faults()).toEqual([]);
  });

  it("goes by the database's day, and knows no account that is not there", async () => {
    const books = await PostgresBooks.open(server(), { clock: undefined });
    const account = await books.account();
    expect((await books.allocate(account, 5))?.epoch).toBe(Math.floor(Date.now() / 86_400_000));
    await expect(books.meter.allocate({ accountId: 99, amountNanoUsd: 1, staked: 1n, pool: 1n })).rejects.toThrow('99');
  });

  it('frees nothing into the new epoch when the lease of a call of the old one ends', async () => {
    let now = Date.UTC(2026, 10, 20, 23, 59, 59);
    const books = await PostgresBooks.open(server(), { clock: () => now, leaseMs: 60_000 });
    const account = await books.account({ usd: 5 });
    await books.allocate(account, 100);
    await books.admit(books.request(account, 80, { now }));
    now = Date.UTC(2026, 10, 21);
    await books.allocate(account, 30);
    expect(await books.spendable(account)).toBe(35);
    now += 120_000;
    expect(await books.spendable(account)).toBe(35);
    await books.meter.expireLeases();
    expect(await books.reservations()).toBe(0);
    expect(await books.spendable(account)).toBe(35);
    expect(await books.refusal(books.request(account, 36, { now }))).toEqual({
      reason: 'balance',
      spendableNanoUsd: 35,
    });
    expect(await books.faults()).toEqual([]);
  });
});
