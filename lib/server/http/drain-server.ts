import type { Server, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Shutdown state of the process. After `begin`, each new answer head has `Connection: close` (RFC 9112, section 9.6),
 * so that no client reuses a connection that will close.
 */
export class Drain {
  readonly #answers = new Set<ServerResponse>();
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#isDraining = true;
    for (const response of this.#answers) response.shouldKeepAlive = false;
    this.#answers.clear();
  }

  follow(response: ServerResponse): void {
    if (this.#isDraining) {
      response.shouldKeepAlive = false;
      return;
    }
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
  }
}

const IDLE_CHECK_MS = 100;
const TAKING_MS_MAX = 1_000;
/** Longest turn of the event loop that counts as short. A short turn rarely misses a new connection. */
const QUIET_TURN_MS = 0.3;
/** Time after which a turn without a new connection ends the wait, even if the turn is long. */
const QUIET_WITHIN_MS = 500;

/** Connections that do not use node:http. */
export interface EarlyConnections {
  /** Closes idle connections immediately, and busy connections after their answer. */
  close(): void;
  cut(): void;
}

export interface DrainTimes {
  /** Time for load balancers to notice the shutdown. During this time, new connections are still accepted. */
  delayMs: number;
  timeoutMs: number;
}

/**
 * Takes servers out of service. During the delay, each connection closes after its answer. After the delay, no new
 * connections are accepted, and running answers may finish. After the timeout, all other connections are closed, and
 * their handlers are told that the client disconnected.
 * @param early returns the fast path's connections; null if there is no fast path
 * @returns whether connections were closed after the timeout
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
 * Accepts connections still in the kernel's queue, because closing the listener would reset them. The event
 * loop accepts one connection per turn. A short turn without a new connection means that the queue is empty. If clients
 * keep connecting, some connections are reset.
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
    // Closes connections of streams whose head announced keep-alive, because node:http leaves them open.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    // If the server is not listening, `close` calls back immediately with an error.
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
