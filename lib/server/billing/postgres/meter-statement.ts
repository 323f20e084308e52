import type { Pool } from 'pg';
import type { MeterLimits, Refusal } from '../meter';
import { type CallOutcome, isCharge, type MeterCall } from './meter-call';
import { runStatement } from './statement';

const TEXT = 'select item, outcome, refusal, replay, remaining, room from turnpike_meter($1, $2, $3, $4, $5)';
const NO_BODIES = Buffer.alloc(0);

interface ResultRow extends Record<string, unknown> {
  item: number;
  outcome: CallOutcome['outcome'] | 'unkept';
  refusal: Refusal | null;
  replay: Uint8Array | null;
  remaining: number | null;
  room: number | null;
}

/** Reserves, settles and releases in one round trip and transaction. Also runs charges that `ChargeStatement` skips. */
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
   * @param waitMs longest wait for a meter row that another transaction has locked; null skips such callers
   * @returns committed outcomes in the order of the calls
   * @throws StatementFailed
   */
  async run(calls: readonly MeterCall[], waitMs: number | null): Promise<CallOutcome[]> {
    const { rows, bodies } = encode(calls);
    const durable = calls.some(({ row }) => isCharge(row));
    const values = [rows, bodies, this.#limits, durable, waitMs];
    return decode(
      await runStatement<ResultRow>(this.#pool, { name: 'turnpike_meter', text: TEXT, values }),
      calls.length,
    );
  }
}

function encode(calls: readonly MeterCall[]): { rows: string; bodies: Buffer } {
  const bodies: Uint8Array[] = [];
  let bytes = 0;
  const rows = calls.map(({ row, body, mayHaveRun }, item) => {
    // On a retry, the database checks whether an earlier attempt took effect.
    const attempt = mayHaveRun ? 2 : 1;
    if (body === null) return { item, attempt, ...row };
    bodies.push(body);
    bytes += body.byteLength;
    return { item, attempt, ...row, body_start: bytes - body.byteLength, body_bytes: body.byteLength };
  });
  return { rows: JSON.stringify(rows), bodies: bodies.length === 0 ? NO_BODIES : Buffer.concat(bodies) };
}

function decode(rows: readonly ResultRow[], count: number): CallOutcome[] {
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
