import { randomUUID } from 'node:crypto';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { describeWithPostgres } from '@/test/postgres';
import { UNLIMITED } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';
import { type CallOutcome, ChargeStatement, type MeterCall, MeterStatement } from './meter-statements';

/** Time after which background writes are on disk. A crash then does not lose them. */
const WRITTEN_MS = 1_000;

/** Proxy to a Postgres socket. Tests can cut it, or make it drop the server's answers. */
class Line {
  readonly #sockets = new Set<Socket>();
  #mute = false;
  #server: Server | undefined;

  static async to(url: string): Promise<{ line: Line; url: string }> {
    const { searchParams, pathname } = new URL(url);
    const line = new Line();
    const server = createServer((near) =>
      line.#join(near, createConnection(`${searchParams.get('host')}/.s.PGSQL.5432`)),
    );
    line.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => line.close());
    return { line, url: `postgres://postgres@127.0.0.1:${(server.address() as { port: number }).port}${pathname}` };
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      if (!this.#mute) near.write(chunk);
    });
  }

  /** Drops all answers from now on. The server still executes requests. */
  mute(): void {
    this.#mute = true;
  }

  cut(): void {
    this.#mute = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server?.close();
  }
}

async function unavailable(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('It worked.'),
    (reason: unknown) => reason,
  );
  if (!isApiError(error) || error.code !== 'STORE_UNAVAILABLE') throw error;
  expect(error.headers).toMatchObject({ 'retry-after': '2' });
  return error.message;
}

describeWithPostgres('a database that is away', (server) => {
  it('has no call made before it is admitted, from its first lost connection on and as long as look-ups fail', async () => {
    const books = await PostgresBooks.open(server(), { copyMs: 60_000 });
    const account = await books.account({ usd: 10_000 });
    const request = books.request(account, 10, { deferrable: true });
    await books.meter.spendable(request.caller, { willReserve: true });
    await books.settle(await books.admit(request), 10);
    await server().crash();
    await sleep(100);
    await unavailable(Promise.resolve(books.meter.reserve(request)));
    // Cached facts about the caller are valid for a minute, and would let calls run upstream during the outage.
    let aheadMs = 0;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    onTestFinished(() => clock.mockRestore());
    for (let second = 0; second < 10; second++) {
      aheadMs += 1_000;
      await unavailable(Promise.resolve(books.meter.findKey(`unknown ${second}`)));
    }
    await unavailable(Promise.resolve(books.meter.reserve(request)));
    await server().restart();
  });

  it('refuses admission and identification in a sentence, at once, and is used again as soon as it is back', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 100 });
    const key = await books.key(account);
    await books.charge(books.request(account, 10, { key }));
    await server().crash();
    const startedAt = performance.now();
    expect(await unavailable(books.reserve(books.request(account, 10, { key })))).toMatch(
      /cannot reach its database. Nothing was charged/,
    );
    await unavailable(Promise.resolve(books.meter.findKey(key.hash)));
    await unavailable(books.spendable(account));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await server().restart();
    await books.charge(books.request(account, 10, { key }));
    expect(await books.balances(account)).toMatchObject({ usd: 80 });
    expect(await books.faults()).toEqual([]);
  });

  it('while a call runs: its charge waits for the database, and is made once', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 100 });
    const reservation = await books.admit(books.request(account, 10));
    await sleep(WRITTEN_MS);
    await server().crash();
    const settled = books.settle(reservation, 10);
    await sleep(300);
    await server().restart();
    await settled;
    expect(await books.charges(account)).toEqual([['usd', -10, 90]]);
    expect(await books.reservations()).toBe(0);
  });

  it('whose crash lost the reservation of a running call: no answer, nothing charged', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 100 });
    const reservation = await books.admit(books.request(account, 10));
    await sql`delete from reservations`.execute(books.store.db);
    await sql`update meters set held_usd = 0, held_credits = 0`.execute(books.store.db);
    expect(await unavailable(books.settle(reservation, 10))).toMatch(/reservation of this call is gone.*not charged/);
    expect(await books.charges(account)).toEqual([]);
    expect(await books.faults()).toEqual([]);
  });

  it('for longer than a charge can wait: no answer, nothing charged, and the hold is freed', async () => {
    const books = await PostgresBooks.open(server());
    const account = await books.account({ usd: 100 });
    const reservation = await books.admit(books.request(account, 10));
    await sleep(WRITTEN_MS);
    await server().crash();
    await expect(unavailable(books.settle(reservation, 10))).resolves.toMatch(/may have been charged/);
    await server().restart();
    expect(await books.charges(account)).toEqual([]);
    await vi.waitFor(async () => expect(await books.spendable(account)).toBe(100), { timeout: 10_000, interval: 50 });
    expect(await books.reservations()).toBe(0);
  });
});

describeWithPostgres('a connection that is lost', (server) => {
  async function behindLine() {
    const direct = await PostgresBooks.open(server());
    const { line, url } = await Line.to(direct.url);
    return { direct, line, url, books: await PostgresBooks.on(url) };
  }

  it('while idle is not noticed by anybody', async () => {
    const { books, line } = await behindLine();
    const account = await books.account({ usd: 100 });
    await books.charge(books.request(account, 10));
    line.cut();
    await sleep(20);
    await books.charge(books.request(account, 10));
    expect(await books.charges(account)).toHaveLength(2);
  });

  it('between the commit of a charge and the news of it: the charge is found, and not made twice', async () => {
    const { books, direct, line } = await behindLine();
    const account = await books.account({ usd: 100 });
    const reservation = await books.admit(books.request(account, 10));
    line.mute();
    const settled = books.settle(reservation, 10);
    while ((await direct.charges(account)).length === 0) await sleep(5);
    line.cut();
    await settled;
    expect(await direct.charges(account)).toEqual([['usd', -10, 90]]);
    expect(await direct.faults()).toEqual([]);
  });

  it('between the commit of a charge of a call that was made first and the news of it: the same', async () => {
    const { direct, line, url } = await behindLine();
    const books = await PostgresBooks.on(url, { copyMs: 60_000 });
    const account = await books.account({ usd: 10_000 });
    const request = books.request(account, 10, { deferrable: true });
    await books.meter.spendable(request.caller, { willReserve: true });
    const reservation = await books.admit(request);
    expect(await direct.reservations()).toBe(0);
    line.mute();
    const settled = books.settle(reservation, 10);
    while ((await direct.charges(account)).length === 0) await sleep(5);
    line.cut();
    expect(await settled).toEqual({ remainingNanoUsd: 9_990 });
    expect(await direct.charges(account)).toEqual([['usd', -10, 9_990]]);
    expect(await direct.faults()).toEqual([]);
    // For some time after an outage, calls are admitted before they run, so that none runs during the next outage.
    await books.admit(request);
    expect(await direct.reservations()).toBe(1);
  });

  it.each(['charges', 'meter'] as const)(
    'while its statement (%s) waits for the meter: a charge that was sent again is not made by that statement too',
    async (kind) => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 100 });
      const clients = [new pg.Client(books.url), new pg.Client(books.url)] as const;
      const [lost, again] = clients;
      for (const client of clients) await client.connect();
      onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
      const run = (client: pg.Client, by: typeof kind, mayHaveRun: boolean): Promise<(CallOutcome | null)[]> => {
        const { query } = client;
        const pool = { connect: async () => ({ query: query.bind(client), release: () => undefined }) };
        const only = pool as unknown as pg.Pool;
        const statement =
          by === 'charges' ? new ChargeStatement(only, UNLIMITED) : new MeterStatement(only, UNLIMITED, 9);
        const row = { kind: 'charge', account_id: account, reservation: id, at: null, purse: 'account', amount: 10 };
        const more = { credits: 1, units: 1, lease_ms: 1_000, resource: 'r', detail: 'd', request_id: id };
        return statement.run([{ row: { ...row, ...more }, body: null, mayHaveRun } as MeterCall], 5_000);
      };
      const id = randomUUID().replaceAll('-', '');
      await again.query('begin');
      await again.query('select from meters for update');
      const waiting = run(lost, kind, false);
      await vi.waitUntil(
        async () => (await sql`select from pg_locks where not granted`.execute(books.store.db)).rows.length > 0,
      );
      expect(await run(again, 'meter', true)).toMatchObject([{ outcome: 'settled' }]);
      await again.query('commit');
      await waiting;
      expect(await books.charges(account)).toEqual([['usd', -10, 90]]);
      expect(await books.faults()).toEqual([]);
    },
  );

  it('between an admission and the news of it: it is found, and holds once', async () => {
    const { books, direct, line } = await behindLine();
    const account = await books.account({ usd: 100 });
    await books.charge(books.request(account, 1));
    line.mute();
    const admitted = books.admit(books.request(account, 10));
    while ((await direct.reservations()) === 0) await sleep(5);
    line.cut();
    await books.settle(await admitted, 10);
    expect(await direct.reservations()).toBe(0);
    expect(await direct.spendable(account)).toBe(89);
  });
});
