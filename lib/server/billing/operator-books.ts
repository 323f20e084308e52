import type { BooksFigures } from '@/lib/protocol/operator-figures';
import type { Database } from '../db/schema';
import { type DayTotals, isOverFor } from './daily-totals';
import { booksFigures, operatorFigures } from './operator-figures';

const DAYS = 30;
const FRESH_MS = 10_000;
/** For sums by day: what is not summed by then is left out, and said to be. */
const BUDGET_MS = 2_000;
/** What was charged before midnight is written a moment later at most, by clocks that differ by seconds. */
const SETTLED_AFTER_MS = 3_600_000;

/**
 * The books for who looks at them again and again while the gateway serves: they are read once at a time and no more
 * often than every 10 s, and a day that is over is summed once.
 */
export class OperatorBooks {
  readonly #summed = new Map<string, DayTotals>();
  #reading: Promise<BooksFigures> | null = null;
  #last: { figures: BooksFigures; at: number } | null = null;

  constructor(private readonly parts: { db: Database; now: () => number }) {}

  /** As they are, or were 10 s ago at most. */
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
