export interface Bulk {
  account: object;
  bytes: number;
}

/** Maximum bytes of all waiting items. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
const PART_OF_FREE = 4;

/** Queue of large answers to write, limited in bytes. Callers take turns. */
export class BulkQueue<Item extends Bulk> {
  /** Items by caller. The first caller's turn is next. */
  readonly #waiting = new Map<object, Item[]>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Appends to the caller's queue. A caller without waiting items may use all free bytes. Any other caller may use only
   * a quarter of them.
   * @returns false if there is no room; an empty queue accepts any item
   */
  add(item: Item): boolean {
    const own = this.#waiting.get(item.account) ?? [];
    const free = WAITING_BYTES_MAX - this.#bytes;
    const ownBytes = own.reduce((sum, { bytes }) => sum + bytes, 0);
    if ((item.bytes > free && !this.isEmpty) || (own.length > 0 && ownBytes + item.bytes > free / PART_OF_FREE))
      return false;
    own.push(item);
    this.#waiting.set(item.account, own);
    this.#bytes += item.bytes;
    return true;
  }

  /** Takes the next items, as many as fit into `bytesMax` but at least one. */
  take(bytesMax: number): Item[] {
    const taken: Item[] = [];
    let bytes = 0;
    for (
      let item = this.#first();
      item && (taken.length === 0 || bytes + item.bytes <= bytesMax);
      item = this.#first()
    ) {
      taken.push(item);
      bytes += item.bytes;
      this.#remove(item);
    }
    return taken;
  }

  #first(): Item | undefined {
    return this.#waiting.values().next().value?.[0];
  }

  #remove({ account, bytes }: Item): void {
    const own = this.#waiting.get(account) ?? [];
    own.shift();
    this.#bytes -= bytes;
    this.#waiting.delete(account);
    if (own.length > 0) this.#waiting.set(account, own);
  }
}
