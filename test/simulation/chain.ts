/** Returns numbers from 0 to 1. Equal seeds give equal numbers. */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface SentTransaction {
  hash: string;
  sender: string;
  nonce: number;
  sentAt: number;
}

export interface Block {
  number: number;
  hash: string;
  /** All blocks up to this one, by number. */
  line: readonly Block[];
  transactions: readonly SentTransaction[];
  logs: number;
}

/** Head of the chain from a point in time on. */
export interface HeadChange {
  at: number;
  block: Block;
}

export interface ChainSettings {
  blockMs: number;
  /** Share of blocks that cause a reorganization. */
  reorgShare: number;
}

const HISTORY_BLOCKS = 300;
const REORG_DEPTH_MAX = 2;
/** Age at which a block includes a transaction. */
const MINED_AFTER_MS = 300;

/** Chain that all simulated nodes follow. Grows, and sometimes reorganizes its last blocks. */
export class Chain {
  readonly changes: HeadChange[] = [];
  /** Blocks of each transaction, on all branches. */
  readonly minedIn = new Map<string, Block[]>();
  readonly blocks = new Map<string, Block>();
  /** Heights with more than one block. */
  readonly contested = new Set<number>();
  readonly sent: SentTransaction[] = [];
  #nextAt = 0;
  #blocksMade = 0;

  constructor(
    private readonly random: Random,
    private readonly settings: ChainSettings,
  ) {
    let tip = this.#made([], []);
    while (tip.number < HISTORY_BLOCKS) tip = this.#made(tip.line, []);
    this.changes.push({ at: 0, block: tip });
    this.#nextAt = settings.blockMs;
  }

  get head(): Block {
    return (this.changes.at(-1) as HeadChange).block;
  }

  /** Adds all blocks that are due. */
  growTo(now: number): void {
    while (this.#nextAt <= now) {
      this.#grow(this.#nextAt);
      this.#nextAt += this.settings.blockMs * (0.5 + this.random());
    }
  }

  #grow(at: number): void {
    const { head } = this;
    const replaced = this.random() < this.settings.reorgShare ? 1 + Math.floor(this.random() * REORG_DEPTH_MAX) : 0;
    let line = head.line.slice(0, head.line.length - replaced);
    const orphaned = head.line.slice(line.length).flatMap(({ transactions }) => transactions);
    for (const { number } of head.line.slice(line.length)) this.contested.add(number);
    let block = head;
    for (let i = 0; i <= replaced; i++) {
      // The first block of the new branch contains all orphaned transactions.
      block = this.#made(line, i === 0 ? [...orphaned, ...(replaced === 0 ? this.#due(at, head) : [])] : []);
      line = [...block.line];
    }
    this.changes.push({ at, block });
  }

  #due(at: number, head: Block): SentTransaction[] {
    return this.sent.filter(({ hash, sentAt }) => sentAt + MINED_AFTER_MS <= at && !this.isIn(hash, head));
  }

  /** Returns whether the chain that ends with this block contains a transaction. */
  isIn(transaction: string, { line }: Block): boolean {
    return this.blockOf(transaction, line) !== null;
  }

  blockOf(transaction: string, line: readonly Block[]): Block | null {
    return this.minedIn.get(transaction)?.find((block) => line[block.number] === block) ?? null;
  }

  #made(line: readonly Block[], transactions: readonly SentTransaction[]): Block {
    const number = line.length;
    const hash = `0x${(++this.#blocksMade).toString(16).padStart(64, '0')}`;
    const block: Block = { number, hash, line: [], transactions, logs: Math.floor(this.random() * 3) };
    block.line = [...line, block];
    this.blocks.set(hash, block);
    for (const transaction of transactions)
      this.minedIn.set(transaction.hash, [...(this.minedIn.get(transaction.hash) ?? []), block]);
    return block;
  }
}

/** Returns a block's logs in a node's form. */
export function logsOf({ number, hash, logs }: Block): { blockNumber: string; blockHash: string; logIndex: string }[] {
  return Array.from({ length: logs }, (_none, index) => ({
    blockNumber: hex(number),
    blockHash: hash,
    logIndex: hex(index),
  }));
}

export function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
