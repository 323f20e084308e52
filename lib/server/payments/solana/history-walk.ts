import { HistoryScan } from './history-scan';
import type { HistoryEntry, SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/** Fields of a transfer by which its execution is found. */
export type SoughtTransfer = Pick<
  SolanaTransfer,
  'source' | 'destination' | 'memo' | 'messageHash' | 'recentBlockhash'
>;

/** Slots of possible execution, inclusive. */
interface SlotRange {
  fromSlot: number;
  toSlot: number;
}

/**
 * Reads back through the histories of the payer's and the receiver's accounts in parallel. Reports signatures that
 * both contain. Drops compared entries, so that only about a page is stored.
 */
export class HistoryWalk {
  readonly #source: HistoryScan;
  readonly #receiver: HistoryScan;
  /** Signatures in one history, with slots that the other history has not reached yet. */
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

  /** True if both histories were read to their end. For a known signature, one history suffices. */
  get isAtEnd(): boolean {
    return this.only === null
      ? this.#source.isAtEnd && this.#receiver.isAtEnd
      : this.#source.isAtEnd || this.#receiver.isAtEnd;
  }

  /** True if the walk passed its start slot; false if it may have met the end of a pruned list. */
  get isPastStart(): boolean {
    return this.only === null
      ? this.#source.isPastStart && this.#receiver.isPastStart
      : this.#source.isPastStart || this.#receiver.isPastStart;
  }

  /**
   * Reads a page of the history that was read less far, as of a block not before `slot`.
   *
   * @returns entries that may be the execution
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

  /** A failed transaction is considered only if its memo is the payment's. */
  #mayBeIt({ signature, err, memo }: HistoryEntry): boolean {
    if (this.only !== null) return signature === this.only;
    return err === null || (memo !== null && memo === this.transfer.memo);
  }

  /** Drops signatures in slots that the other history has passed without listing them. */
  #forget(kept: Map<string, number>, otherReadTo: number): void {
    for (const [signature, slot] of kept) if (slot > otherReadTo) kept.delete(signature);
  }
}
