import { setImmediate as turn } from 'node:timers/promises';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { OperatorMargins, ResourceMargins } from '@/lib/protocol/operator-margins';
import { sql } from 'kysely';
import type { Database } from '../../db/schema';
import { idRanges } from '../operator-figures';
import { epochAt, epochName, epochStart } from '../rules/epoch';
import { costBounds } from './cost-bounds';
import { type CostsOf, UNITS } from './unit-costs';

const DAYS = 30;
const FRESH_MS = 30_000;
const ACCOUNTS_AT_ONCE = 5_000;

interface DaySum {
  charges: number;
  units: number;
  chargedNanoUsd: number;
  givenNanoUsd: number;
  refundedNanoUsd: number;
}

/** One day's totals per resource, such as `chat/a-model`. */
type Day = Map<string, DaySum>;

/**
 * Income and cost of 30 days by model and network. Stores the sums of ended days, so that a read sums only the last two
 * days.
 */
export class MarginSums {
  readonly #ended = new Map<number, Day>();
  #reading: Promise<ReadonlyMap<number, Day>> | null = null;
  #last: { days: ReadonlyMap<number, Day>; at: number } | null = null;

  constructor(private readonly parts: { db: Database; now: () => number }) {}

  async read(costsOf: CostsOf): Promise<OperatorMargins> {
    return marginsOf(await this.#days(), costsOf);
  }

  async #days(): Promise<ReadonlyMap<number, Day>> {
    const { now } = this.parts;
    if (this.#last !== null && now() - this.#last.at < FRESH_MS) return this.#last.days;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<ReadonlyMap<number, Day>> {
    const { db, now } = this.parts;
    const at = now();
    const today = epochAt(at);
    const days = new Map<number, Day>();
    for (let day = today - DAYS + 1; day <= today; day++) {
      const sums = this.#ended.get(day) ?? (await sumDay(db, day));
      // A charge made before midnight may be written after midnight.
      if (day < today - 1) this.#ended.set(day, sums);
      days.set(day, sums);
    }
    for (const day of this.#ended.keys()) if (!days.has(day)) this.#ended.delete(day);
    const complete = await withRefunds(db, days);
    this.#last = { days: complete, at };
    return complete;
  }
}

async function sumDay(db: Database, day: number): Promise<Day> {
  const sums: Day = new Map();
  for await (const [after, through] of idRanges(db, 'accounts', ACCOUNTS_AT_ONCE)) {
    const rows = await db
      .selectFrom('charge_days')
      .select((row) => [
        'resource',
        row.fn.sum<number | string>('calls').as('charges'),
        row.fn.sum<number | string>('units').as('units'),
        row.fn.sum<number | string>(sql`diem + bundled + usd + x402`).as('charged'),
        row.fn.sum<number | string>(sql`diem + bundled`).as('given'),
      ])
      .where('day', '=', day)
      .where('account_id', '>', after)
      .where('account_id', '<=', through)
      .groupBy('resource')
      .execute();
    for (const { resource, charges, units, charged, given } of rows) {
      const sum = sums.get(resource) ?? noSum();
      sum.charges += Number(charges);
      sum.units += Number(units);
      sum.chargedNanoUsd += Number(charged);
      sum.givenNanoUsd += Number(given);
      sums.set(resource, sum);
    }
  }
  return sums;
}

const noSum = (): DaySum => ({ charges: 0, units: 0, chargedNanoUsd: 0, givenNanoUsd: 0, refundedNanoUsd: 0 });

/** Adds up refunds. Only videos are refunded. */
async function withRefunds(db: Database, days: ReadonlyMap<number, Day>): Promise<ReadonlyMap<number, Day>> {
  const first = Math.min(...days.keys());
  const names = new Set(
    [...days.values()].flatMap((sums) => [...sums.keys()].filter((name) => name.startsWith('video/'))),
  );
  const complete = new Map([...days].map(([day, sums]) => [day, new Map(sums)]));
  for (const resource of names) {
    const rows = await db
      .selectFrom('video_requests')
      .select((row) => ['created_at', row.ref('refunded').as('refunded')])
      .where('model', '=', resource.slice('video/'.length))
      // Uses the index on `ended_at`. A video ends after its charge, so this finds the refunds of all charges since `first`.
      .where('ended_at', '>=', epochStart(first))
      .where('refunded', '>', 0)
      .execute();
    for (const { created_at: createdAt, refunded } of rows) {
      const sums = complete.get(Math.floor(Number(createdAt) / DAY_MS));
      const sum = sums?.get(resource);
      if (sums && sum) sums.set(resource, { ...sum, refundedNanoUsd: sum.refundedNanoUsd + Number(refunded) });
    }
    await turn();
  }
  return complete;
}

function marginsOf(days: ReadonlyMap<number, Day>, costsOf: CostsOf): OperatorMargins {
  const resources = new Map<string, ResourceMargins>();
  for (const [day, sums] of days)
    for (const [resource, sum] of sums) {
      const [product = '', ...rest] = resource.split('/');
      const name = rest.join('/');
      const margins = resources.get(resource) ?? { product, name, unit: UNITS[product] ?? 'units', days: [] };
      resources.set(resource, margins);
      const costs = costsOf(product, name);
      margins.days.push({
        day: epochName(day),
        charges: sum.charges,
        units: sum.units,
        incomeNanoUsd: sum.chargedNanoUsd - sum.refundedNanoUsd,
        givenNanoUsd: sum.givenNanoUsd,
        costNanoUsd: costs && withFailed(costBounds(costs, sum), sum),
      });
    }
  return { days: [...days.keys()].map(epochName), resources: [...resources.values()] };
}

/** A provider may charge for failed videos, so only the upper bound includes their cost. */
function withFailed(cost: { least: number; most: number }, { chargedNanoUsd, refundedNanoUsd }: DaySum) {
  const kept = chargedNanoUsd === 0 ? 1 : Math.max(0, 1 - refundedNanoUsd / chargedNanoUsd);
  return { ...cost, least: Math.round(cost.least * kept) };
}
