import net, { type OnReadOpts, type Socket } from 'node:net';
import tls from 'node:tls';
import { CallerLines, type LineOwner } from '../caller-lines';
import { busyFailure, ConnectionFault, type Exchange } from './exchange';
import { Connection, type ConnectionOwner, IDLE_MS } from './connection';

const REAP_INTERVAL_MS = 1_000;
/**
 * Number of connections that a caller may use for each connection that is free. So a single caller gets at most three
 * quarters of all connections, and another caller always finds a free connection.
 */
const BUSY_PER_FREE = 3;
const WAITING_PER_CONNECTION = 8;
const NEWEST_SHARE = 1 / 8;
const RETRY_AFTER_MS = { min: 1_000, max: 60_000 };

export interface ConnectionsOptions {
  connections: number;
  connectTimeoutMs: number;
}

/**
 * Connections to one upstream. A request uses the free connection that was used most recently.
 *
 * The folder `http1` is an HTTP/1.1 client for JSON-RPC. Each exchange is one request, sent at most once, and one whole
 * answer. The client uses 15 µs less CPU per small read than undici (docs/decisions/upstreams.md). It bounds the size
 * and time of each answer, scans the JSON structure of long answers on arrival, and reports whether any byte was sent.
 *
 * No caller can use all connections. Waiting requests take turns by caller. A request that cannot be sent before its
 * deadline is refused at once, with a retry delay.
 */
export class Connections implements ConnectionOwner {
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting: CallerLines<Exchange>;
  #busy = 0;
  readonly #averageMs = new Map<LineOwner, number>();
  #tlsSession: Buffer | undefined;
  #reaper: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(
    private readonly url: URL,
    private readonly requestHead: string,
    private readonly options: ConnectionsOptions,
  ) {
    this.#waiting = new CallerLines(options.connections * WAITING_PER_CONNECTION);
  }

  get use(): { open: number; idle: number; waiting: number } {
    return { open: this.#all.size, idle: this.#idle.length, waiting: this.#waiting.length };
  }

  get isFull(): boolean {
    return this.#busy >= this.options.connections && this.#waiting.isFull;
  }

  /** Runs an exchange on a free or new connection. If there is none, queues the exchange until its caller's turn. */
  carry(exchange: Exchange): void {
    if (exchange.isSettled) return;
    if (this.#closed) return exchange.fail(new ConnectionFault('CLOSED'));
    const { caller } = exchange;
    const isWaiting = this.#waiting.length > 0 && this.#waiting.lengthOf(caller) > 0;
    if (isWaiting || !this.#mayBegin(caller)) this.#wait(exchange);
    else this.#begin(exchange, caller);
  }

  onFree(connection: Connection, exchange: Exchange | null): void {
    this.#end(connection, exchange);
    this.#idle.push(connection);
    this.#beginWaiting();
    if (this.#idle.length > 0) this.#reapLater();
  }

  onGone(connection: Connection, exchange: Exchange | null): void {
    this.#end(connection, exchange);
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    if (!this.#closed) this.#beginWaiting();
  }

  close(): void {
    this.#closed = true;
    for (const exchange of this.#waiting.takeAll()) exchange.fail(new ConnectionFault('CLOSED'));
    for (const connection of this.#all) connection.destroy();
    if (this.#reaper) clearTimeout(this.#reaper);
  }

  #takeIdle(): Connection | null {
    let connection: Connection | undefined;
    while ((connection = this.#idle.pop())) {
      if (performance.now() < connection.idleUntil) return connection;
      connection.destroy();
    }
    return null;
  }

  /** Returns whether a caller may use one more connection. The gateway itself may use any free connection. */
  #mayBegin(caller: LineOwner, inFlight?: ReadonlyMap<LineOwner, number>): boolean {
    const free = this.options.connections - this.#busy;
    if (free <= 0) return false;
    const room = free * BUSY_PER_FREE;
    // To save time, counts connections by caller only if many connections are busy.
    return this.#busy < room || caller === null || ((inFlight ?? this.#inFlight()).get(caller) ?? 0) < room;
  }

  #inFlight(): Map<LineOwner, number> {
    const counts = new Map<LineOwner, number>();
    for (const { caller } of this.#all) if (caller !== undefined) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    return counts;
  }

  /**
   * @param caller the caller whose turn it is: the caller of the exchange, or another caller that waits for the same
   * answer
   */
  #begin(exchange: Exchange, caller: LineOwner): void {
    // Counts first, because closing an outdated connection may start other exchanges.
    this.#busy++;
    const idle = this.#takeIdle();
    (idle ?? this.#opened(exchange)).caller = caller;
    idle?.begin(exchange);
  }

  #end(connection: Connection, exchange: Exchange | null): void {
    const { caller } = connection;
    if (caller === undefined) return;
    connection.caller = undefined;
    this.#busy--;
    if (this.#waiting.length === 0) return;
    if (this.#waiting.lengthOf(caller) === 0) this.#averageMs.delete(caller);
    else if (exchange) {
      const tookMs = performance.now() - exchange.startedAt;
      const averageMs = this.#averageMs.get(caller) ?? tookMs;
      this.#averageMs.set(caller, averageMs + (tookMs - averageMs) * NEWEST_SHARE);
    }
  }

  #wait(exchange: Exchange): void {
    const { caller } = exchange;
    const waitMs = this.#waitMs(caller);
    const isTooLate = performance.now() + waitMs >= exchange.deadline;
    if (caller !== null && (isTooLate || !this.#waiting.hasRoomFor(caller)))
      return exchange.fail(busyFailure(Math.min(RETRY_AFTER_MS.max, Math.max(RETRY_AFTER_MS.min, waitMs))));
    this.#waiting.add(caller, exchange);
    const callers = new Set([caller]);
    exchange.queued((other) => {
      if (callers.has(other) || !exchange.isQueued || this.#waiting.isFull) return;
      callers.add(other);
      this.#waiting.add(other, exchange);
      this.#beginWaiting();
    });
  }

  #waitMs(caller: LineOwner): number {
    const averageMs = this.#averageMs.get(caller) ?? 0;
    if (averageMs === 0) return 0;
    return (averageMs * (this.#waiting.lengthOf(caller) + 1)) / Math.max(1, this.#inFlight().get(caller) ?? 0);
  }

  #beginWaiting(): void {
    if (this.#waiting.length === 0) {
      if (this.#averageMs.size > 0) this.#averageMs.clear();
      return;
    }
    const inFlight = this.#inFlight();
    while (this.#waiting.length > 0 && this.#busy < this.options.connections) {
      const next = this.#waiting.take((caller) => this.#mayBegin(caller, inFlight));
      if (!next) return;
      if (!next.item.isQueued || !next.item.isDue()) continue;
      next.item.dequeued();
      inFlight.set(next.caller, (inFlight.get(next.caller) ?? 0) + 1);
      this.#begin(next.item, next.caller);
    }
  }

  /**
   * Opens a connection for an exchange. If the exchange ends before the connection is open, the next waiting exchange
   * gets the connection.
   */
  #opened(exchange: Exchange): Connection {
    let failure: Error = new ConnectionFault('CUT_OFF');
    let isOpen = false;
    const connection: Connection = new Connection(
      ({ onread }) => {
        const socket = this.#connect(onread);
        const timer = setTimeout(
          () => socket.destroy(new ConnectionFault('CONNECT_TIMEOUT')),
          this.options.connectTimeoutMs,
        );
        socket.once('error', (error) => (failure = error));
        socket.once('close', () => {
          clearTimeout(timer);
          if (!isOpen) exchange.fail(this.#closed ? new ConnectionFault('CLOSED') : failure);
        });
        socket.once(this.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          clearTimeout(timer);
          isOpen = true;
          connection.idleUntil = performance.now() + IDLE_MS;
          if (exchange.isDue()) connection.begin(exchange);
          else this.onFree(connection, null);
        });
        return socket;
      },
      this.requestHead,
      this,
    );
    this.#all.add(connection);
    return connection;
  }

  #connect(onread: OnReadOpts): Socket {
    const { hostname, port, protocol } = this.url;
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    const secure = protocol === 'https:';
    const options = {
      host,
      port: port === '' ? (secure ? 443 : 80) : Number(port),
      noDelay: true,
      keepAlive: true,
      onread,
    };
    if (!secure) return net.connect(options);
    const servername = net.isIP(host) ? '' : host;
    const socket = tls.connect({
      ...options,
      servername,
      ALPNProtocols: ['http/1.1'],
      ...(this.#tlsSession && { session: this.#tlsSession }),
    });
    socket.on('session', (session: Buffer) => (this.#tlsSession = session));
    return socket;
  }

  #reapLater(): void {
    if (this.#reaper) return;
    this.#reaper = setTimeout(() => {
      this.#reaper = null;
      const now = performance.now();
      for (const connection of this.#idle.filter(({ idleUntil }) => idleUntil <= now)) connection.destroy();
      if (this.#idle.length > 0) this.#reapLater();
    }, REAP_INTERVAL_MS);
    this.#reaper.unref();
  }
}
