import type { DatabaseSync } from 'node:sqlite';
import type { IdempotencyConfig } from '../../config/idempotency';
import { callerAllowance, isSmall, type ReplayBody } from '../stored-answers';

const TOTAL_READ_MS = 10_000;

export class KeptAnswers {
  readonly #limits: IdempotencyConfig;
  readonly #statements: ReturnType<typeof prepare>;
  /**
   * Bytes that this transaction reserves for stored answers, per account. The stored sums do not include these bytes
   * yet.
   */
  readonly #pending = new Map<number, number>();
  #total = 0;
  #totalReadAt = -Infinity;

  constructor(connection: DatabaseSync, limits: IdempotencyConfig) {
    this.#limits = limits;
    this.#statements = prepare(connection);
  }

  keysOf(accountId: number): number {
    return this.#sums(accountId).records;
  }

  get keysMax(): number {
    return this.#limits.callerKeysMax;
  }

  /**
   * Forgets the bytes that the last transaction reserved. Call this at the start of a transaction and after a rollback.
   */
  begin(): void {
    if (this.#pending.size > 0) this.#pending.clear();
  }

  /** Returns whether to store an answer, and if so counts its bytes. Call this inside the writing transaction. */
  keeps(accountId: number, body: ReplayBody): body is Uint8Array {
    if (body === 'too-large') return false;
    if (isSmall(body)) return true;
    if (body.byteLength > this.#limits.answerBytesMax) return false;
    if (this.#pending.size === 0) this.#readTotal();
    const bytes = this.#sums(accountId).bytes + (this.#pending.get(accountId) ?? 0) + body.byteLength;
    if (bytes > callerAllowance(this.#limits, this.#total)) return false;
    this.#pending.set(accountId, (this.#pending.get(accountId) ?? 0) + body.byteLength);
    this.#total += body.byteLength;
    return true;
  }

  #sums(accountId: number): { records: number; bytes: number } {
    return (
      (this.#statements.sums.get(accountId) as { records: number; bytes: number } | undefined) ?? {
        records: 0,
        bytes: 0,
      }
    );
  }

  #readTotal(): void {
    const now = performance.now();
    if (now - this.#totalReadAt < TOTAL_READ_MS) return;
    this.#totalReadAt = now;
    this.#total = (this.#statements.total.get() as { bytes: number }).bytes;
  }
}

function prepare(connection: DatabaseSync) {
  return {
    sums: connection.prepare('select records, bytes from idempotency_sums where account_id = ?'),
    total: connection.prepare('select coalesce(sum(bytes), 0) as bytes from idempotency_sums'),
  };
}
