import { checkLedger } from '@/lib/server/billing/ledger-check';
import { Secret } from '@/lib/server/config/secret';
import { openPostgres } from '@/lib/server/db/postgres/open';
import { TestPostgres } from '@/test/test-postgres';

/** A gateway's database: SQLite in its data folder, a Postgres database, or two Postgres partitions. */
export interface Store {
  /** Environment variables of the gateway for this store. */
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string | null;
  remove(): Promise<void>;
}

/** Several gateways of a file run at the same time, each with up to 15 connections. */
const CONNECTIONS_MAX = 200;
/** For each connection, a coordinator opens up to two to each partition. */
const PARTITIONED_CONNECTIONS_MAX = 800;

/** One server for all files of this process, because creating one takes as long as many tests. */
let server: Promise<TestPostgres> | null = null;

/**
 * Creates an empty store of the kind that CONTRACT_STORE names, by default SQLite. @throws Error for an unknown kind
 */
export async function createStore(kind = process.env.CONTRACT_STORE ?? 'sqlite'): Promise<Store> {
  if (kind === 'sqlite') return { env: {}, databaseUrl: null, remove: () => Promise.resolve() };
  if (kind !== 'postgres' && kind !== 'partitions')
    throw new Error(`CONTRACT_STORE is "sqlite", "postgres" or "partitions", not "${kind}".`);
  const isPartitioned = kind === 'partitions';
  server ??= TestPostgres.start({ connectionsMax: isPartitioned ? PARTITIONED_CONNECTIONS_MAX : CONNECTIONS_MAX });
  const databaseUrl = await (await server).createMigratedDatabase();
  const remove = () => (isPartitioned ? expectEqualBooks(databaseUrl) : Promise.resolve());
  return { env: { DATABASE_URL: databaseUrl }, databaseUrl, remove };
}

/** Checks the ledgers of all partitions. @throws Error with the faults */
async function expectEqualBooks(databaseUrl: string): Promise<void> {
  const { db, close } = await openPostgres(new Secret(databaseUrl));
  try {
    const { faults } = await checkLedger(db);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    await close();
  }
}
