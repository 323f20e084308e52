import { once } from 'node:events';
import { chmodSync, cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BundledProgram } from '@/test/bundled-program';
import { tempFolder } from '@/test/temp-folder';
import { createAccount } from '../accounts';
import { DataFolderInUse, openSqlite } from './open';
import { narrowDataFolder } from './private-file';

async function open(dataDir: string, exclusive = true) {
  const store = await openSqlite(dataDir, { exclusive });
  onTestFinished(() => store.close());
  return store;
}

describe('opening a data folder', () => {
  it('creates it for its owner only, and migrates it', async () => {
    const dataDir = join(tempFolder(), 'a', 'b');
    const { db } = await open(dataDir);
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  it.each([0o000, 0o022])(
    'that others may look into, under the umask %i, makes files that they cannot read',
    async (umask) => {
      const dataDir = tempFolder();
      chmodSync(dataDir, 0o755);
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      const { db } = await open(dataDir);
      await createAccount(db, { label: 'x', tier: 'paid' });
      const names = readdirSync(dataDir);
      expect(names).toEqual(
        expect.arrayContaining(['gateway.lock', 'turnpike.db', 'turnpike.db-shm', 'turnpike.db-wal']),
      );
      for (const name of names) expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    },
  );

  it('narrows files that an earlier version left readable, with those that SQLite keeps beside them', async () => {
    const before = tempFolder();
    const dataDir = tempFolder();
    await open(before);
    // A copy of open files equals what a killed gateway leaves behind. Restoring in place would shorten a file that
    // SQLite has mapped, and so end this process.
    cpSync(before, dataDir, { recursive: true });
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['turnpike.db-shm', 'turnpike.db-wal']));
    await open(dataDir);
    for (const name of readdirSync(dataDir))
      expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('says which files it took away from others at a start, and leaves what is not the gateway’s', () => {
    const dataDir = tempFolder();
    for (const name of ['secret', 'turnpike.db', 'turnpike.db.before-2026-01-01T00-00-00.000Z', 'notes.txt'])
      writeFileSync(join(dataDir, name), 'x', { mode: 0o644 });
    writeFileSync(join(dataDir, 'turnpike.db-wal'), 'x', { mode: 0o600 });
    expect(narrowDataFolder(dataDir).sort()).toEqual([
      'secret',
      'turnpike.db',
      'turnpike.db.before-2026-01-01T00-00-00.000Z',
    ]);
    expect(narrowDataFolder(dataDir)).toEqual([]);
    expect(statSync(join(dataDir, 'notes.txt')).mode & 0o777).toBe(0o644);
    expect(narrowDataFolder(join(dataDir, 'nothing'))).toEqual([]);
  });

  it('a second time finds what the first left, migrations run again included', async () => {
    const dataDir = tempFolder();
    const first = await openSqlite(dataDir, { exclusive: true });
    await createAccount(first.db, { label: 'kept', tier: 'paid' });
    await first.close();
    const second = await open(dataDir);
    expect((await second.db.selectFrom('accounts').select('label').execute()).map(({ label }) => label)).toEqual([
      'kept',
    ]);
  });

  it('by several processes at once migrates once', async () => {
    const program = await BundledProgram.make({
      text: `import { openSqlite } from '@/lib/server/db/sqlite/open';
        const store = await openSqlite(process.argv[2], { exclusive: false });
        await store.close();`,
    });
    onTestFinished(() => program.remove());
    for (let round = 0; round < 2; round++) {
      const dataDir = tempFolder();
      const ended = await Promise.all([1, 2, 3].map(() => program.run([dataDir])));
      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ]);
    }
  });

  it('whose migration fails leaves nothing of it', async () => {
    const dataDir = tempFolder();
    const before = new DatabaseSync(join(dataDir, 'turnpike.db'));
    before.exec('create table ledger (in_the_way integer)');
    before.close();
    await expect(openSqlite(dataDir, { exclusive: true })).rejects.toThrow(/ledger/);
    const after = new DatabaseSync(join(dataDir, 'turnpike.db'));
    onTestFinished(() => void after.close());
    const tables = after
      .prepare("select name from sqlite_master where type = 'table' and name not like 'kysely%'")
      .all() as { name: string }[];
    expect(tables.map(({ name }) => name)).toEqual(['ledger']);
  });

  it('that is no database fails, and leaves the folder unclaimed', async () => {
    const dataDir = tempFolder();
    writeFileSync(join(dataDir, 'turnpike.db'), 'x'.repeat(4_096));
    await expect(openSqlite(dataDir, { exclusive: true })).rejects.toThrow(/database/);
    await expect(openSqlite(dataDir, { exclusive: true })).rejects.not.toThrow(DataFolderInUse);
  });
});

describe('a folder belongs to one gateway at a time', () => {
  it('so a second claim is refused, naming the folder, until the first is closed', async () => {
    const dataDir = tempFolder();
    const first = await openSqlite(dataDir, { exclusive: true });
    const refused = openSqlite(dataDir, { exclusive: true });
    await expect(refused).rejects.toThrow(DataFolderInUse);
    await expect(refused).rejects.toThrow(dataDir);
    await first.close();
    await open(dataDir);
  });

  it('while commands share it', async () => {
    const dataDir = tempFolder();
    const gateway = await open(dataDir);
    const command = await open(dataDir, false);
    await createAccount(command.db, { label: 'by a command', tier: 'paid' });
    expect(await gateway.db.selectFrom('accounts').select('label').execute()).toHaveLength(1);
  });

  it('and is free again as soon as its holder was killed', async () => {
    const dataDir = tempFolder();
    const program = await BundledProgram.make({
      text: `import { openSqlite } from '@/lib/server/db/sqlite/open';
        await openSqlite(process.argv[2], { exclusive: true });
        process.stdout.write('claimed');
        setInterval(() => undefined, 1000);`,
    });
    onTestFinished(() => program.remove());
    const holder = program.start([dataDir]);
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout as NodeJS.ReadableStream, 'data');
    await expect(openSqlite(dataDir, { exclusive: true })).rejects.toThrow(DataFolderInUse);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await open(dataDir);
  });
});

describe('the ledger is append-only', () => {
  it.each([
    'update ledger set amount = 1',
    "update ledger set detail = 'x' where id = 1",
    'delete from ledger',
    'delete from ledger where id = 1',
    'update ledger_rows set amount = 1',
    'delete from ledger_rows where id = 1',
    "update ledger_names set detail = 'x'",
    'delete from ledger_names',
    "insert or replace into ledger_names values (1, 'rpc/x', 'y')",
    'insert or replace into ledger select id, account_id, pot, kind, 99, balance_after, api_key_id, resource, detail, units, request_id, created_at, calls, archive_id from ledger',
  ])('%s is refused', async (statement) => {
    const { db, meterConnection } = await open(tempFolder());
    const account = await createAccount(db, { label: '', tier: 'paid' });
    const row = {
      account_id: account,
      pot: 'usd',
      kind: 'GRANT',
      amount: 5,
      balance_after: 5,
      api_key_id: null,
      resource: '',
      detail: '',
      units: 0,
      request_id: '',
      created_at: 0,
    } as const;
    await db.insertInto('ledger').values(row).execute();
    await db.insertInto('ledger_names').values({ resource: 'rpc/x', detail: 'm' }).execute();
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
    expect(() => meterConnection.exec(statement)).toThrow('append-only');
    expect(await db.selectFrom('ledger').select(['amount', 'detail']).execute()).toEqual([{ amount: 5, detail: '' }]);
  });

  it('and no balance can be written below zero', async () => {
    const { db } = await open(tempFolder());
    const account = await createAccount(db, { label: '', tier: 'paid' });
    await expect(db.updateTable('meters').set({ usd: -1 }).where('account_id', '=', account).execute()).rejects.toThrow(
      /check/i,
    );
  });
});

describe('transactions', () => {
  it('that write take the write lock when they begin; those that only read leave it to others', async () => {
    const dataDir = tempFolder();
    const { db } = await open(dataDir);
    const other = new DatabaseSync(join(dataDir, 'turnpike.db'));
    onTestFinished(() => void other.close());
    other.exec('pragma busy_timeout = 1');
    const write = () => other.exec("insert into accounts (label, tier, created_at) values ('x', 'paid', 0)");
    await db.transaction().execute(() => Promise.resolve(expect(write).toThrow(/busy|locked/)));
    await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        const count = async () => (await transaction.selectFrom('accounts').selectAll().execute()).length;
        expect(await count()).toBe(0);
        write();
        expect(await count()).toBe(0);
      });
  });

  it('of one connection wait for one another, and a failed one leaves nothing', async () => {
    const { db } = await open(tempFolder());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_none, index) =>
        db.transaction().execute(async (transaction) => {
          await createAccount(transaction, { label: `a${index}`, tier: 'paid' });
          if (index % 2) throw new Error('changed my mind');
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await db.selectFrom('accounts').select('label').execute()).map(({ label }) => label)).toEqual(
      Array.from({ length: 10 }, (_none, index) => `a${index * 2}`),
    );
    expect(await db.selectFrom('meters').selectAll().execute()).toHaveLength(10);
  });
});
