import { HistoryScan } from './history-scan';
import type { HistoryEntry, SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/** The slots in which an execution can be, both included. */
export interface SlotRange {
  fromSlot: number;
  toSlot: number;
}

/**
 * Goes back through the histories of a payment's two accounts side by side, and says what stands in both: the execution
 * does, whoever sent it. What was compared is forgotten, so however much strangers put into either history, no more is
 * kept than about a page of it.
 */
export class HistoryWalk {
  readonly #source: HistoryScan;
  readonly #receiver: HistoryScan;
  /** What stands in one history, in slots to which the other was not read yet: signatures with their slots. */
  readonly #ofSource = new Map<string, number>();
  readonly #ofReceiver = new Map<string, number>();

  constructor(
    node: SolanaNode,
    private readonly transfer: SolanaTransfer,
    private readonly range: SlotRange,
    /** The one signature that the execution can have, where that is known. */
    private readonly only: string | null,
  ) {
    this.#source = new HistoryScan(node, transfer.source, range.fromSlot);
    this.#receiver = new HistoryScan(node, transfer.destination, range.fromSlot);
  }

  /** How many transactions are kept. */
  get size(): number {
    return this.#ofSource.size + this.#ofReceiver.size;
  }

  /** Whether everything that there is was said. A signature that is known stands in both: one history is enough for it. */
  get isAtEnd(): boolean {
    return this.only === null
      ? this.#source.isAtEnd && this.#receiver.isAtEnd
      : this.#source.isAtEnd || this.#receiver.isAtEnd;
  }

  /** Whether that end is the walk's own, and not that of a list, which a node may have forgotten the rest of. */
  get isPastStart(): boolean {
    return this.only === null
      ? this.#source.isPastStart && this.#receiver.isPastStart
      : this.#source.isPastStart || this.#receiver.isPastStart;
  }

  /**
   * Reads a page of the history that was read less far, as of a block not before `slot`.
   * @returns the signatures that may be the execution's
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

  /** What failed is looked at where its memo says that it is this payment; without that it has expired. */
  #mayBeIt({ signature, err, memo }: HistoryEntry): boolean {
    if (this.only !== null) return signature === this.only;
    return err === null || (memo !== null && memo === this.transfer.memo);
  }

  /** Of slots that the other history was read past, what is not in both by now never will be. */
  #forget(kept: Map<string, number>, otherReadTo: number): void {
    for (const [signature, slot] of kept) if (slot > otherReadTo) kept.delete(signature);
  }
}
