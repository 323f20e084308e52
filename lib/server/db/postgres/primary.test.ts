import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeWithPostgres } from '@/test/postgres';
import { TestPostgres } from '@/test/test-postgres';
import { createPool } from './connection';
import { openPostgres } from './open';

const ABSENT = '127.0.0.1:1';
const WRITE = 'create table if not exists written ()';
const SLEEP = 'select pg_sleep(15)';
const SLEEPING = `select pid from pg_stat_activity where state = 'active' and query = '${SLEEP}'`;
const WHERE = "select current_setting('unix_socket_directories') as folder, pg_backend_pid() as pid";

interface Where {
  folder: string;
  pid: number;
}

function folderOf(server: TestPostgres): string {
  return new URL(server.url('postgres')).searchParams.get('host') as string;
}

/** Makes a server refuse writes, as a standby does, or accept them. */
async function setReadOnly(server: TestPostgres, isReadOnly: boolean): Promise<void> {
  const pool = createPool(server.url('postgres'), {
    connectionsMax: 1,
    statementTimeoutMs: null,
    onLost: () => undefined,
  });
  const value = isReadOnly ? 'on' : 'off';
  await pool.query(`alter system set default_transaction_read_only = ${value}`);
  await pool.query('select pg_reload_conf()');
  for (let now = ''; now !== value;)
    now = (await pool.query<{ now: string }>("select current_setting('default_transaction_read_only') as now")).rows[0]
      ?.now as string;
  await pool.end();
}

/** A session that was open before may learn of the change only at a later statement. */
const untilRefused = (write: () => Promise<unknown>, code: string): Promise<void> =>
  vi.waitFor(() => expect(write()).rejects.toMatchObject({ code }), { timeout: 10_000 });

function poolOf(hosts: readonly string[], parameters = ''): ReturnType<typeof createPool> {
  const url = `postgres://postgres@${hosts.map((host) => (host === ABSENT ? host : encodeURIComponent(host))).join(',')}/postgres?${parameters}`;
  const pool = createPool(url, { connectionsMax: 3, statementTimeoutMs: 20_000, onLost: () => undefined });
  onTestFinished(() => pool.end());
  return pool;
}

const whereOf = async (pool: ReturnType<typeof createPool>): Promise<Where> =>
  (await pool.query<Where>(WHERE)).rows[0] as Where;

describeWithPostgres('several database servers', (server) => {
  async function two() {
    const [first, second] = [await TestPostgres.startCopy(), await TestPostgres.startCopy()] as const;
    onTestFinished(async () => {
      await first.remove();
      await second.remove();
    });
    await setReadOnly(first, true);
    return { first, second, hosts: [ABSENT, folderOf(first), folderOf(second)] };
  }

  it('are asked which of them accepts writes, and a dead one or a standby is passed over', async () => {
    const { second, hosts } = await two();
    expect((await whereOf(poolOf(hosts, 'target_session_attrs=read-write'))).folder).toBe(folderOf(second));
  });

  it('of which the primary changes are followed, and a statement that waits for the old one fails at once', async () => {
    const { first, second, hosts } = await two();
    const pool = poolOf(hosts);
    const sleeping = pool.query(SLEEP).then(
      () => 'it slept',
      (error: Error) => error.message,
    );
    await vi.waitFor(async () => expect((await pool.query(SLEEPING)).rows).toHaveLength(1), { timeout: 10_000 });
    await setReadOnly(second, true);
    await setReadOnly(first, false);
    await untilRefused(() => pool.query(WRITE), '25006');
    expect((await whereOf(pool)).folder).toBe(folderOf(first));
    expect(await sleeping).toMatch(/terminated/);
  });

  it('of which none accepts writes are an error, until one does', async () => {
    const { first, second, hosts } = await two();
    const pool = poolOf(hosts);
    await setReadOnly(second, true);
    await expect(whereOf(pool)).rejects.toThrow(/None of the database servers accepts writes/);
    await setReadOnly(first, false);
    expect((await whereOf(pool)).folder).toBe(folderOf(first));
  });

  it('have a password that no error shows', async () => {
    const url = `postgres://someone:hunter2@${ABSENT},127.0.0.1:2/turnpike`;
    const error = (await openPostgres({ reveal: () => url }).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/database turnpike at 127.0.0.1:1, 127.0.0.1:2.*None of the database servers/);
    expect(error.message).not.toContain('hunter2');
  });

  it('behind a pooler get no prepared statements', async () => {
    const named = { name: 'named', text: 'select 1' };
    const prepared = 'select count(*) as count from pg_prepared_statements';
    for (const [parameters, count] of [
      ['', 1],
      ['prepared_statements=false', 0],
    ] as const) {
      const pool = poolOf([folderOf(server()), ABSENT], parameters);
      await pool.query(named);
      expect((await pool.query<{ count: number }>(prepared)).rows).toEqual([{ count }]);
    }
  });
});

describeWithPostgres('one database server', (server) => {
  it('that has become a standby is connected to anew, because the address may be of another server by then', async () => {
    const own = await TestPostgres.startCopy();
    const store = await openPostgres({ reveal: () => own.url('postgres') });
    onTestFinished(async () => {
      await store.close();
      await own.remove();
    });
    expect(server()).not.toBe(own);
    const pid = async () => (await sql<Where>`${sql.raw(WHERE)}`.execute(store.db)).rows[0]?.pid;
    const before = await pid();
    expect(await pid()).toBe(before);
    await setReadOnly(own, true);
    await untilRefused(() => sql.raw(WRITE).execute(store.db), 'STORE_UNAVAILABLE');
    expect(await pid()).not.toBe(before);
  });
});
