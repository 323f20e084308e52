import { ConfigError } from './faults';
import type { Config } from './load';

/**
 * Returns the number of processes that serve calls. Default: one per processor for a live gateway on Postgres, else
 * one.
 * @throws ConfigError for several processes in the sandbox, or with SQLite, where one process keeps reservations in
 * memory
 */
export function workerCount(
  { workers, databaseUrl, profile }: Pick<Config, 'workers' | 'databaseUrl' | 'profile'>,
  processors: number,
): number {
  const isShared = databaseUrl !== null && profile === 'live';
  const count = workers ?? (isShared ? processors : 1);
  if (count > 1 && databaseUrl === null)
    throw new ConfigError([
      `workers: ${count} processes cannot share SQLite. Set DATABASE_URL to a Postgres, or workers to 1`,
    ]);
  if (count > 1 && profile === 'sandbox')
    throw new ConfigError([`workers: the sandbox runs in one process. Set workers to 1`]);
  return count;
}
