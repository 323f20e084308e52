import type { Server } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Drain } from './drain';

/** How often connections are looked at that have become idle. */
const IDLE_CHECK_MS = 100;
/** For connections that clients go on opening. */
const TAKING_MS_MAX = 1_000;
/** A turn of the loop in which hardly anything can have come after its look at the listener. */
const QUIET_TURN_MS = 0.3;
/** For such a turn, before any that took none will do. */
const QUIET_WITHIN_MS = 500;

/** What takes connections of a server before node:http does. */
export interface EarlyConnections {
  /** Ends idle connections now, and the others after the answer that they wait for. */
  close(): void;
  /** Ends all connections, after what was written to them. */
  cut(): void;
}

export interface DrainTimes {
  /** While new connections and requests are still taken: whoever balances the load has to notice first. */
  delayMs: number;
  /** For answers that are under way, after that. */
  timeoutMs: number;
}

/**
 * Takes servers out of service: they go on serving for the delay, with answers that close their connections; then they
 * take no new connections and wait for the answers under way; then they cut what is left, of which each answer hears as
 * of a client that has gone.
 * @param early what stands before node:http at that time, if anything does.
 * @returns whether anything was cut.
 */
export async function drainServers(
  servers: readonly Server[],
  drain: Drain,
  { delayMs, timeoutMs }: DrainTimes,
  early: () => EarlyConnections | null = () => null,
): Promise<boolean> {
  drain.begin();
  if (delayMs > 0) {
    await sleep(delayMs);
    await connectionsTaken(servers);
  }
  const closed = Promise.all(servers.map(closeListener));
  early()?.close();
  const overdue = new AbortController();
  const isOverdue = sleep(timeoutMs, true, { signal: overdue.signal }).catch(() => false);
  const isCut = await Promise.race([closed.then(() => false), isOverdue]);
  overdue.abort();
  if (!isCut) return false;
  early()?.cut();
  for (const server of servers) server.closeAllConnections();
  return true;
}

/**
 * What clients have opened and the kernel holds is taken: a listener that closes with connections waiting resets them.
 * The loop takes one of them in each of its turns, so that a turn that took none has found none waiting. What comes while
 * that turn goes on with other work is not seen by it: a short one is waited for. Where they never end, some are reset
 * after all.
 */
async function connectionsTaken(servers: readonly Server[]): Promise<void> {
  let taken = 0;
  const count = (): void => void taken++;
  for (const server of servers) server.on('connection', count);
  const beganAt = performance.now();
  for (let isOver = false; !isOver;) {
    const before = taken;
    await turn();
    const turnAt = performance.now();
    await turn();
    const now = performance.now();
    const isQuiet = now - turnAt < QUIET_TURN_MS || now - beganAt > QUIET_WITHIN_MS;
    isOver = (before === taken && isQuiet) || now - beganAt > TAKING_MS_MAX;
  }
  for (const server of servers) server.off('connection', count);
}

function closeListener(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A stream whose head was out before has promised to keep its connection, which node:http does then.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    // One that is not listening has an error to tell, and nothing to wait for.
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
