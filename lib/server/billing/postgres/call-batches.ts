import { ENOUGH_CONTENDED, Gathering } from './gathering';
import { chargeUnconfirmed, storeUnavailable } from '../../db/postgres/failure';
import { rememberNewest } from './remembered';
import {
  type CallOutcome,
  type CallRow,
  type ChargeStatement,
  isAdmission,
  isCharge,
  type MeterCall,
  type MeterStatement,
  StatementFailed,
} from './meter-statements';

const CALLS_MAX = 128;
const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum concurrent statements that wait for a locked meter row. */
const CONTENDED_MAX = 3;
/** For this long after a lock on a caller's row, the caller's plain charges use a statement that waits for the lock. */
const CONTENTION_MS = 500;
/** Maximum time that an admission waits for the lock of a caller's meter row. A charge waits longer. */
const ADMISSION_WAIT_MS = 2_000;
const CHARGE_WAIT_MS = 5_000;
/** Maximum time that a charge is retried while the database is unreachable. */
const CHARGE_PATIENCE_MS = 8_000;
/** Maximum time that the gateway tries to free the hold of a failed call. */
const RELEASE_PATIENCE_MS = 60_000;
const RETRY_DELAY_MS = 25;
const RETRY_DELAY_MAX_MS = 1_000;
const QUEUE_PATIENCE_MS = 5_000;

type Run = (calls: readonly MeterCall[]) => Promise<(CallOutcome | null)[]>;

interface BatchStatements {
  readonly meter: Pick<MeterStatement, 'run'>;
  readonly charges: Pick<ChargeStatement, 'run'>;
}

/**
 * Gathers concurrent calls (see `Gathering`). Sends plain charges (see `plainCharges`) in one statement and all other
 * calls in another. Never sends calls of the same caller in two concurrent statements. If another gateway has locked a
 * caller's meter row, sends that caller's calls again in a separate statement.
 */
export class CallBatches {
  readonly #statements: BatchStatements;
  readonly #concurrency: number;
  readonly #callsMax: number;
  readonly #contentionMs: number;
  #queue: MeterCall[] = [];
  #scheduled = false;
  readonly #gathering = new Gathering();
  #waiting: NodeJS.Timeout | null = null;
  #running = 0;
  readonly #busy = new Set<number>();
  readonly #contended: MeterCall[][] = [];
  #contendedRunning = 0;
  readonly #contendedUntil = new Map<number, number>();
  #whenIdle: (() => void)[] = [];
  #waitingToRetry = 0;
  #isEnding = false;
  readonly #onAway: (error: Error) => void;

  /** @param onAway called for every statement that failed because the database was unreachable */
  constructor(
    statements: BatchStatements,
    onAway: (error: Error) => void,
    { concurrency = 1, callsMax = CALLS_MAX, contentionMs = CONTENTION_MS } = {},
  ) {
    this.#statements = statements;
    this.#onAway = onAway;
    this.#concurrency = concurrency;
    this.#callsMax = callsMax;
    this.#contentionMs = contentionMs;
  }

  add(call: MeterCall): void {
    this.#queue.push(call);
    this.#schedule();
  }

  /** Waits for all calls. Does not free the holds of calls that fail later. */
  async idle(): Promise<void> {
    this.#isEnding = true;
    while (
      this.#queue.length + this.#running + this.#contended.length + this.#contendedRunning + this.#waitingToRetry >
      0
    ) {
      await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#concurrency || this.#queue.length === 0) return;
    if (this.#waiting && !this.#gathering.isComplete(this.#queue.length)) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting) return this.#endWait(this.#waiting);
      const patienceMs = this.#gathering.patienceMs(this.#queue.length, performance.now());
      if (patienceMs > 0) this.#wait(patienceMs);
      else this.#send();
    });
  }

  #wait(ms: number): void {
    const timer: NodeJS.Timeout = setTimeout(() => this.#endWait(timer), ms);
    this.#waiting = timer;
  }

  #endWait(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#waiting = null;
    this.#gathering.waited(this.#gathering.isComplete(this.#queue.length));
    this.#send();
  }

  #send(): void {
    while (this.#running < this.#concurrency) {
      const batch = this.#take();
      if (batch.length === 0) return this.#wakeIdle();
      const others = this.#withoutContended(batch);
      if (others.length > 0) void this.#run(others);
    }
  }

  #take(): MeterCall[] {
    const batch: MeterCall[] = [];
    const left: MeterCall[] = [];
    let bytes = 0;
    const now = performance.now();
    const passedOver = new Set<number>();
    for (const call of this.#queue) {
      const { account_id: account } = call.row;
      if (isAdmission(call.row) && now - call.askedAt > QUEUE_PATIENCE_MS) {
        call.reject(storeUnavailable(new Error('The database is too slow.')));
        continue;
      }
      const size = call.body?.byteLength ?? 0;
      const full = batch.length >= this.#callsMax || (batch.length > 0 && bytes + size > BODY_BYTES_MAX);
      if (full || this.#busy.has(account) || passedOver.has(account)) {
        passedOver.add(account);
        left.push(call);
        continue;
      }
      batch.push(call);
      bytes += size;
    }
    this.#queue = left;
    for (const { row } of batch) this.#busy.add(row.account_id);
    return batch;
  }

  /** @returns the calls to send without waiting for a lock */
  #withoutContended(batch: MeterCall[]): MeterCall[] {
    const free = CONTENDED_MAX - this.#contendedRunning - this.#contended.length;
    if (this.#contendedUntil.size === 0 || free <= 0) return batch;
    const now = performance.now();
    const plain = byCaller(plainCharges(batch)[0].filter(({ row }) => this.#wasContended(row.account_id, now)));
    const waiting = new Map([...plain].slice(0, free));
    if (waiting.size === 0) return batch;
    this.#gathering.sent();
    this.#contended.push(...waiting.values());
    this.#runContended();
    return batch.filter(({ row }) => !waiting.has(row.account_id));
  }

  #wasContended(account: number, now: number): boolean {
    const until = this.#contendedUntil.get(account);
    if (until === undefined) return false;
    if (now >= until) this.#contendedUntil.delete(account);
    return now < until;
  }

  async #run(batch: readonly MeterCall[]): Promise<void> {
    this.#running++;
    const startedAt = performance.now();
    const contended = await this.#askAll(batch);
    const answeredAt = performance.now();
    this.#gathering.answered(batch.length, this.#queue.length, answeredAt - startedAt, answeredAt);
    this.#running--;
    const waiting = byCaller(contended);
    for (const account of waiting.keys())
      rememberNewest(this.#contendedUntil, account, answeredAt + this.#contentionMs);
    for (const { row } of batch) if (!waiting.has(row.account_id)) this.#busy.delete(row.account_id);
    this.#contended.push(...waiting.values());
    this.#runContended();
    this.#settled();
  }

  #runContended(): void {
    while (this.#contendedRunning < CONTENDED_MAX) {
      const calls = this.#contended.shift();
      if (!calls) return;
      this.#contendedRunning++;
      const startedAt = performance.now();
      void this.#waitForCaller(calls).finally(() => {
        this.#contendedRunning--;
        const answeredAt = performance.now();
        const tookMs = answeredAt - startedAt;
        this.#gathering.answered(calls.length, this.#queue.length, tookMs, answeredAt, ENOUGH_CONTENDED);
        this.#busy.delete((calls[0] as MeterCall).row.account_id);
        this.#runContended();
        this.#settled();
      });
    }
  }

  async #waitForCaller(calls: readonly MeterCall[]): Promise<void> {
    const [plain, others] = plainCharges(calls);
    const left =
      plain.length === 0
        ? []
        : await this.#tell(
            plain,
            (asked) => this.#statements.charges.run(asked, CHARGE_WAIT_MS),
            (asked) => this.#statements.meter.run(asked, CHARGE_WAIT_MS),
          );
    const charges = [...left, ...others.filter(({ row }) => !isAdmission(row))];
    const reserves = others.filter(({ row }) => isAdmission(row));
    if (charges.length > 0) await this.#ask(charges, CHARGE_WAIT_MS);
    if (reserves.length === 0) return;
    const waitedMs = performance.now() - (reserves[0] as MeterCall).askedAt;
    await this.#ask(reserves, Math.max(1, Math.round(ADMISSION_WAIT_MS - waitedMs)));
  }

  async #askAll(batch: readonly MeterCall[]): Promise<MeterCall[]> {
    const [charges, others] = plainCharges(batch);
    const contended: MeterCall[] = [];
    const charge = async (calls: readonly MeterCall[]) => {
      const outcomes = await this.#statements.charges.run(calls, null);
      return outcomes.map((outcome, index) => {
        if (outcome?.outcome === 'contended') contended.push(calls[index] as MeterCall);
        return outcome;
      });
    };
    const notCharged =
      charges.length === 0 ? [] : await this.#tell(charges, charge, (calls) => this.#statements.meter.run(calls, null));
    const rest = [...notCharged.filter((call) => !contended.includes(call)), ...others];
    if (rest.length > 0) contended.push(...(await this.#ask(rest, null)));
    return contended;
  }

  #ask(calls: readonly MeterCall[], waitMs: number | null): Promise<MeterCall[]> {
    return this.#tell(calls, (asked) => this.#statements.meter.run(asked, waitMs));
  }

  /**
   * @param runLater replaces `run` for calls that may have run already
   * @returns calls whose caller's meter is locked
   */
  async #tell(calls: readonly MeterCall[], run: Run, runLater = run): Promise<MeterCall[]> {
    for (const call of calls) call.attempts++;
    try {
      const outcomes = await run(calls);
      return calls.filter((call, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) call.reject(new Error('The database returned no outcome.'));
        else if (outcome === null || outcome.outcome === 'contended') return true;
        else call.resolve(outcome);
        return false;
      });
    } catch (error) {
      const failure = error instanceof StatementFailed ? error : new StatementFailed('refused', error as Error);
      // Sends each call alone, so that only the faulty call fails.
      if (calls.length > 1 && (failure.kind === 'refused' || failure.kind === 'partial')) {
        const contended: MeterCall[] = [];
        for (const call of calls) {
          call.mayHaveRun ||= failure.kind === 'partial';
          contended.push(...(await this.#tell([call], failure.kind === 'partial' ? runLater : run)));
        }
        return contended;
      }
      if (failure.kind !== 'refused' && failure.kind !== 'lock') this.#onAway(failure.cause);
      for (const call of calls) this.#fail(call, failure);
      return [];
    }
  }

  #fail(call: MeterCall, { kind, cause }: StatementFailed): void {
    const waitedMs = performance.now() - call.askedAt;
    const isUnknown = kind === 'unknown' || kind === 'partial';
    call.mayHaveRun ||= isUnknown;
    if (kind === 'refused') call.reject(cause);
    else if (call.insists && waitedMs < RELEASE_PATIENCE_MS && !this.#isEnding) this.#retryLater(call);
    else if (call.row.kind === 'release' || call.row.kind === 'note') call.resolve({ outcome: 'gone' });
    else if (isCharge(call.row) && waitedMs < CHARGE_PATIENCE_MS) this.#retryLater(call);
    else if (isCharge(call.row)) {
      this.#freeLater(call.row);
      call.reject(call.mayHaveRun ? chargeUnconfirmed(cause) : storeUnavailable(cause));
    } else if (kind === 'lock')
      call.resolve({ outcome: 'refused', refusal: { reason: 'collision', kind: 'admission-lock' } });
    // One retry. If a connection broke while it was idle, the error appears only at the next statement.
    else if (isUnknown && call.attempts < 2) this.#retryLater(call);
    else {
      if (call.mayHaveRun) this.#freeLater(call.row);
      call.reject(storeUnavailable(cause));
    }
  }

  /**
   * Once the database answers, frees the hold that a failed call may have left. Otherwise its Idempotency-Key would be
   * locked until the lease ends.
   */
  #freeLater({ kind, account_id, reservation, at }: CallRow): void {
    if (kind === 'charge') return;
    this.add({
      row: { kind: 'release', account_id, reservation, at },
      body: null,
      askedAt: performance.now(),
      attempts: 0,
      mayHaveRun: false,
      insists: true,
      resolve: () => undefined,
      reject: () => undefined,
    });
  }

  #retryLater(call: MeterCall): void {
    this.#waitingToRetry++;
    setTimeout(
      () => {
        this.#waitingToRetry--;
        this.add(call);
      },
      Math.min(RETRY_DELAY_MAX_MS, RETRY_DELAY_MS * 2 ** (call.attempts - 1)),
    );
  }

  #settled(): void {
    this.#schedule();
    this.#wakeIdle();
  }

  #wakeIdle(): void {
    const waiting = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of waiting) resolve();
  }
}

function byCaller(calls: readonly MeterCall[]): Map<number, MeterCall[]> {
  const callers = new Map<number, MeterCall[]>();
  for (const call of calls) {
    const those = callers.get(call.row.account_id);
    if (those) those.push(call);
    else callers.set(call.row.account_id, [call]);
  }
  return callers;
}

/**
 * Separates plain charges from other calls. A charge is plain if it cannot have run yet. All calls of its caller in the
 * batch must also be plain charges with the same `key_hash`, `purse` and `at`.
 */
function plainCharges(batch: readonly MeterCall[]): [charges: MeterCall[], others: MeterCall[]] {
  const first = new Map<number, MeterCall>();
  const mixed = new Set<number>();
  for (const call of batch) {
    const { account_id: account } = call.row;
    const other = first.get(account);
    if (!other) first.set(account, call);
    if (call.row.kind !== 'charge' || call.mayHaveRun || (other && !isAlike(call.row, other.row))) mixed.add(account);
  }
  if (mixed.size === 0) return [[...batch], []];
  return [batch.filter(({ row }) => !mixed.has(row.account_id)), batch.filter(({ row }) => mixed.has(row.account_id))];
}

function isAlike(a: CallRow, b: CallRow): boolean {
  return a.key_hash === b.key_hash && a.purse === b.purse && a.at === b.at;
}
