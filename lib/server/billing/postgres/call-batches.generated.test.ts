import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallBatches } from './call-batches';
import { type CallOutcome, type CallRow, type MeterCall, StatementFailed } from './meter-statements';

const ACCOUNTS = [0, 1, 2, 3];
/** Longer than any batch waits for more calls. */
const GATHERED_MS = 6;
/** Longer than any wait for another try. */
const RETRIED_MS = 1_001;

type Failure = StatementFailed['kind'];

interface Statement {
  calls: readonly MeterCall[];
  waits: boolean;
  end(failure: Failure | null, committed: number): void;
}

/** A database whose statements end as the test says, and whose meters other gateways may hold. */
class FakeDatabase {
  readonly held = new Set<number>();
  readonly running: Statement[] = [];
  /** How often each charge was made. */
  readonly charged = new Map<string, number>();
  readonly faults: string[] = [];

  readonly statements = {
    meter: { run: (calls: readonly MeterCall[], waitMs: number | null) => this.#run(calls, waitMs !== null, false) },
    charges: {
      run: (calls: readonly MeterCall[], waitMs: number | null = null) => this.#run(calls, waitMs !== null, true),
    },
  };

  accounts(): Set<number> {
    return new Set(this.running.flatMap(({ calls }) => calls.map(({ row }) => row.account_id)));
  }

  #run(calls: readonly MeterCall[], waits: boolean, arePlain: boolean): Promise<CallOutcome[]> {
    const busy = this.accounts();
    if (calls.some(({ row }) => busy.has(row.account_id))) this.faults.push('one caller is in two statements');
    if (arePlain && waits && new Set(calls.map(({ row }) => row.account_id)).size > 1)
      this.faults.push('a statement waits for two callers');
    if (arePlain && calls.some(({ row, mayHaveRun }) => row.kind !== 'charge' || mayHaveRun))
      this.faults.push('a call is not a plain charge');
    return new Promise((resolve, reject) => {
      const end = (failure: Failure | null, committed: number): void => {
        this.running.splice(this.running.indexOf(statement), 1);
        if (failure === null) return resolve(this.#outcomes(calls, arePlain));
        const isCommitted = ({ row }: MeterCall) => (committed & (1 << row.account_id)) !== 0;
        if (failure === 'partial') this.#outcomes(calls.filter(isCommitted), arePlain);
        else if (failure === 'unknown' && isCommitted(calls[0] as MeterCall)) this.#outcomes(calls, arePlain);
        reject(new StatementFailed(failure, new Error(failure)));
      };
      const statement: Statement = { calls, waits, end };
      this.running.push(statement);
      const waiting = this.running.filter((other) => other.waits).length;
      if (waiting > 3 || this.running.length - waiting > 1) this.faults.push('too many statements');
    });
  }

  #outcomes(calls: readonly MeterCall[], arePlain: boolean): CallOutcome[] {
    return calls.map(({ row, mayHaveRun }) => {
      if (this.held.has(row.account_id)) return { outcome: 'contended' };
      if (row.kind === 'reserve') return { outcome: 'admitted', remainingNanoUsd: 0 };
      if (row.kind !== 'charge') return { outcome: 'released' };
      // The statement of plain charges leaves some charges to the other statement.
      if (arePlain && row.amount === 0) return null as unknown as CallOutcome;
      const times = this.charged.get(row.reservation) ?? 0;
      if (times === 0 || !mayHaveRun) this.charged.set(row.reservation, times + 1);
      return { outcome: 'settled', remainingNanoUsd: 0 };
    });
  }
}

const call = fc.record({
  kind: fc.constantFrom<CallRow['kind']>('charge', 'charge', 'charge', 'charge', 'reserve', 'release'),
  account_id: fc.constantFrom(...ACCOUNTS),
  amount: fc.constantFrom(0, 1, 1, 1),
  purse: fc.constantFrom('account', 'account', 'account', 'account', 'x402'),
});
const FAILURES = ['lock', 'refused', 'unavailable', 'unknown', 'partial'] as const;
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ asked: fc.array(call, { minLength: 1, maxLength: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ holds: fc.constantFrom(...ACCOUNTS) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ends: fc.nat(9),
      failure: fc.constantFrom<Failure | null>(...Array<null>(20).fill(null), ...FAILURES),
      // Sets of accounts, as bits.
      committed: fc.nat(15),
      isContended: fc.constantFrom(0, 0, 1, 3, 15),
    }),
  },
  { weight: 2, arbitrary: fc.record({ passMs: fc.constantFrom(1, 30, 600, 2_500) }) },
);

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function passes(ms: number): Promise<void> {
  for (let i = 0; i < 4; i++) await turn();
  vi.advanceTimersByTime(ms);
  for (let i = 0; i < 4; i++) await turn();
}

it('of generated calls, each is answered, no charge is made twice, and nobody waits for the meter of another', async () => {
  const play = fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), fc.constantFrom(2, 4, 128), run);
  await fc.assert(play, { numRuns: 150 });
}, 60_000);

async function run(
  steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
  callsMax: number,
): Promise<void> {
  const database = new FakeDatabase();
  const { running, held } = database;
  const batches = new CallBatches(database.statements, () => undefined, { callsMax, contentionMs: 1_000 });
  const unanswered = new Map<string, CallRow>();
  const answers: [row: CallRow, answer: string][] = [];
  let mayRetry = false;
  const ask = (asked: Pick<CallRow, 'kind' | 'account_id' | 'amount' | 'purse'>): void => {
    const row: CallRow = { ...asked, reservation: `${answers.length + unanswered.size}`, at: null };
    unanswered.set(row.reservation, row);
    const end = (answer: string): void => {
      if (!unanswered.delete(row.reservation)) database.faults.push('a call is answered twice');
      answers.push([row, answer]);
    };
    const resolve = ({ outcome }: CallOutcome): void => end(outcome);
    const reject = ({ message }: Error): void => end(message);
    batches.add({ row, body: null, askedAt: performance.now(), attempts: 0, mayHaveRun: false, resolve, reject });
  };
  for (const next of steps) {
    if ('asked' in next) next.asked.forEach(ask);
    else if ('holds' in next) {
      if (!held.delete(next.holds)) held.add(next.holds);
    } else if ('passMs' in next) {
      vi.advanceTimersByTime(next.passMs);
      if (next.passMs > RETRIED_MS) mayRetry = false;
    } else {
      const isStuck = ({ waits, calls: [first] }: Statement) => waits && held.has((first as MeterCall).row.account_id);
      // A statement that waits for a held meter can only fail.
      const ending = next.failure === null ? running.filter((statement) => !isStuck(statement)) : running;
      const statement = ending[next.ends % ending.length];
      const contended = statement?.waits ? [] : ACCOUNTS.filter((a) => next.isContended & (1 << a) && !held.has(a));
      for (const account of contended) held.add(account);
      statement?.end(next.failure, isStuck(statement) ? 0 : next.committed);
      for (const account of contended) held.delete(account);
      mayRetry ||= next.failure !== null;
    }
    await passes(GATHERED_MS);
    const busy = database.accounts();
    if (!mayRetry && running.length < 3 && running.every(({ waits }) => waits))
      for (const { account_id: account } of unanswered.values()) expect(busy).toContain(account);
    expect(database.faults).toEqual([]);
  }
  held.clear();
  let isIdle = false;
  void batches.idle().then(() => (isIdle = true));
  for (let i = 0; i < 1_000 && !isIdle; i++) {
    for (const { end } of [...running]) end(null, 0);
    await passes(running.length > 0 ? GATHERED_MS : RETRIED_MS);
  }
  expect([isIdle, unanswered.size, database.faults]).toEqual([true, 0, []]);
  for (const [{ kind, reservation }, answer] of answers) {
    if (kind !== 'charge') continue;
    const times = database.charged.get(reservation) ?? 0;
    if (answer === 'settled') expect(times).toBe(1);
    // The only answers that leave open whether the call was charged.
    else if (answer === 'refused' || answer.includes('may have been charged')) expect(times).toBeLessThanOrEqual(1);
    else expect([answer, times]).toEqual([answer, 0]);
  }
}
