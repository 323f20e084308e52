import type { Pool } from 'pg';
import type { IdempotencyConfig } from '../../config/idempotency';
import { callerAllowance, isSmall, type ReplayBody } from '../stored-answers';

/** Maximum age of the cached total of stored bytes. Other gateways change the total too. */
const TOTAL_READ_MS = 5_000;
const TOTAL = 'select coalesce(sum(bytes), 0)::bigint as bytes from idempotency_sums';

export class KeepingRoom {
  /** Total of stored bytes. Infinity while the total is unknown, so that there is no room. */
  #total = Infinity;
  #readAt = -Infinity;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly limits: IdempotencyConfig,
  ) {}

  /**
   * Decides whether to store an answer, and how many bytes its caller's answers may occupy. If the total cannot be
   * read, stores only small answers.
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

  /** Subtracts the bytes of an answer for which the database had no room. */
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
