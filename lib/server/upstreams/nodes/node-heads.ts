import { HEAD_COMMITMENTS, type HeadCommitment } from './head-height';

/** Minimum head that a call requires of its upstream. */
export interface HeadFloor {
  commitment: HeadCommitment;
  height: number;
  heightMax: number;
  /** True if the answer reveals the upstream's height. In that case, an upstream that was behind may be tried. */
  isVerified: boolean;
  /** True if the block is old. In that case, an upstream whose head is unknown may be asked. */
  allowsUnknown?: boolean;
}

const FRESH_MS = 30_000;
const LOOK_EVERY_MS = 250;
/** Minimum time between trial reads on an upstream that was behind. Each failure doubles this time. */
const TRY_EVERY_MS = 1_000;
const TRY_EVERY_MS_MAX = 30_000;

interface Head {
  height: number | null;
  toldAt: number;
  lookedAt: number;
  look: Promise<void> | null;
  triedAt: number;
  tryEveryMs: number;
}

/** Newest blocks that one upstream is known to have. Times are values of `performance.now()`. */
export class NodeHeads {
  readonly #heads: readonly Head[] = HEAD_COMMITMENTS.map(() => ({
    height: null,
    toldAt: -Infinity,
    lookedAt: -Infinity,
    look: null,
    triedAt: -Infinity,
    tryEveryMs: TRY_EVERY_MS,
  }));

  /**
   * @param ask reads a height within a timeout; returns null if the upstream reports none; may reject
   */
  constructor(private readonly ask: (commitment: HeadCommitment) => Promise<number | null>) {}

  heightOf(commitment: HeadCommitment): number {
    return this.#of(commitment).height ?? 0;
  }

  /** Returns the height; null if it is unknown or stale. */
  freshHeightOf(commitment: HeadCommitment, now: number): number | null {
    const { height, toldAt } = this.#of(commitment);
    return now - toldAt <= FRESH_MS ? height : null;
  }

  isAt({ commitment, height, heightMax }: HeadFloor): boolean {
    const known = this.heightOf(commitment);
    return known >= height && known <= heightMax;
  }

  /**
   * Returns whether the upstream has the block or may be tried. It may be tried if its head is unknown and the block is
   * old. It may also be tried if its answer reveals its height, unless it was just found to be behind.
   */
  mayServe(floor: HeadFloor, now: number): boolean {
    if (this.isAt(floor)) return true;
    const { height, toldAt, triedAt, tryEveryMs } = this.#of(floor.commitment);
    if (height === null && floor.allowsUnknown) return true;
    return floor.isVerified && now >= Math.max(toldAt, triedAt) + tryEveryMs;
  }

  tried(commitment: HeadCommitment, now: number): void {
    this.#of(commitment).triedAt = now;
  }

  /** Records a head that the upstream reported. The answer to an older request cannot lower the head. */
  told(commitment: HeadCommitment, height: number, askedAt: number, now: number): void {
    const head = this.#of(commitment);
    if (head.height !== null && height < head.height && askedAt < head.toldAt) return;
    head.height = height;
    head.toldAt = now;
  }

  /** Records that the upstream has at least this block. */
  has(commitment: HeadCommitment, height: number, now: number): void {
    if (height > this.heightOf(commitment)) this.told(commitment, height, now, now);
  }

  /** Records whether an answer was older than required. */
  judged(commitment: HeadCommitment, isOlder: boolean, askedAt: number): void {
    const head = this.#of(commitment);
    if (!isOlder) head.tryEveryMs = TRY_EVERY_MS;
    // All callers that share an answer report it here. Only the first report counts.
    else if (head.triedAt >= askedAt) {
      head.tryEveryMs = Math.min(TRY_EVERY_MS_MAX, head.tryEveryMs * 2);
      head.triedAt = askedAt - 1;
    }
  }

  /** Reads the upstream's head, unless it was read a moment ago. Concurrent callers share one read. Never rejects. */
  look(commitment: HeadCommitment): Promise<void> {
    const head = this.#of(commitment);
    const now = performance.now();
    if (head.look) return head.look;
    if (now < Math.max(head.lookedAt, head.toldAt) + LOOK_EVERY_MS) return Promise.resolve();
    head.lookedAt = now;
    return (head.look = this.#look(commitment, now).finally(() => (head.look = null)));
  }

  async #look(commitment: HeadCommitment, askedAt: number): Promise<void> {
    try {
      const height = await this.ask(commitment);
      if (height !== null) this.told(commitment, height, askedAt, performance.now());
    } catch {
      // A failed read proves nothing about the head.
    }
  }

  #of(commitment: HeadCommitment): Head {
    return this.#heads[commitment] as Head;
  }
}
