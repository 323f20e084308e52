/** What waits for its turn, and whose it is. */
export interface Bulk {
  account: object;
  bytes: number;
}

/** Bytes of all that wait, and of one caller a part of what of it is free: so that nobody leaves nothing for others. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
const PART_OF_FREE = 4;

/** Large answers that wait to be written, a bounded number of bytes, of which callers' turns come one after the other. */
export class BulkQueue<Item extends Bulk> {
  /** By caller, the one whose turn is next first. */
  readonly #waiting = new Map<object, Item[]>();
  #bytes = 0;

  /** Whether anything waits. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Adds one behind the others of its caller. @returns false where there is no room; whoever has nothing waiting has some, within the whole, and whatever comes where nothing waits. */
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

  /** Takes those whose turns are next: as many as have so many bytes together, and at least one. */
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
