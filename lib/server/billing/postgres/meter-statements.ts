import type { Pool, QueryConfig, QueryResultRow } from 'pg';
import { endsConnection, type FailureKind, kindOfFailure } from '../../db/postgres/failure';
import type { MeterLimits, Refusal } from '../meter';

/**
 * Thrown if a statement fails as a whole. For the kinds `unknown` and `partial`, calls may have taken effect. For all
 * other kinds, none did.
 */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';

  constructor(
    readonly kind: FailureKind,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/** Runs one statement as one transaction. @throws StatementFailed */
async function runStatement<Row extends QueryResultRow>(pool: Pool, statement: QueryConfig): Promise<Row[]> {
  const client = await pool.connect().catch((error: Error) => {
    throw new StatementFailed('unavailable', error);
  });
  try {
    const { rows } = await client.query<Row>(statement);
    client.release();
    return rows;
  } catch (error) {
    client.release(endsConnection(error));
    throw new StatementFailed(kindOfFailure(error), error as Error);
  }
}

/** A metered call as a row of the SQL type turnpike_call. In SQL, absent columns are null. */
export interface CallRow {
  /**
   * `hold`: a reservation outside the RPC proxy's caps. `note`: a checkpoint. `charge`: admits and settles a finished
   * call.
   */
  kind: 'reserve' | 'hold' | 'settle' | 'charge' | 'note' | 'release';
  account_id: number;
  /** Id that the gateway chooses, so that the database recognises a retried call. */
  reservation: string;
  /** Unix milliseconds; null for the database's own clock. */
  at: number | null;
  purse?: string;
  key_hash?: string | null;
  api_key_id?: number | null;
  amount?: number;
  credits?: number;
  /** Units for the ledger, if they differ from the credits. */
  units?: number;
  lease_ms?: number;
  /** Maximum bytes that the caller may store, this answer included; null if there is no answer. */
  keep_bytes?: number | null;
  idempotency_key?: string | null;
  fingerprint?: string | null;
  resource?: string;
  detail?: string;
  request_id?: string;
}

/** Outcome of a call. `contended`: another transaction has locked the meter row, so nothing was done. */
export type CallOutcome =
  /** `remainingNanoUsd`: the caller's balances after holds and charges. */
  | { outcome: 'admitted'; remainingNanoUsd: number }
  /** `roomNanoUsd`: maximum cost of a later call that may run before admission, if known. */
  | { outcome: 'settled'; remainingNanoUsd: number; roomNanoUsd?: number; isUnkept?: true }
  | { outcome: 'released' | 'noted' | 'gone' | 'contended' }
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

export interface MeterCall {
  readonly row: CallRow;
  readonly body: Uint8Array | null;
  readonly askedAt: number;
  attempts: number;
  /** True if a statement with this call was lost and may have taken effect. */
  mayHaveRun: boolean;
  /** True for a release that is retried while the database is unreachable. */
  readonly insists?: true;
  resolve(outcome: CallOutcome): void;
  reject(error: Error): void;
}

export function isAdmission({ kind }: CallRow): boolean {
  return kind === 'reserve' || kind === 'hold';
}

/** Returns whether a call charges. The commit of a charge must be durable. */
export function isCharge({ kind }: CallRow): boolean {
  return kind === 'settle' || kind === 'charge';
}

const METER_SQL = 'select item, outcome, refusal, replay, remaining, room from turnpike_meter($1, $2, $3, $4, $5)';
const NO_BODIES = Buffer.alloc(0);

interface MeterResult extends Record<string, unknown> {
  item: number;
  outcome: CallOutcome['outcome'] | 'unkept';
  refusal: Refusal | null;
  replay: Uint8Array | null;
  remaining: number | null;
  room: number | null;
}

/**
 * Reserves, settles and releases calls in one round trip and transaction. Also runs the charges that `ChargeStatement`
 * skips.
 */
export class MeterStatement {
  readonly #pool: Pool;
  #limits: string;

  constructor(
    pool: Pool,
    limits: MeterLimits,
    private readonly keysPerCaller: number,
  ) {
    this.#pool = pool;
    this.#limits = JSON.stringify({ ...limits, keysPerCaller });
  }

  takeLimits(limits: MeterLimits): void {
    this.#limits = JSON.stringify({ ...limits, keysPerCaller: this.keysPerCaller });
  }

  /**
   * @param waitMs maximum wait for a meter row that another transaction has locked; null to skip such callers
   * @returns committed outcomes in the order of the calls
   * @throws StatementFailed
   */
  async run(calls: readonly MeterCall[], waitMs: number | null): Promise<CallOutcome[]> {
    const { rows, bodies } = encode(calls);
    const durable = calls.some(({ row }) => isCharge(row));
    const values = [rows, bodies, this.#limits, durable, waitMs];
    return decode(
      await runStatement<MeterResult>(this.#pool, { name: 'turnpike_meter', text: METER_SQL, values }),
      calls.length,
    );
  }
}

function encode(calls: readonly MeterCall[]): { rows: string; bodies: Buffer } {
  const bodies: Uint8Array[] = [];
  let bytes = 0;
  const rows = calls.map(({ row, body, mayHaveRun }, item) => {
    // For a retried call, the database checks whether an earlier attempt took effect.
    const attempt = mayHaveRun ? 2 : 1;
    if (body === null) return { item, attempt, ...row };
    bodies.push(body);
    bytes += body.byteLength;
    return { item, attempt, ...row, body_start: bytes - body.byteLength, body_bytes: body.byteLength };
  });
  return { rows: JSON.stringify(rows), bodies: bodies.length === 0 ? NO_BODIES : Buffer.concat(bodies) };
}

function decode(rows: readonly MeterResult[], count: number): CallOutcome[] {
  const outcomes = new Array<CallOutcome>(count);
  for (const { item, outcome, refusal, replay, remaining, room } of rows) {
    if (outcome === 'refused') outcomes[item] = { outcome, refusal: refusal as Refusal };
    else if (outcome === 'replayed') outcomes[item] = { outcome, body: replay as Uint8Array };
    else if (outcome === 'admitted') outcomes[item] = { outcome, remainingNanoUsd: remaining ?? 0 };
    else if (outcome === 'settled')
      outcomes[item] = { outcome, remainingNanoUsd: remaining ?? 0, ...(room !== null && { roomNanoUsd: room }) };
    else if (outcome === 'unkept')
      outcomes[item] = { outcome: 'settled', remainingNanoUsd: remaining ?? 0, isUnkept: true };
    else outcomes[item] = { outcome };
  }
  return outcomes;
}

const COLUMNS = [
  'account_id',
  'at',
  'purse',
  'key_hash',
  'api_key_id',
  'amount',
  'credits',
  'units',
  'resource',
  'detail',
  'request_id',
] as const satisfies readonly (keyof CallRow)[];
const PLACES = Array.from({ length: COLUMNS.length + 7 }, (_none, index) => `$${index + 1}`).join(', ');
const CHARGE_SQL = `select items::text, remaining::text, room::text, skipped::text from turnpike_charge_at_once(${PLACES})`;
const PLAIN = /^[\w/:.-]+$/;

/** Postgres array literals of equal length; null if nothing was charged. */
interface ChargeResult extends Record<string, unknown> {
  items: string | null;
  remaining: string | null;
  room: string | null;
  skipped: string | null;
}

/** Admits and charges finished calls in one round trip and transaction. */
export class ChargeStatement {
  readonly #pool: Pool;
  #limits: string;

  constructor(pool: Pool, limits: MeterLimits) {
    this.#pool = pool;
    this.#limits = JSON.stringify(limits);
  }

  takeLimits(limits: MeterLimits): void {
    this.#limits = JSON.stringify(limits);
  }

  /**
   * @param calls charges; those of one caller have the same `key_hash`, `purse` and `at`
   * @param waitMs maximum wait for a meter row that another transaction has locked; null to skip such callers. A wait
   * is allowed only if all calls are from one caller
   * @returns committed outcomes in the order of the calls; null for a call that only `MeterStatement` can run
   * @throws StatementFailed
   */
  async run(calls: readonly MeterCall[], waitMs: number | null = null): Promise<(CallOutcome | null)[]> {
    const columns = COLUMNS.map((name) => arrayOf(calls, name));
    const [result] = await runStatement<ChargeResult>(this.#pool, {
      name: 'turnpike_charge',
      text: CHARGE_SQL,
      values: [...columns, this.#limits, waitMs, ...sumsOfCallers(calls)],
    });
    const outcomes = new Array<CallOutcome | null>(calls.length).fill(null);
    const [items, remaining, room] = [numbers(result?.items), numbers(result?.remaining), numbers(result?.room)];
    for (let i = 0; i < items.length; i++) {
      outcomes[(items[i] as number) - 1] = {
        outcome: 'settled',
        remainingNanoUsd: remaining[i] as number,
        roomNanoUsd: room[i] as number,
      };
    }
    for (const item of numbers(result?.skipped)) outcomes[item - 1] = { outcome: 'contended' };
    return outcomes;
  }
}

/**
 * Returns five arguments of `turnpike_charge_at_once`: for each call, sums over its caller's calls. Returns nulls if
 * every caller has only one call.
 */
function sumsOfCallers(calls: readonly MeterCall[]): (string | null)[] {
  const sums = new Map<number, { amount: number; credits: number; calls: number }>();
  const before = calls.map(({ row: { account_id: account, amount = 0, credits = 0 } }) => {
    const sum = sums.get(account) ?? { amount: 0, credits: 0, calls: 0 };
    sums.set(account, { amount: sum.amount + amount, credits: sum.credits + credits, calls: sum.calls + 1 });
    return sum;
  });
  if (sums.size === calls.length) return [null, null, null, null, null];
  const all = calls.map(({ row }) => sums.get(row.account_id) as { amount: number; credits: number; calls: number });
  return [
    before.map(({ amount }) => amount),
    all.map(({ amount }) => amount),
    all.map(({ credits }) => credits),
    all.map((sum) => sum.calls),
    all.map((sum, index) => sum.calls - (before[index]?.calls ?? 0) - 1),
  ].map((values) => `{${values.join(',')}}`);
}

function arrayOf(calls: readonly MeterCall[], name: (typeof COLUMNS)[number]): string {
  let text = '{';
  for (const { row } of calls) {
    if (text.length > 1) text += ',';
    const value = row[name] ?? null;
    text +=
      typeof value !== 'string' || (PLAIN.test(value) && value !== 'NULL' && value !== 'null')
        ? String(value)
        : JSON.stringify(value);
  }
  return `${text}}`;
}

function numbers(array: string | null | undefined): number[] {
  return array ? (JSON.parse(`[${array.slice(1, -1)}]`) as number[]) : [];
}
