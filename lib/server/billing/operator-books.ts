import type { BooksFigures } from '@/lib/protocol/operator-figures';
import type { Database } from '../db/schema';
import { booksFigures, operatorFigures } from './operator-figures';

const DAYS = 30;
const FRESH_MS = 10_000;

/** Caches the operator's figures: reads them at most every 10 s, one read at a time. */
export class OperatorBooks {
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
    const figures = booksFigures(await operatorFigures(db, { days: DAYS, now: at }));
    this.#last = { figures, at };
    return figures;
  }
}
