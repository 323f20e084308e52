import pg from 'pg';
import type { Server } from '@/lib/protocol/database-servers';

/** Time for a server to answer whether it accepts writes. Shorter than the connection timeout. */
const ANSWER_MS = 2_000;

/**
 * Finds which of several servers accepts writes. Queries all servers at the same time, so that a failed server causes
 * no delay. Remembers the answer until a connection fails.
 */
export class Primary {
  #known: Server | null = null;
  /** The last known primary, kept even after `forget`. */
  #last: Server | null = null;
  #asking: Promise<Server> | null = null;
  readonly #onMoved = new Set<(to: Server) => void>();

  /** @param config the connections' settings, without host and port */
  constructor(
    private readonly servers: readonly Server[],
    private readonly config: pg.ClientConfig,
  ) {}

  /** @throws Error if no server accepts writes now */
  async find(): Promise<Server> {
    return this.#known ?? (this.#asking ??= this.#ask().finally(() => (this.#asking = null)));
  }

  /** Makes the next connection search for the primary again. */
  forget(): void {
    this.#known = null;
  }

  /** Calls `told` each time another server has become the primary. @returns a function that stops these calls */
  onMoved(told: (to: Server) => void): () => void {
    this.#onMoved.add(told);
    return () => this.#onMoved.delete(told);
  }

  async #ask(): Promise<Server> {
    const errors: unknown[] = [];
    const found = await Promise.any(
      this.servers.map((server) =>
        this.#askOne(server).catch((error: unknown) => {
          errors.push(error);
          throw error;
        }),
      ),
    ).catch(() => {
      throw new Error('None of the database servers accepts writes now.', { cause: errors[0] });
    });
    const hasMoved = this.#last !== null && this.#last !== found;
    this.#known = this.#last = found;
    if (hasMoved) for (const told of this.#onMoved) told(found);
    return found;
  }

  async #askOne(server: Server): Promise<Server> {
    const client = new pg.Client({ ...this.config, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
    Object.assign(client, server);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await refuseReadOnly(client);
      return server;
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

/** @throws Error if the server, such as a standby, accepts no writes */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('This database server accepts no writes.');
}
