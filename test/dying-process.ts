import type { KyselyPlugin } from 'kysely';
import type { Database } from '@/lib/server/db/schema';

/** The process was killed. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/**
 * Process that dies at its n-th step. Each statement has two steps: one before the statement, and one after it but
 * before its answer. If the process dies in a transaction, the transaction is rolled back, as after a crash.
 */
export class DyingProcess {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Passes one step. @throws Killed at the last step and at every later step */
  readonly step = (): void => {
    if (this.#left <= 0) throw new Killed('killed');
    this.#left--;
  };

  /** Returns a connection whose statements count as steps. */
  on(db: Database): Database {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        this.step();
        return node;
      },
      transformResult: ({ result }) => {
        this.step();
        return Promise.resolve(result);
      },
    };
    return db.withPlugin(plugin);
  }
}
