import net, { type OnReadOpts, type Socket } from 'node:net';
import tls from 'node:tls';
import { ConnectionFault, type Exchange } from './exchange';
import { Connection, type ConnectionOwner, IDLE_MS } from './connection';

const REAP_INTERVAL_MS = 1_000;

export interface ConnectionsOptions {
  connections: number;
  connectTimeoutMs: number;
}

/**
 * Connections to one upstream. A request takes the free connection that was used last.
 *
 * The folder `http1` is an HTTP/1.1 client for JSON-RPC: one request and one whole answer per exchange, over kept-alive
 * connections. It saves 15 µs of CPU per small read against undici (docs/decisions/upstreams.md). It bounds the size
 * and time of each answer. It reads long answers in turns so that no connection starves the others, and scans their
 * JSON structure while bytes arrive. It sends a request at most once per exchange. It reports whether any byte was
 * sent, because the pool decides about retries.
 */
export class Connections implements ConnectionOwner {
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #queue: Exchange[] = [];
  #tlsSession: Buffer | undefined;
  #reaper: NodeJS.Timeout | null = null;
  #closed = false;

  /** @param requestHead head of every request up to the value of Content-Length */
  constructor(
    private readonly url: URL,
    private readonly requestHead: string,
    private readonly options: ConnectionsOptions,
  ) {}

  get use(): { open: number; idle: number; waiting: number } {
    return { open: this.#all.size, idle: this.#idle.length, waiting: this.#queue.length };
  }

  /** Runs an exchange on a free connection, on a new one, or on the next one that becomes free. */
  carry(exchange: Exchange): void {
    if (exchange.isSettled) return;
    if (this.#closed) return exchange.fail(new ConnectionFault('CLOSED'));
    const free = this.#takeIdle();
    if (free) free.begin(exchange);
    else if (this.#all.size < this.options.connections) this.#open(exchange);
    else this.#queue.push(exchange);
  }

  onFree(connection: Connection): void {
    const next = this.#nextInQueue();
    if (next) {
      connection.begin(next);
    } else {
      this.#idle.push(connection);
      this.#reapLater();
    }
  }

  onGone(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    const next = this.#closed ? null : this.#nextInQueue();
    if (next) this.#open(next);
  }

  close(): void {
    this.#closed = true;
    for (const exchange of this.#queue.splice(0)) exchange.fail(new ConnectionFault('CLOSED'));
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

  #nextInQueue(): Exchange | null {
    let exchange: Exchange | undefined;
    while ((exchange = this.#queue.shift())) if (exchange.isDue()) return exchange;
    return null;
  }

  /**
   * Opens a connection for an exchange. If the exchange has ended meanwhile, the next waiting one gets the connection.
   */
  #open(exchange: Exchange): void {
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
          else this.onFree(connection);
        });
        return socket;
      },
      this.requestHead,
      this,
    );
    this.#all.add(connection);
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
