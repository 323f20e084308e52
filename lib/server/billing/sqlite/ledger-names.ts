import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { areNumbered, NAMES_MAX } from '../rules/ledger-names';

type Ids = Map<string, Map<string, number>>;

interface Name {
  id: number;
  resource: string;
  detail: string;
}

/**
 * Assigns numeric ids to pairs of resource and detail, in the transaction of a pair's first charge. Only later
 * transactions use the id, so that no row has an id that was rolled back.
 */
export class LedgerNames {
  readonly #ids: Ids = new Map();
  #count = 0;
  #new: Omit<Name, 'id'>[] = [];
  #written: Name[] = [];
  readonly #insert: StatementSync;
  readonly #find: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#insert = connection.prepare(
      'insert into ledger_names (resource, detail) values (?, ?) on conflict do nothing',
    );
    this.#find = connection.prepare('select id, resource, detail from ledger_names where resource = ? and detail = ?');
    const names = connection.prepare('select id, resource, detail from ledger_names').all() as unknown as Name[];
    for (const name of names) this.#remember(name);
  }

  idOf(resource: string, detail: string): number | null {
    const id = this.#ids.get(resource)?.get(detail);
    if (id !== undefined) return id;
    if (this.#count + this.#new.length < NAMES_MAX && areNumbered(resource)) this.#new.push({ resource, detail });
    return null;
  }

  flush(): void {
    for (const { resource, detail } of this.#new) {
      this.#insert.run(resource, detail);
      this.#written.push(this.#find.get(resource, detail) as unknown as Name);
    }
    this.#new = [];
  }

  discard(): void {
    this.#new = [];
    this.#written = [];
  }

  /** Call this after the commit. */
  committed(): void {
    for (const name of this.#written) this.#remember(name);
    this.#written = [];
  }

  #remember({ id, resource, detail }: Name): void {
    const ids = this.#ids.get(resource) ?? new Map<string, number>();
    this.#ids.set(resource, ids);
    if (!ids.has(detail)) this.#count++;
    ids.set(detail, id);
  }
}
