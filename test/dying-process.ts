import type { KyselyPlugin } from 'kysely';
import type { Database } from '@/lib/server/db/schema';

/** The process was killed. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/**
 * Process that dies at its n-th step. Each statement has two steps: before it, and after it without its answer. A
 * transaction that is open then is rolled back, as after a crash.
 */
export class DyingProcess {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Passes one step. @throws Killed from the last step on */
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
