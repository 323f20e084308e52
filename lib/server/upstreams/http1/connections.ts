import net, { type OnReadOpts, type Socket } from 'node:net';
import tls from 'node:tls';
import type { LineOwner } from '../caller-lines';
import { FairSlots, WAITING_PER_SLOT } from '../fair-slots';
import { busyFailure, ConnectionFault, type Exchange } from './exchange';
import { Connection, type ConnectionOwner, IDLE_MS } from './connection';

const REAP_INTERVAL_MS = 1_000;
/** Time to allow for an answer, as a multiple of the caller's average, because some answers take longer. */
const ANSWER_MARGIN = 1.25;

export interface ConnectionsOptions {
  connections: number;
  connectTimeoutMs: number;
}

/**
 * Connections to one upstream. A request uses the free connection that was used last.
 *
 * The folder `http1` is an HTTP/1.1 client for JSON-RPC. Each exchange is one request, sent at most once, and one whole
 * answer. The client uses 15 µs less CPU per small read than undici (docs/decisions/upstreams.md). It bounds the size
 * and time of each answer, scans the JSON structure of long answers on arrival, and reports whether any byte was sent.
 * Callers share the connections (see `FairSlots`).
 */
export class Connections implements ConnectionOwner {
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #slots: FairSlots<Exchange>;
  #tlsSession: Buffer | undefined;
  #reaper: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(
    private readonly url: URL,
    private readonly requestHead: string,
    private readonly options: ConnectionsOptions,
  ) {
    const { connections } = options;
    this.#slots = new FairSlots(connections, connections * WAITING_PER_SLOT, () => this.#inFlight());
  }

  get use(): { open: number; idle: number; waiting: number } {
    return { open: this.#all.size, idle: this.#idle.length, waiting: this.#slots.waiting };
  }

  get isFull(): boolean {
    return this.#slots.isFull;
  }

  /**
   * Runs an exchange on a free or new connection. If the caller may not take one, queues the exchange until the
   * caller's turn.
   */
  carry(exchange: Exchange): void {
    if (exchange.isSettled) return;
    if (this.#closed) return exchange.fail(new ConnectionFault('CLOSED'));
    if (this.#slots.take(exchange.caller)) this.#begin(exchange, exchange.caller);
    else this.#wait(exchange);
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
    for (const exchange of this.#slots.removeAll()) exchange.fail(new ConnectionFault('CLOSED'));
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

  #inFlight(): Map<LineOwner, number> {
    const counts = new Map<LineOwner, number>();
    for (const { caller } of this.#all) if (caller !== undefined) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    return counts;
  }

  /**
   * @param caller the caller that has the turn: the exchange's caller, or another caller that waits for the same answer
   */
  #begin(exchange: Exchange, caller: LineOwner): void {
    const idle = this.#takeIdle();
    (idle ?? this.#opened(exchange)).caller = caller;
    idle?.begin(exchange);
  }

  #end(connection: Connection, exchange: Exchange | null): void {
    const { caller } = connection;
    if (caller === undefined) return;
    connection.caller = undefined;
    this.#slots.free(caller, exchange?.startedAt ?? null);
  }

  #wait(exchange: Exchange): void {
    const { caller } = exchange;
    const retryAfterMs = this.#slots.wait(caller, exchange, this.#spareMs(exchange));
    if (retryAfterMs !== null) return exchange.fail(busyFailure(retryAfterMs));
    const callers = new Set([caller]);
    exchange.queued((other) => {
      if (callers.has(other) || !exchange.isQueued || !this.#slots.join(other, exchange)) return;
      callers.add(other);
      this.#beginWaiting();
    });
  }

  #beginWaiting(): void {
    this.#slots.beginWaiting(this.#beginQueued, this.#isDue);
  }

  /** Returns whether to send a waiting exchange. Refuses an exchange that has too little time left for its answer. */
  readonly #isDue = (exchange: Exchange): boolean => {
    if (exchange.isQueued && this.#spareMs(exchange) <= 0) exchange.onDeadline();
    return exchange.isQueued && exchange.isDue();
  };

  /** Returns how long an exchange can still wait, if its answer takes as long as its caller's answers on average. */
  #spareMs({ caller, deadline }: Exchange): number {
    return deadline - performance.now() - this.#slots.averageMsOf(caller) * ANSWER_MARGIN;
  }

  readonly #beginQueued = (exchange: Exchange, caller: LineOwner): void => {
    exchange.dequeued();
    this.#begin(exchange, caller);
  };

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
