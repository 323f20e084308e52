import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkLedger } from '../../billing/ledger-check';
import { SqliteBooks } from '@/test/sqlite-books';
import { tempFolder } from '@/test/temp-folder';
import { backUp, CopyRefused, restore } from './copies';
import { DataFolderInUse, openSqlite } from './open';

const check = async (db: SqliteBooks['store']['db']) => (await checkLedger(db)).faults;

describe('a backup of SQLite', () => {
  it('is made while calls are charged, is whole at one moment, and is readable to its owner only', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 1_000_000 });
    const file = join(tempFolder(), 'copy.db');
    let isDone = false;
    const charging = (async () => {
      let charges = 0;
      while (!isDone || charges < 20) {
        await books.charge(books.request(account, 10), { requestId: `req_${charges++}` });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return charges;
    })();
    await backUp(books.store.db, file, check);
    isDone = true;
    await charging;
    expect(statSync(file).mode & 0o077).toBe(0);
    const folder = join(tempFolder(), 'new');
    expect(await restore(folder, file, check)).toBeNull();
    const restored = await SqliteBooks.open(undefined, { dataDir: folder });
    expect(await restored.faults()).toEqual([]);
    await restored.charge(restored.request(account, 10));
    await expect(sql`delete from ledger`.execute(restored.store.db)).rejects.toThrow('append-only');
  });

  it('is one file, and leaves nothing beside it', async () => {
    const books = await SqliteBooks.open();
    const folder = tempFolder();
    await backUp(books.store.db, join(folder, 'copy.db'), check);
    expect(readdirSync(folder)).toEqual(['copy.db']);
  });

  it('is never readable by others while it grows, whatever the umask', async () => {
    const books = await SqliteBooks.open();
    const folder = tempFolder();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const modes = new Set<number>();
    const look = async (db: SqliteBooks['store']['db']) => {
      for (const name of readdirSync(folder)) modes.add(statSync(join(folder, name)).mode & 0o777);
      return check(db);
    };
    await backUp(books.store.db, join(folder, 'copy.db'), look);
    expect([...modes]).toEqual([0o600]);
  });

  it('removes what a killed one left in its folder, and nothing of one that runs or of others', async () => {
    const books = await SqliteBooks.open();
    const folder = tempFolder();
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const stale = ['old.db', 'copy.db'].flatMap((name) =>
      ['', '-wal', '-shm'].map((suffix) => `${name}.${ended}.part${suffix}`),
    );
    const others = [`old.db.${process.ppid}.part`, 'film.part', 'old.db'];
    for (const name of [...stale, ...others]) writeFileSync(join(folder, name), 'x');
    await backUp(books.store.db, join(folder, 'copy.db'), check);
    expect(readdirSync(folder).sort()).toEqual([...others, 'copy.db'].sort());
  });

  it('overwrites nothing', async () => {
    const books = await SqliteBooks.open();
    const file = join(tempFolder(), 'copy.db');
    writeFileSync(file, 'precious');
    await expect(backUp(books.store.db, file, check)).rejects.toThrow(CopyRefused);
    expect(statSync(file).size).toBe(8);
  });

  it('whose books do not agree gets no name', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 10 });
    await sql`update meters set usd = 11 where account_id = ${account}`.execute(books.store.db);
    const folder = tempFolder();
    await expect(backUp(books.store.db, join(folder, 'copy.db'), check)).rejects.toThrow(/The copy is damaged: /);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a restored copy', () => {
  it('takes the place of what was there, which is kept with all that its log had', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const file = join(tempFolder(), 'copy.db');
    await backUp(books.store.db, file, check);
    await books.charge(books.request(account, 40));
    await books.store.close();
    const kept = (await restore(books.dataDir, file, check)) as string;
    const restored = await openSqlite(books.dataDir, { exclusive: false });
    expect(await restored.db.selectFrom('meters').select('usd').executeTakeFirst()).toEqual({ usd: 100 });
    await restored.close();
    const before = tempFolder();
    await restore(before, kept, check);
    const old = await openSqlite(before, { exclusive: false });
    expect(await old.db.selectFrom('meters').select('usd').executeTakeFirst()).toEqual({ usd: 60 });
    await old.close();
  });

  describe('takes the place of a database that a crash left with its log', () => {
    async function crashed() {
      const books = await SqliteBooks.open();
      const account = await books.account({ usd: 100 });
      const file = join(tempFolder(), 'copy.db');
      await backUp(books.store.db, file, check);
      await books.charge(books.request(account, 40));
      const folder = tempFolder();
      for (const name of ['turnpike.db', 'turnpike.db-wal'])
        copyFileSync(join(books.dataDir, name), join(folder, name));
      return { folder, file, current: join(folder, 'turnpike.db'), log: readFileSync(join(folder, 'turnpike.db-wal')) };
    }

    async function usdIn(folder: string) {
      const { db, close } = await openSqlite(folder, { exclusive: false });
      const meters = await db.selectFrom('meters').select('usd').execute();
      await close();
      return meters;
    }

    it.each([
      ['overwritten', (current: string) => writeFileSync(current, 'nonsense '.repeat(10_000))],
      ['truncated', (current: string) => truncateSync(current, 5_000)],
      ['emptied', (current: string) => truncateSync(current, 0)],
    ])('and that was %s: it is kept as it was', async (_, damage) => {
      const { folder, file, current, log } = await crashed();
      damage(current);
      const damaged = readFileSync(current);
      const kept = (await restore(folder, file, check)) as string;
      expect(readFileSync(kept)).toEqual(damaged);
      expect(readFileSync(`${kept}-wal`)).toEqual(log);
      expect(await usdIn(folder)).toEqual([{ usd: 100 }]);
    });

    it('and that was moved away: the log is kept, and not applied to the copy', async () => {
      const { folder, file, current, log } = await crashed();
      renameSync(current, join(tempFolder(), 'moved.db'));
      expect(readFileSync((await restore(folder, file, check)) as string)).toEqual(log);
      expect(await usdIn(folder)).toEqual([{ usd: 100 }]);
    });
  });

  it('is refused while a gateway runs on the folder, where it is no database, or is not there; nothing is changed then', async () => {
    const books = await SqliteBooks.open();
    await books.account({ usd: 100 });
    const copies = tempFolder();
    const file = join(copies, 'copy.db');
    await backUp(books.store.db, file, check);
    await expect(restore(books.dataDir, file, check)).rejects.toThrow(DataFolderInUse);
    await books.store.close();
    writeFileSync(join(copies, 'nonsense.db'), 'nonsense '.repeat(1_000));
    await expect(restore(books.dataDir, join(copies, 'nonsense.db'), check)).rejects.toThrow();
    await expect(restore(books.dataDir, join(copies, 'nothing.db'), check)).rejects.toThrow('There is no file');
    expect(readdirSync(books.dataDir).filter((name) => /before|incoming/.test(name))).toEqual([]);
    expect(existsSync(join(books.dataDir, 'turnpike.db'))).toBe(true);
  });
});
