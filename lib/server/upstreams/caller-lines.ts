/** Account of a caller; null for the gateway itself. */
export type LineOwner = number | null;

/** Queue with one line per caller. Callers take turns, so that one caller's long line does not delay other callers. */
export class CallerLines<Item> {
  /** Lines by caller. The first line in the map has the next turn. */
  readonly #lines = new Map<LineOwner, Item[]>();
  #length = 0;

  /**
   * @param lengthMax number of items that all callers share. Because each new caller gets a share, all lines together
   * can hold up to twice as many
   */
  constructor(private readonly lengthMax: number) {}

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= this.lengthMax;
  }

  /** Returns the number of callers with a line, counting this caller even if it has none. */
  linesWith(caller: LineOwner): number {
    return this.#lines.size + (this.#lines.has(caller) ? 0 : 1);
  }

  lengthOf(caller: LineOwner): number {
    return this.#lines.get(caller)?.length ?? 0;
  }

  /**
   * Returns whether a caller may add an item. Callers share `lengthMax` equally, and one additional share stays free
   * for a new caller.
   */
  hasRoomFor(caller: LineOwner): boolean {
    if (this.#length >= this.lengthMax * 2) return false;
    return this.lengthOf(caller) < Math.max(1, Math.floor(this.lengthMax / (this.linesWith(caller) + 1)));
  }

  add(caller: LineOwner, item: Item): void {
    const line = this.#lines.get(caller);
    if (line) line.push(item);
    else this.#lines.set(caller, [item]);
    this.#length++;
  }

  /** Finds the first caller that `mayGo` accepts, removes that caller's next item, and moves that caller to the end. */
  take(mayGo: (caller: LineOwner) => boolean = () => true): { caller: LineOwner; item: Item } | null {
    for (const [caller, line] of this.#lines) {
      if (!mayGo(caller)) continue;
      const item = line.shift() as Item;
      this.#length--;
      this.#lines.delete(caller);
      if (line.length > 0) this.#lines.set(caller, line);
      return { caller, item };
    }
    return null;
  }

  remove(caller: LineOwner, item: Item): void {
    const line = this.#lines.get(caller);
    const at = line?.indexOf(item) ?? -1;
    if (!line || at < 0) return;
    line.splice(at, 1);
    this.#length--;
    if (line.length === 0) this.#lines.delete(caller);
  }

  takeAll(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#length = 0;
    return items;
  }
}
