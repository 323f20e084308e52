import { sql } from 'kysely';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteStatus } from '@/lib/server/db/sqlite/sqlite-status';
import { openSqlite, type SqliteStore } from '@/lib/server/db/sqlite/open';
import { createAccount } from '@/lib/server/db/accounts';
import { grant } from '../../db/credits';
import type { MeterLimits } from '@/lib/server/billing/meter';
import { UNLIMITED } from '@/test/metered-store';
import { tempFolder } from '@/test/temp-folder';
import { checkLedger } from '../ledger-check';
import { SqliteMeter } from './sqlite-meter';

const BODY = new Uint8Array(300_000);
const NANO_USD = 1_000_000_000;

interface Books {
  store: SqliteStore;
  status: SqliteStatus;
  accountId: number;
  log: { level: number; msg: string; reason?: string; err?: unknown }[];
  /** Reserves and charges one call that stores its answer. */
  call(key: string): Promise<number>;
  /** Limits the database to its current number of pages, as a full disk would. */
  fill(): void;
  makeRoom(): void;
}

async function open({
  freeBytesMin = 0,
  limits = UNLIMITED,
}: { freeBytesMin?: number; limits?: MeterLimits } = {}): Promise<Books> {
  const dataDir = tempFolder();
  const store = await openSqlite(dataDir, { exclusive: true });
  const log: Books['log'] = [];
  const status = new SqliteStatus(store.meterConnection, {
    dataDir,
    freeBytesMin,
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line) as Books['log'][number]) }),
    lookMs: 3_600_000,
  });
  onTestFinished(async () => {
    status.close();
    await store.close();
  });
  const meter = new SqliteMeter(store, limits, undefined, status);
  const accountId = await createAccount(store.db, { label: 'test', tier: 'staff' });
  await grant(store.db, { accountId, pot: 'usd', amountNanoUsd: 10 * NANO_USD, detail: 'test' });
  const pages = (count: number) => store.meterConnection.exec(`pragma max_page_count = ${count}`);
  return {
    store,
    status,
    accountId,
    log,
    call: async (key) => {
      const admission = await meter.reserve({
        caller: { accountId, apiKeyId: null, purse: 'account' },
        keyHash: null,
        maxNanoUsd: 1_000,
        maxCredits: 1,
        idempotency: { key, fingerprint: key },
        now: Date.now(),
      });
      if (admission.outcome !== 'admitted') throw new Error(admission.outcome);
      return (
        await meter.settle(admission.reservation, {
          amountNanoUsd: 1_000,
          credits: 1,
          resource: 'rpc/test',
          detail: '',
          requestId: key,
          replayBody: BODY,
        })
      ).remainingNanoUsd;
    },
    // SQLite does not lower the limit below the current size, so 1 means the current size.
    fill: () => void pages(1),
    makeRoom: () => void pages(1_000_000),
  };
}

describe('a full disk, on SQLite', () => {
  it('fails the charges that meet it with 503, and refuses what comes after before it is made, until there is room', async () => {
    const books = await open();
    await books.call('before');
    books.fill();
    await expect(books.call('meets it')).rejects.toMatchObject({
      code: 'STORE_FULL',
      headers: { 'retry-after': '5' },
      cause: { errcode: 13 },
    });
    expect(books.status.trouble).toBe('full');
    // The call is refused at admission, before its charge.
    const refused: unknown = await books.call('comes after').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'STORE_FULL' });
    expect(refused).not.toHaveProperty('cause');
    expect(await books.status.check()).toBe('full');
    books.makeRoom();
    expect(await books.status.check()).toBeNull();
    expect(await books.call('after')).toBe(10 * NANO_USD - 2_000);
    expect(await checkLedger(books.store.db)).toMatchObject({ faults: [] });
    expect(
      await books.store.db.selectFrom('ledger').select('request_id').where('kind', '=', 'CHARGE').execute(),
    ).toEqual([{ request_id: 'before' }, { request_id: 'after' }]);
  });

  it('is told in the log once, without a stack, and so is its end', async () => {
    const books = await open();
    books.fill();
    for (let call = 0; call < 5; call++)
      await expect(books.call(`call ${call}`)).rejects.toMatchObject({ code: 'STORE_FULL' });
    for (let look = 0; look < 3; look++) await books.status.look();
    books.makeRoom();
    for (let look = 0; look < 3; look++) await books.status.look();
    expect(books.log.map(({ msg, reason, err }) => [msg, reason?.replace(/\(.*?\)/, '(…)'), err])).toEqual([
      ["refused new paid work because the data folder's disk is full", 'SQLite could not write (…)', undefined],
      ["accepted paid work again because the data folder's disk has room", undefined, undefined],
    ]);
  });

  it('is seen before it is met: with less room than is kept for what runs, nothing is taken', async () => {
    const books = await open({ freeBytesMin: Number.MAX_SAFE_INTEGER });
    await books.status.look();
    await expect(books.call('refused')).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect(books.log).toMatchObject([
      { reason: expect.stringMatching(/MiB are free, less than the .* MiB that running work needs/) as string },
    ]);
  });

  it('is 503 for other writers than the meter, and ends no transaction twice', async () => {
    const books = await open();
    await setPages(books, 1);
    await expect(
      books.store.db.transaction().execute((db) =>
        db
          .insertInto('installation')
          .values({ name: 'large', value: 'x'.repeat(200_000) })
          .execute(),
      ),
    ).rejects.toMatchObject({ code: 'STORE_FULL' });
    await setPages(books, 1_000_000);
    await books.store.db
      .insertInto('installation')
      .values({ name: 'large', value: 'x'.repeat(200_000) })
      .execute();
  });
});

async function setPages({ store }: Books, count: number): Promise<void> {
  await sql.raw(`pragma max_page_count = ${count}`).execute(store.db);
}
