import { stat } from 'node:fs/promises';
import { setImmediate as lastPhase } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createAccount } from '../../db/accounts';
import { hashApiKey, insertApiKey, newApiKeySecret, revokeApiKey } from '../../db/api-keys';
import { grant } from '../../db/credits';
import { CommitCounter } from '../../db/sqlite/commit-counter';
import { openSqlite } from '../../db/sqlite/open';
import { UNLIMITED } from '@/test/metered-store';
import { SqliteBooks } from '@/test/sqlite-books';
import { SqliteMeter } from './sqlite-meter';
import { States } from './states';

/** Guards that the next request sees a completed change, whichever phase of the event loop last checked the store. */
it('a key that was revoked is so for the next request, where the store was looked at in the last phase of the turn before', async () => {
  const { store } = await SqliteBooks.open();
  const secret = newApiKeySecret();
  const accountId = await createAccount(store.db, { label: '', tier: 'paid' });
  const id = await insertApiKey(store.db, secret, {
    accountId,
    type: 'INFERENCE',
    description: '',
    expiresAt: null,
    limitPeriod: 'MONTH',
    limitUsdNano: null,
    limitDiemNano: null,
  });
  const states = new States(store);
  await lastPhase();
  expect(states.key(hashApiKey(secret))).toMatchObject({ id, revokedAt: null });
  await revokeApiKey(store.db, id);
  // `stat` completes in the poll phase of the event loop, which comes before the loop's last phase.
  const arrives = stat('.');
  for (const untilMs = performance.now() + 50; performance.now() < untilMs;);
  await arrives;
  expect(states.key(hashApiKey(secret))?.revokedAt).toEqual(expect.any(Number));
});

/** Counter of a system on which a file and its memory mapping differ. */
class StuckCounter extends CommitCounter {
  #isStuck = true;

  override read(): number {
    return this.#isStuck ? 7 : NaN;
  }

  override distrust(): void {
    this.#isStuck = false;
  }
}

it('a count of commits that stands still is not trusted after the first charge', async () => {
  const books = await SqliteBooks.open();
  const accountId = await books.account({ usd: 1_000 });
  const meter = new SqliteMeter({ ...books.store, commits: new StuckCounter('') }, UNLIMITED);
  const admission = await meter.reserve(books.request(accountId, 1));
  if (admission.outcome !== 'admitted') throw new Error(admission.outcome);
  await meter.settle(admission.reservation, {
    amountNanoUsd: 1,
    credits: 0,
    resource: 'rpc/test',
    detail: '',
    requestId: 'first',
    replayBody: null,
  });
  await grant(books.store.db, { accountId, pot: 'usd', amountNanoUsd: 100, detail: 'test' });
  await lastPhase();
  expect(meter.spendable({ accountId, apiKeyId: null, purse: 'account' })).toBe(1_099);
});

it('what another connection commits is seen by the next look, in whatever order it comes with charges', async () => {
  const books = await SqliteBooks.open();
  const accountId = await books.account({ usd: 1_000 });
  const other = await openSqlite(books.dataDir, { exclusive: false });
  onTestFinished(() => other.close());
  let usd = 1_000;
  for (let round = 0; round < 60; round++) {
    const charges = [0, 1, 2].slice(round % 4).map(() => books.charge(books.request(accountId, 1)));
    usd -= charges.length;
    if (round % 3 === 0) {
      await grant((round % 2 ? other : books.store).db, { accountId, pot: 'usd', amountNanoUsd: 100, detail: 'test' });
      usd += 100;
    }
    await Promise.all(charges);
    await lastPhase();
    expect(books.meter.spendable({ accountId, apiKeyId: null, purse: 'account' })).toBe(usd);
  }
});
