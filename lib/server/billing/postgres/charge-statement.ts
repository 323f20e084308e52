import type { Pool } from 'pg';
import type { MeterLimits } from '../meter';
import type { CallOutcome, CallRow, MeterCall } from './meter-call';
import { runStatement } from './statement';

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
const PLACES = [...COLUMNS, 'limits'].map((_name, index) => `$${index + 1}`).join(', ');
const TEXT = `select items::text, remaining::text, room::text from turnpike_charge_at_once(${PLACES})`;
/** Matches text that needs no quotes in a Postgres array. */
const PLAIN = /^[\w/:.-]+$/;

/** Postgres array literals of equal length; null if no call was charged. */
interface ResultRow extends Record<string, unknown> {
  items: string | null;
  remaining: string | null;
  room: string | null;
}

/** Admits and charges finished calls of different callers in one round trip and transaction. */
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
   * @param calls charges, each of a different caller
   * @returns committed outcomes in the order of the calls; null for a call that was skipped because another transaction
   *   has locked its caller's meter row, or because `MeterStatement` must run it
   * @throws StatementFailed
   */
  async run(calls: readonly MeterCall[]): Promise<(CallOutcome | null)[]> {
    const columns = COLUMNS.map((name) => arrayOf(calls, name));
    const [result] = await runStatement<ResultRow>(this.#pool, {
      name: 'turnpike_charge',
      text: TEXT,
      values: [...columns, this.#limits],
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
    return outcomes;
  }
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
