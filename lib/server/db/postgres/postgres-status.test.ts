import { createServer, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithPostgres } from '@/test/postgres';
import { refusingUrl } from '@/test/scripted-node';
import { openPostgres } from './open';
import { PostgresStatus } from './postgres-status';

const LONG = { timeout: 30_000 };

/** Returns the URL of a server that accepts connections and never answers. */
async function hangingUrl(): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://u@127.0.0.1:${(server.address() as { port: number }).port}/x`;
}

function statusOf(url: string): PostgresStatus {
  const status = new PostgresStatus({ reveal: () => url });
  onTestFinished(() => status.close());
  return status;
}

describeWithPostgres('whether a Postgres can be used', (server) => {
  it('is told at once: it answers, refuses, or hangs, which is known after a second', LONG, async () => {
    expect(await statusOf(await server().createDatabase()).check()).toBeNull();
    expect(await statusOf((await refusingUrl()).replace('http', 'postgres')).check()).toBe('away');
    const hanging = statusOf(await hangingUrl());
    const startedAt = performance.now();
    expect(await Promise.all([hanging.check(), hanging.check()])).toEqual(['away', 'away']);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(hanging.since).not.toBeNull();
  });

  it('is right again by itself once it answers, and a full disk only once something was written', LONG, async () => {
    const url = await server().createDatabase();
    const status = statusOf(url);
    status.failed(new Error('connection lost'));
    expect(status.trouble).toBe('away');
    expect(await status.check()).toBeNull();
    status.failed(Object.assign(new Error('No space left on device'), { code: '53100' }));
    expect(status.trouble).toBe('full');
    // Before the migrations, there is no table for the probe to write to.
    expect(await status.check()).not.toBeNull();
    await (await openPostgres({ reveal: () => url })).close();
    status.failed(Object.assign(new Error('No space left on device'), { code: '53100' }));
    expect(await status.check()).toBeNull();
  });

  it(
    'is 503 for ordinary queries too where it is away or hangs, and what it refuses stays what it is',
    LONG,
    async () => {
      const url = await server().createDatabase();
      const store = await openPostgres({ reveal: () => url }, undefined, 500);
      onTestFinished(() => store.close());
      await expect(sql`select pg_sleep(20)`.execute(store.db)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await expect(sql`select nonsense`.execute(store.db)).rejects.toMatchObject({ code: '42703' });
      const cut = sql`select pg_terminate_backend(pid), pg_sleep(0) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
      await cut.execute(store.db);
      await store.db
        .transaction()
        .execute(async (db) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
          await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
        })
        .then(
          () => expect.unreachable(),
          (error: unknown) => expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' }),
        );
      expect((await sql`select 1`.execute(store.db)).rows).toHaveLength(1);
    },
  );
});
