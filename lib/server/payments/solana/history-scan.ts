import { type HistoryEntry, SIGNATURES_PAGE, type SolanaNode } from './solana-node';

/** A walk back through the finalized transactions that name an account, a page at a time, newest first. */
export class HistoryScan {
  /** Whether the walk is over. */
  isAtEnd = false;
  /** Whether it came past the slot to which it goes, and not only to where the node's list ends. */
  isPastStart = false;
  #readTo = Infinity;
  #before: string | undefined;

  constructor(
    private readonly node: SolanaNode,
    private readonly account: string,
    private readonly fromSlot: number,
  ) {}

  /** Whatever is in a later slot than this one was read. */
  get readTo(): number {
    return this.isAtEnd ? -1 : this.#readTo;
  }

  /**
   * Reads one more page, as of a block not before `slot`.
   * @returns what of it is not older than the walk goes
   * @throws Error where the node does not list the latest first
   */
  async next(slot: number): Promise<HistoryEntry[]> {
    const page = await this.node.history(this.account, { before: this.#before, slot });
    let readTo = this.#readTo;
    for (const entry of page) {
      if (entry.slot > readTo) throw new Error('The node lists the transactions of an account out of order.');
      readTo = entry.slot;
    }
    this.#readTo = readTo;
    this.isPastStart = page.length > 0 && readTo < this.fromSlot;
    this.isAtEnd = this.isPastStart || page.length < SIGNATURES_PAGE;
    this.#before = page.at(-1)?.signature;
    return page.filter((entry) => entry.slot >= this.fromSlot);
  }
}
