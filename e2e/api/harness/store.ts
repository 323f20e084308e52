import { TestPostgres } from '@/test/test-postgres';

/** The database under a gateway: SQLite in its data folder, or a Postgres of its own. */
export interface Store {
  /** What the gateway's environment says of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string | null;
  remove(): Promise<void>;
}

/** Makes an empty store of the kind that CONTRACT_STORE names; SQLite unless it is set. @throws Error for another kind. */
export async function createStore(kind = process.env.CONTRACT_STORE ?? 'sqlite'): Promise<Store> {
  if (kind === 'sqlite') return { env: {}, databaseUrl: null, remove: () => Promise.resolve() };
  if (kind !== 'postgres') throw new Error(`CONTRACT_STORE is "sqlite" or "postgres", not "${kind}".`);
  const server = await TestPostgres.start();
  const databaseUrl = await server.createDatabase();
  return { env: { DATABASE_URL: databaseUrl }, databaseUrl, remove: () => server.remove() };
}
