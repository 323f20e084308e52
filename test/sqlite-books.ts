import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { IdempotencyConfig } from '@/lib/server/config/idempotency';
import type { MeterLimits } from '@/lib/server/billing/meter';
import { SqliteMeter } from '@/lib/server/billing/sqlite/sqlite-meter';
import type { Database } from '@/lib/server/db/schema';
import { openSqlite, type SqliteStore } from '@/lib/server/db/sqlite/open';
import { MeteredStore, UNLIMITED } from './metered-store';
import { provideMigrated } from './migrated-folder';
import { tempFolder } from './temp-folder';

/** Meter of one process, on SQLite in a temporary folder. */
export class SqliteBooks extends MeteredStore {
  override readonly countsUncommitted = true;

  private constructor(
    readonly dataDir: string,
    readonly store: SqliteStore,
    readonly meter: SqliteMeter,
    private readonly keeping: IdempotencyConfig | undefined,
  ) {
    super();
  }

  /** Opens a meter. The end of the test closes it. @param limits limits of callers */
  static async open(
    limits: MeterLimits = UNLIMITED,
    { dataDir = tempFolder(), keeping }: { dataDir?: string; keeping?: IdempotencyConfig | undefined } = {},
  ): Promise<SqliteBooks> {
    await provideMigrated(dataDir);
    const store = await openSqlite(dataDir, { exclusive: true, checkpointThread: false });
    onTestFinished(() => store.close());
    return new SqliteBooks(dataDir, store, new SqliteMeter(store, limits, keeping), keeping);
  }

  override async reopen(limits: MeterLimits = UNLIMITED): Promise<SqliteBooks> {
    await this.store.close();
    return SqliteBooks.open(limits, { dataDir: this.dataDir, keeping: this.keeping });
  }

  /** Kills the meter. Calls in progress are never written. */
  async crash(limits: MeterLimits): Promise<SqliteBooks> {
    // Prevents later writes. Closing the store is not enough, because prepared statements stay usable.
    this.store.meterConnection.exec('pragma query_only = ON');
    return this.reopen(limits);
  }

  override async connect(): Promise<Database> {
    const store = await openSqlite(this.dataDir, { exclusive: false });
    onTestFinished(() => store.close());
    return store.db;
  }

  override async breakCharges(requestId: string): Promise<void> {
    await sql
      .raw(
        `create trigger breaks before insert on ledger_rows when new.request_id like '${requestId}%' begin select raise(abort, 'disk full'); end`,
      )
      .execute(this.store.db);
  }

  override async repairCharges(): Promise<void> {
    await sql.raw('drop trigger breaks').execute(this.store.db);
  }
}
