import { type HistoryEntry, SIGNATURES_PAGE, type SolanaNode } from './solana-node';

/** Reads an account's finalized transactions by pages, newest first. */
export class HistoryScan {
  isAtEnd = false;
  /** True if the scan passed its target slot; false if the node's list ended before that slot. */
  isPastStart = false;
  #readTo = Infinity;
  #before: string | undefined;

  constructor(
    private readonly node: SolanaNode,
    private readonly account: string,
    private readonly fromSlot: number,
  ) {}

  /** Slot above which the history was read completely; -1 at its end. */
  get readTo(): number {
    return this.isAtEnd ? -1 : this.#readTo;
  }

  /**
   * Reads a page, as of a block not before `slot`.
   *
   * @returns the page's entries from `fromSlot` on
   * @throws Error if the node does not list the newest entries first
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
