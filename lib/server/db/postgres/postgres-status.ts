import type { Pool } from 'pg';
import type { StoreStatus, StoreTrouble } from '../store-status';
import { createPool } from './connection';

const LOOK_MS = 1_000;
const DISK_FULL = '53100';

/** Checks whether Postgres answers. Uses a separate connection, so that a check does not wait for queries. */
export class PostgresStatus implements StoreStatus {
  trouble: StoreTrouble | null = null;
  since: number | null = null;
  readonly #pool: Pool;
  #look: Promise<void> | null = null;

  constructor(url: { reveal(): string }) {
    this.#pool = createPool(url.reveal(), { connectionsMax: 1, statementTimeoutMs: LOOK_MS, onLost: () => undefined });
  }

  async check(): Promise<StoreTrouble | null> {
    this.#look ??= this.#ask().finally(() => (this.#look = null));
    const answered = await withinTime(this.#look, LOOK_MS);
    if (!answered) this.#set('away');
    return this.trouble;
  }

  /** Records that the server could not run a statement. */
  failed(error: Error): void {
    this.#set((error as { code?: unknown }).code === DISK_FULL ? 'full' : 'away');
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #ask(): Promise<void> {
    try {
      await this.#pool.query('select 1');
      // Only a write proves that there is room again, because reads work on a full disk.
      if (this.trouble === 'full')
        await this.#pool.query(
          "insert into installation (name, value) values ('probe', repeat('0', 65536)) on conflict (name) do update set value = excluded.value",
        );
      this.#set(null);
    } catch (error) {
      this.failed(error as Error);
    }
  }

  #set(trouble: StoreTrouble | null): void {
    if (trouble === null) this.since = null;
    else this.since ??= Date.now();
    this.trouble = trouble;
  }
}

function withinTime(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
