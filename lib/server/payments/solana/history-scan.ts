import { type HistoryEntry, SIGNATURES_PAGE, type SolanaNode } from './solana-node';

/** Transactions that are kept of an account. Whoever makes more of them pays 0.1 SOL in fees and gains a delay. */
const KEPT_MAX = 20_000;

/** A walk back through the finalized transactions that name an account, a page at a time. */
export class HistoryScan {
  /** Those that are not older than the walk goes and that the caller wants: their memos by signature. */
  readonly kept = new Map<string, string | null>();
  /** Whether the walk is over. */
  isAtEnd = false;
  /** Whether it came past the slot to which it goes, and not only to where the node's list ends. */
  isPastStart = false;
  /** Whether more was wanted than is kept: then what is kept is not all. */
  isCut = false;
  #before: string | undefined;

  constructor(
    private readonly node: SolanaNode,
    private readonly account: string,
    private readonly fromSlot: number,
    private readonly isWanted: (entry: HistoryEntry) => boolean,
  ) {}

  /** Reads one more page, as of a block not before `slot`. */
  async next(slot: number): Promise<void> {
    const page = await this.node.history(this.account, { before: this.#before, slot });
    for (const entry of page) if (entry.slot >= this.fromSlot && this.isWanted(entry)) this.#keep(entry);
    const last = page.at(-1);
    this.isPastStart = last !== undefined && last.slot < this.fromSlot;
    this.isAtEnd = this.isPastStart || page.length < SIGNATURES_PAGE;
    this.#before = last?.signature;
  }

  #keep({ signature, memo }: HistoryEntry): void {
    if (this.kept.size < KEPT_MAX) this.kept.set(signature, memo ?? null);
    else this.isCut = true;
  }
}
