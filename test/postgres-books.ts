import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { Secret } from '@/lib/server/config/secret';
import type { MeterLimits } from '@/lib/server/billing/meter';
import { PostgresMeter, type PostgresMeterSettings } from '@/lib/server/billing/postgres/postgres-meter';
import { openPostgres, type PostgresStore } from '@/lib/server/db/postgres/open';
import type { Database } from '@/lib/server/db/schema';
import { MeteredStore, UNLIMITED } from './metered-store';
import type { TestPostgres } from './test-postgres';

type Settings = Partial<PostgresMeterSettings>;

/** The lease is long, because a test's clock may jump by days. No row is read from a copy. */
const DEFAULTS = { limits: UNLIMITED, leaseMs: 7 * 86_400_000, copyMs: 0, clock: () => Date.now() } as const;

/** One of several meters that share a Postgres database. */
export class PostgresBooks extends MeteredStore {
  override readonly countsUncommitted = false;

  private constructor(
    readonly url: string,
    readonly store: PostgresStore,
    readonly meter: PostgresMeter,
  ) {
    super();
  }

  /** Opens a meter on a new database. The end of the test closes the meter. */
  static async open(server: TestPostgres, settings: Settings = {}): Promise<PostgresBooks> {
    return PostgresBooks.on(await server.createMigratedDatabase(), settings);
  }

  /** Opens a meter on an existing database. */
  static async on(url: string, settings: Settings = {}): Promise<PostgresBooks> {
    const store = await openPostgres(new Secret(url));
    const meter = new PostgresMeter(new Secret(url), { ...DEFAULTS, ...settings });
    onTestFinished(async () => {
      await meter.close();
      await store.close();
    });
    return new PostgresBooks(url, store, meter);
  }

  /** Opens another gateway's meter on the same database. */
  another(settings: Settings = {}): Promise<PostgresBooks> {
    return PostgresBooks.on(this.url, settings);
  }

  override reopen(limits: MeterLimits = UNLIMITED): Promise<PostgresBooks> {
    return this.another({ limits });
  }

  override async connect(): Promise<Database> {
    const store = await openPostgres(new Secret(this.url));
    onTestFinished(() => store.close());
    return store.db;
  }

  override async breakCharges(requestId: string): Promise<void> {
    const { db } = this.store;
    await sql
      .raw(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`)
      .execute(db);
    await sql
      .raw(
        `create trigger breaks before insert on ledger_rows for each row when (new.reference like '${requestId}%') execute function fail()`,
      )
      .execute(db);
  }

  override async repairCharges(): Promise<void> {
    await sql.raw('drop trigger breaks on ledger_rows').execute(this.store.db);
    await sql.raw('drop function fail').execute(this.store.db);
  }

  /** Returns the number of reservations in the database, including expired ones. */
  async reservations(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from reservations`.execute(this.store.db);
    return rows[0]?.count ?? 0;
  }
}
