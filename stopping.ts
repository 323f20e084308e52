import type { Server } from 'node:http';
import type { Gateway } from '@/lib/server/create-gateway';
import { drainServers, type EarlyConnections } from '@/lib/server/http/drain-server';

/** Time for charging interrupted answers, and for work that continues after the client has disconnected. */
const SETTLE_MS = 5_000;
/** Time after SETTLE_MS for closing the database, jobs and simulators. */
const CLOSE_MS = 20_000;

export function stopWithinMs({ drain }: Pick<Gateway['config'], 'drain'>): number {
  return (drain.delaySeconds + drain.timeoutSeconds) * 1_000 + SETTLE_MS + CLOSE_MS;
}

/**
 * Drains and closes a gateway. Running answers may finish within the configured time. Answers that take longer are cut
 * off and charged for what was received.
 * @param early returns the connections that the gateway accepted without node:http
 */
export async function stopServing(
  { config, drain, openCalls, log, close }: Pick<Gateway, 'config' | 'drain' | 'openCalls' | 'log' | 'close'>,
  servers: readonly Server[],
  early: () => EarlyConnections | null = () => null,
): Promise<void> {
  const { delaySeconds, timeoutSeconds } = config.drain;
  const overdue = setTimeout(() => {
    process.stderr.write(
      'The gateway did not close in time and was ended. Charges are safe, because answered calls are already committed.\n',
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
      { openCalls: openCalls.count, timeoutSeconds },
      'cut off answers that were unfinished when the stop timeout passed',
    );
  if (!(await openCalls.ended(SETTLE_MS)))
    log.warn({ openCalls: openCalls.count }, 'gave up on unfinished calls; only checkpointed usage was charged');
  await close();
  clearTimeout(overdue);
}
