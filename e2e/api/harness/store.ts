import { TestPostgres } from '@/test/test-postgres';

/** The database under a gateway: SQLite in its data folder, or a database of its own on a Postgres. */
export interface Store {
  /** What the gateway's environment says of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string | null;
  remove(): Promise<void>;
}

/** Several gateways of one file run at once, each with up to 15 connections. */
const CONNECTIONS_MAX = 200;

/** One server for all files of this process, because creating a cluster takes as long as many tests. */
let server: Promise<TestPostgres> | null = null;

/** Makes an empty store of the kind that CONTRACT_STORE names; SQLite unless it is set. @throws Error for another kind. */
export async function createStore(kind = process.env.CONTRACT_STORE ?? 'sqlite'): Promise<Store> {
  if (kind === 'sqlite') return { env: {}, databaseUrl: null, remove: () => Promise.resolve() };
  if (kind !== 'postgres') throw new Error(`CONTRACT_STORE is "sqlite" or "postgres", not "${kind}".`);
  server ??= TestPostgres.start({ connectionsMax: CONNECTIONS_MAX });
  const databaseUrl = await (await server).createMigratedDatabase();
  return { env: { DATABASE_URL: databaseUrl }, databaseUrl, remove: () => Promise.resolve() };
}
