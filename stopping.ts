import type { Server } from 'node:http';
import type { Gateway } from '@/lib/server/create-gateway';
import { drainServers, type EarlyConnections } from '@/lib/server/http/drain-server';

/** For what was cut to be charged as far as it came, and for what goes on without its client. */
const SETTLE_MS = 5_000;
/** And for store, jobs and stand-ins to close after that: whoever stops a gateway must not have to kill it. */
const CLOSE_MS = 20_000;

/** Longest time that stopping takes, in milliseconds, by the configuration. */
export function stopWithinMs({ drain }: Pick<Gateway['config'], 'drain'>): number {
  return (drain.delaySeconds + drain.timeoutSeconds) * 1_000 + SETTLE_MS + CLOSE_MS;
}

/**
 * Takes a gateway out of service, and closes it: the answers under way come to their end within the configured time,
 * what is left then is charged as far as it came.
 * @param early what takes connections before node:http does.
 */
export async function stopServing(
  { config, drain, openCalls, log, close }: Pick<Gateway, 'config' | 'drain' | 'openCalls' | 'log' | 'close'>,
  servers: readonly Server[],
  early: () => EarlyConnections | null = () => null,
): Promise<void> {
  const { delaySeconds, timeoutSeconds } = config.drain;
  const overdue = setTimeout(() => {
    process.stderr.write(
      'The gateway did not close in time, and ends all the same. Charges are safe: what was answered is committed.\n',
    );
    process.exit(1);
  }, stopWithinMs(config));
  overdue.unref();
  const isCut = await drainServers(
    servers,
    drain,
    { delayMs: delaySeconds * 1_000, timeoutMs: timeoutSeconds * 1_000 },
    early,
  );
  if (isCut)
    log.warn(
      { openCalls: openCalls.count },
      `answers were cut that were not through ${timeoutSeconds} s after the gateway was told to stop`,
    );
  if (!(await openCalls.ended(SETTLE_MS)))
    log.warn(
      { openCalls: openCalls.count },
      'calls are given up that were not through; nothing is charged for what was not noted of them',
    );
  await close();
  clearTimeout(overdue);
}
