import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleTo } from '@/test/bundle-program';
import { refillSums } from '@/test/refill-sums';
import { tempFolder } from '@/test/temp-folder';
import { createAccount } from '../../db/accounts';
import { openSqlite } from '../../db/sqlite/open';
import { checkLedger } from '../ledger-check';
import { archiveFileFaults } from './archive-check';
import { type ArchiverLog, startArchivingThread } from './archiving-thread';

const ROWS = 300;
const OLD = Date.UTC(2020, 1, 1);

/** Resolves with the first line that the thread logs. */
function firstLine(): { log: ArchiverLog; line: Promise<[object, string]> } {
  let take: (line: [object, string]) => void = () => undefined;
  const line = new Promise<[object, string]>((resolve) => (take = resolve));
  const say = (facts: object, text: string): void => take([facts, text]);
  return { log: { info: say, warn: say }, line };
}

describe('the archiving thread', { timeout: 30_000 }, () => {
  // The folder is inside node_modules, so that Node can resolve the packages that are not bundled.
  const cache = resolve('node_modules', '.cache', 'tests');
  const program = join(cache, 'archiver.mjs');
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    await bundleTo({ file: resolve('lib/server/billing/retention/archiver-program.ts') }, program);
  }, 60_000);

  it('archives old charges beside an open gateway, so that the books stay right, and ends when it is stopped', async () => {
    const dataDir = tempFolder();
    const folder = join(dataDir, 'archive');
    const { db, close } = await openSqlite(dataDir, { exclusive: true, checkpointThread: false });
    const account = await createAccount(db, { label: 'a', tier: 'paid' });
    const charge = (index: number) => ({
      account_id: account,
      pot: 'usd' as const,
      kind: index === 0 ? ('GRANT' as const) : ('CHARGE' as const),
      amount: index === 0 ? 1_000 : -1,
      balance_after: 1_000 - index,
      api_key_id: null,
      resource: index === 0 ? '' : 'rpc/test',
      detail: 'm',
      units: 1,
      request_id: `r${index}`,
      created_at: OLD + index,
    });
    const rows = Array.from({ length: ROWS + 1 }, (_none, index) => charge(index));
    for (let start = 0; start < rows.length; start += 100)
      await db
        .insertInto('ledger')
        .values(rows.slice(start, start + 100))
        .execute();
    await db
      .updateTable('meters')
      .set({ usd: 1_000 - ROWS })
      .where('account_id', '=', account)
      .execute();
    await refillSums(db);
    const { log, line } = firstLine();
    const stop = startArchivingThread(
      { dataDir, ledgerDays: 8, folder },
      log,
      (error) => log.warn({ error }, 'failed'),
      program,
    );
    expect(await line).toEqual([{ archives: 1, rows: ROWS, daily: expect.any(Number) }, 'archived old charges']);
    await stop?.();
    expect(await archiveFileFaults(db, folder)).toEqual([]);
    expect((await checkLedger(db)).faults).toEqual([]);
    const { length: left } = await db.selectFrom('ledger').select('id').where('archive_id', 'is', null).execute();
    expect(left).toBe(1);
    await close();
  });

  it('reports that it failed, and can then be stopped', async () => {
    const broken = join(tempFolder(), 'broken.mjs');
    writeFileSync(broken, `throw new Error('broken');`);
    const { log, line } = firstLine();
    const place = { dataDir: tempFolder(), ledgerDays: 8, folder: tempFolder() };
    const stop = startArchivingThread(place, log, (error) => log.warn({ error }, 'failed'), broken);
    expect(await line).toEqual([{ error: expect.objectContaining({ message: 'broken' }) }, 'failed']);
    await stop?.();
  });

  it('is not started if its program is missing', () => {
    const place = { dataDir: tempFolder(), ledgerDays: 8, folder: tempFolder() };
    expect(startArchivingThread(place, firstLine().log, () => undefined, join(tempFolder(), 'none.mjs'))).toBeNull();
  });
});
