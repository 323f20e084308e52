import type { BooksFigures } from '@/lib/protocol/operator-figures';
import type { Database } from '../db/schema';
import { type DayTotals, isOverFor } from './daily-totals';
import { booksFigures, operatorFigures } from './operator-figures';

const DAYS = 30;
const FRESH_MS = 10_000;
/** Time limit of the daily sums. Unsummed days are reported as missing. */
const BUDGET_MS = 2_000;
/** Delay after midnight until a day is final, because charges are written late and clocks differ by seconds. */
const SETTLED_AFTER_MS = 3_600_000;

/** Caches the operator's figures: reads them at most every 10 s, one read at a time, and sums a finished day once. */
export class OperatorBooks {
  readonly #summed = new Map<string, DayTotals>();
  #reading: Promise<BooksFigures> | null = null;
  #last: { figures: BooksFigures; at: number } | null = null;

  constructor(private readonly parts: { db: Database; now: () => number }) {}

  async read(): Promise<BooksFigures> {
    const { now } = this.parts;
    if (this.#last !== null && now() - this.#last.at < FRESH_MS) return this.#last.figures;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<BooksFigures> {
    const { db, now } = this.parts;
    const at = now();
    const figures = await operatorFigures(db, { days: DAYS, now: at, budgetMs: BUDGET_MS, known: this.#summed });
    for (const day of figures.totals.days) if (isOverFor(day, SETTLED_AFTER_MS, at)) this.#summed.set(day.day, day);
    for (const day of [...this.#summed.keys()].slice(0, -DAYS)) this.#summed.delete(day);
    const told = booksFigures(figures);
    this.#last = { figures: told, at };
    return told;
  }
}
