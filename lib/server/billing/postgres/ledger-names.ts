import type { Pool } from 'pg';
import { areNumbered, NAMES_MAX } from '../rules/ledger-names';

/**
 * Assigns numeric ids to pairs of resource and detail in the database. Until a pair has an id, charges store its text.
 */
export class LedgerNames {
  readonly #known = new Set<string>();
  #new: [resource: string, detail: string][] = [];

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  see(resource: string, detail: string): void {
    if (!areNumbered(resource)) return;
    const name = nameOf(resource, detail);
    if (this.#known.has(name) || this.#known.size >= NAMES_MAX) return;
    this.#known.add(name);
    this.#new.push([resource, detail]);
  }

  async learn(): Promise<void> {
    const names = this.#new;
    if (names.length === 0) return;
    this.#new = [];
    try {
      await this.pool.query('select turnpike_learn_names($1, $2)', [
        names.map(([resource]) => resource),
        names.map(([, detail]) => detail),
      ]);
    } catch (error) {
      // Forgets the pairs, so that later charges queue them again.
      for (const [resource, detail] of names) this.#known.delete(nameOf(resource, detail));
      throw error;
    }
  }
}

function nameOf(resource: string, detail: string): string {
  return `${resource}\n${detail}`;
}
