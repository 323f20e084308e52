import type Sqlite from 'libsql';
import type { IdempotencyConfig } from '../../config/idempotency';
import { callerAllowance, isSmall, type ReplayBody } from '../keeping';

/** How long the sum of all callers is counted on from what was read. */
const TOTAL_READ_MS = 10_000;

/** Which answers under idempotency keys there is room for, on SQLite. */
export class KeptAnswers {
  readonly #limits: IdempotencyConfig;
  readonly #statements: ReturnType<typeof prepare>;
  /** Bytes that were decided to be kept in this transaction, and are not in the sums yet. */
  readonly #pending = new Map<number, number>();
  #total = 0;
  #totalReadAt = -Infinity;

  constructor(connection: Sqlite.Database, limits: IdempotencyConfig) {
    this.#limits = limits;
    this.#statements = prepare(connection);
  }

  /** Keys of a caller that something is kept under. */
  keysOf(accountId: number): number {
    return this.#sums(accountId).records;
  }

  get keysMax(): number {
    return this.#limits.callerKeysMax;
  }

  /** A transaction begins, or the last one was rolled back. */
  begin(): void {
    if (this.#pending.size > 0) this.#pending.clear();
  }

  /** Inside the transaction that is to write it: whether an answer is kept, which then counts. */
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

function prepare(connection: Sqlite.Database) {
  return {
    sums: connection.prepare('select records, bytes from idempotency_sums where account_id = ?'),
    total: connection.prepare('select coalesce(sum(bytes), 0) as bytes from idempotency_sums'),
  };
}
