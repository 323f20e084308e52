import type { Pool } from 'pg';
import { areNumbered, NAMES_MAX } from '../rules/ledger-names';

/**
 * Numbers resources and details in the database, for smaller ledger rows. Runs in the background and may fail: a charge
 * whose names have no number stores them as text.
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
    if (this.#new.length === 1) setImmediate(() => void this.#learn());
  }

  async #learn(): Promise<void> {
    const names = this.#new;
    this.#new = [];
    try {
      await this.pool.query('select turnpike_learn_names($1, $2)', [
        names.map(([resource]) => resource),
        names.map(([, detail]) => detail),
      ]);
    } catch {
      // Their next charges try again.
      for (const [resource, detail] of names) this.#known.delete(nameOf(resource, detail));
    }
  }
}

function nameOf(resource: string, detail: string): string {
  return `${resource} ${detail}`;
}
