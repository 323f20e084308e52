import { type HistoryEntry, SIGNATURES_PAGE, type SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/** Reads an account's finalized transactions in pages, newest first. */
export class HistoryScan {
  isAtEnd = false;
  /** True if the scan has read past `fromSlot`; false if the node's list ended before that slot. */
  isPastStart = false;
  #readTo = Infinity;
  #before: string | undefined;

  constructor(
    private readonly node: SolanaNode,
    private readonly account: string,
    private readonly fromSlot: number,
  ) {}

  /** Slot above which the history has been read completely; -1 if all of it has been read. */
  get readTo(): number {
    return this.isAtEnd ? -1 : this.#readTo;
  }

  /**
   * Reads one page of the history from a node that has reached `slot`.
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

/** Fields of a transfer that are needed to find its transaction. */
export type SoughtTransfer = Pick<
  SolanaTransfer,
  'source' | 'destination' | 'memo' | 'messageHash' | 'recentBlockhash'
>;

interface SlotRange {
  fromSlot: number;
  toSlot: number;
}

/**
 * Reads the histories of the payer's and the receiver's accounts in parallel, newest first. Reports signatures that are
 * in both histories. Drops compared entries, so that only about a page is stored.
 */
export class HistoryWalk {
  readonly #source: HistoryScan;
  readonly #receiver: HistoryScan;
  /**
   * Signatures found in only one history, with their slots. The other history has not been read as far as these slots.
   */
  readonly #ofSource = new Map<string, number>();
  readonly #ofReceiver = new Map<string, number>();

  constructor(
    node: SolanaNode,
    private readonly transfer: SoughtTransfer,
    private readonly range: SlotRange,
    private readonly only: string | null,
  ) {
    this.#source = new HistoryScan(node, transfer.source, range.fromSlot);
    this.#receiver = new HistoryScan(node, transfer.destination, range.fromSlot);
  }

  get size(): number {
    return this.#ofSource.size + this.#ofReceiver.size;
  }

  /** True if both histories were read to their end. If the signature is known, one history is enough. */
  get isAtEnd(): boolean {
    return this.only === null
      ? this.#source.isAtEnd && this.#receiver.isAtEnd
      : this.#source.isAtEnd || this.#receiver.isAtEnd;
  }

  /**
   * True if the walk passed its start slot; false if the node's list may have ended early because older entries were
   * deleted.
   */
  get isPastStart(): boolean {
    return this.only === null
      ? this.#source.isPastStart && this.#receiver.isPastStart
      : this.#source.isPastStart || this.#receiver.isPastStart;
  }

  /**
   * Reads the next page, from a node that has reached `slot`. Continues whichever history is behind.
   * @returns entries that may be the transfer's transaction
   */
  async next(slot: number): Promise<HistoryEntry[]> {
    const isSource = this.#source.readTo >= this.#receiver.readTo && !this.#source.isAtEnd;
    const page = await (isSource ? this.#source : this.#receiver).next(slot);
    const wanted = page.filter((entry) => entry.slot <= this.range.toSlot && this.#mayBeIt(entry));
    if (this.only !== null) return wanted;
    const [mine, other] = isSource ? [this.#ofSource, this.#ofReceiver] : [this.#ofReceiver, this.#ofSource];
    const inBoth: HistoryEntry[] = [];
    for (const entry of wanted) {
      if (other.delete(entry.signature)) inBoth.push(entry);
      else mine.set(entry.signature, entry.slot);
    }
    this.#forget(this.#ofSource, this.#receiver.readTo);
    this.#forget(this.#ofReceiver, this.#source.readTo);
    return inBoth;
  }

  /**
   * Returns whether an entry may be the transfer's transaction. A failed transaction counts only if it has the
   * payment's memo.
   */
  #mayBeIt({ signature, err, memo }: HistoryEntry): boolean {
    if (this.only !== null) return signature === this.only;
    return err === null || (memo !== null && memo === this.transfer.memo);
  }

  /** Drops signatures that are missing in the other history, which has been read past their slots. */
  #forget(kept: Map<string, number>, otherReadTo: number): void {
    for (const [signature, slot] of kept) if (slot > otherReadTo) kept.delete(signature);
  }
}
