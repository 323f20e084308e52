import type { Pool } from 'pg';
import type { IdempotencyConfig } from '../../config/idempotency';
import { callerAllowance, isSmall, type ReplayBody } from '../keeping';

/** How long the sum of all callers is counted on from what was read: other gateways write too. */
const TOTAL_READ_MS = 5_000;
const TOTAL = 'select coalesce(sum(bytes), 0)::bigint as bytes from idempotency_sums';

/** How much one caller may have kept of answers under idempotency keys, on Postgres, which knows how much it has. */
export class KeepingRoom {
  /** Until it is known, there is no room. */
  #total = Infinity;
  #readAt = -Infinity;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly limits: IdempotencyConfig,
  ) {}

  /**
   * What the database is to keep of an answer, and how many bytes the caller may have kept with it. Where the sum of
   * all callers cannot be read, only what is small is kept, and nobody is refused for that.
   */
  async keeping(body: ReplayBody): Promise<{ body: Uint8Array | null; keepBytes: number }> {
    if (body !== 'too-large' && isSmall(body)) return { body, keepBytes: 0 };
    if (body === 'too-large' || body.byteLength > this.limits.answerBytesMax) return { body: null, keepBytes: 0 };
    if (performance.now() - this.#readAt >= TOTAL_READ_MS) await (this.#reading ??= this.#read());
    const keepBytes = callerAllowance(this.limits, this.#total);
    if (body.byteLength > keepBytes) return { body: null, keepBytes: 0 };
    this.#total += body.byteLength;
    return { body, keepBytes };
  }

  /** The caller had no room for an answer of so many bytes, as the database knows. */
  givesBack(bytes: number): void {
    this.#total -= bytes;
  }

  async #read(): Promise<void> {
    try {
      const { rows } = await this.pool.query<{ bytes: number }>({ name: 'turnpike_kept_total', text: TOTAL });
      this.#total = Number(rows[0]?.bytes ?? 0);
      this.#readAt = performance.now();
    } catch {
      this.#total = Infinity;
    } finally {
      this.#reading = null;
    }
  }
}
