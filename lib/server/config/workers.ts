import { ConfigError } from './config-error';
import type { Config } from './load';

/**
 * How many processes serve: as configured, else one a processor on Postgres and one on SQLite.
 * @throws ConfigError for several on SQLite, whose balances and caps are in the memory of one process, or in the sandbox.
 */
export function workerCount(
  { workers, databaseUrl, profile }: Pick<Config, 'workers' | 'databaseUrl' | 'profile'>,
  processors: number,
): number {
  const isShared = databaseUrl !== null && profile === 'live';
  const count = workers ?? (isShared ? processors : 1);
  if (count > 1 && databaseUrl === null)
    throw new ConfigError([
      `workers: ${count} processes cannot share SQLite, which one process keeps in its memory. Set DATABASE_URL to a Postgres, or workers to 1`,
    ]);
  if (count > 1 && profile === 'sandbox')
    throw new ConfigError([
      `workers: the sandbox has one process, since its stand-ins are that process's own. Set workers to 1`,
    ]);
  return count;
}
