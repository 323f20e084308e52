import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const FOLDER = join(import.meta.dirname, '../deploy/plproxy');

/** Address of a partition, in the form that `deploy/plproxy/coordinator.sql` expects. */
export interface PartitionServer {
  host: string;
  port?: string;
  dbname: string;
  user: string;
}

/**
 * Turns migrated databases into a coordinator and its partitions, with the operator's scripts.
 * @param coordinator the URL of the database that gateways connect to
 */
export async function partitionDatabases(
  coordinator: string,
  partitions: readonly { url: string; server: PartitionServer }[],
): Promise<void> {
  for (const { url } of partitions) await run(url, [script('partition.sql')]);
  const servers = JSON.stringify(partitions.map(({ server }) => server));
  await run(coordinator, [`set turnpike.partitions = ${pg.escapeLiteral(servers)}`, script('coordinator.sql')]);
}

function script(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
