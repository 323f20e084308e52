import { HEAD_COMMITMENTS, type HeadCommitment } from './head-height';

/** How far an upstream has to be to be asked. */
export interface HeadFloor {
  commitment: HeadCommitment;
  height: number;
  /** What is beyond this is no head of this chain. */
  heightMax: number;
  /** Whether the answer will say how far the upstream is, so that one that is not known to be there may be tried. */
  isVerified: boolean;
  /** Whether one whose head is not known at all may be asked, because the block is an old one. */
  allowsUnknown?: boolean;
}

/** Of a chain whose head moves, what is known longer than this proves nothing against others. */
const FRESH_MS = 30_000;
/** An upstream is asked for its head, for the sake of callers who wait, no more often than this. */
const LOOK_EVERY_MS = 250;
/** An upstream that was behind is tried with a caller's read no more often than this, and half as often each time that it was in vain. */
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

/** The newest blocks that one upstream is known to have, by all that it said of them. Times are of `performance.now()`. */
export class NodeHeads {
  readonly #heads: readonly Head[] = HEAD_COMMITMENTS.map(() => ({
    height: null,
    toldAt: -Infinity,
    lookedAt: -Infinity,
    look: null,
    triedAt: -Infinity,
    tryEveryMs: TRY_EVERY_MS,
  }));

  /** @param ask asks the upstream for a height, in bounded time; null where it says none. May reject. */
  constructor(private readonly ask: (commitment: HeadCommitment) => Promise<number | null>) {}

  /** 0 where nothing is known. */
  heightOf(commitment: HeadCommitment): number {
    return this.#of(commitment).height ?? 0;
  }

  /** Its height, unless that is unknown or was told long ago. */
  freshHeightOf(commitment: HeadCommitment, now: number): number | null {
    const { height, toldAt } = this.#of(commitment);
    return now - toldAt <= FRESH_MS ? height : null;
  }

  /** Whether it is known to be there. */
  isAt({ commitment, height, heightMax }: HeadFloor): boolean {
    const known = this.heightOf(commitment);
    return known >= height && known <= heightMax;
  }

  /** Whether a read may go to it: it is there, or will say whether it is, and was not just found behind. */
  mayServe(floor: HeadFloor, now: number): boolean {
    if (this.isAt(floor)) return true;
    const { height, toldAt, triedAt, tryEveryMs } = this.#of(floor.commitment);
    if (height === null && floor.allowsUnknown) return true;
    return floor.isVerified && now >= Math.max(toldAt, triedAt) + tryEveryMs;
  }

  /** A read goes to it that it is not known to be far enough for. */
  tried(commitment: HeadCommitment, now: number): void {
    this.#of(commitment).triedAt = now;
  }

  /** It told its head. What was asked before something was known cannot take that back. */
  told(commitment: HeadCommitment, height: number, askedAt: number, now: number): void {
    const head = this.#of(commitment);
    if (head.height !== null && height < head.height && askedAt < head.toldAt) return;
    head.height = height;
    head.toldAt = now;
  }

  /** It has a block of this height, and maybe newer ones. */
  has(commitment: HeadCommitment, height: number, now: number): void {
    if (height > this.heightOf(commitment)) this.told(commitment, height, now, now);
  }

  /** How an answer came out that was asked since it was last tried. */
  judged(commitment: HeadCommitment, isOlder: boolean, askedAt: number): void {
    const head = this.#of(commitment);
    if (!isOlder) head.tryEveryMs = TRY_EVERY_MS;
    // All who wait for one answer judge it: it counts once.
    else if (head.triedAt >= askedAt) {
      head.tryEveryMs = Math.min(TRY_EVERY_MS_MAX, head.tryEveryMs * 2);
      head.triedAt = askedAt - 1;
    }
  }

  /** Asks it for its head, unless that was just done; all who want to know share one look. Never rejects. */
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
      // Silence says nothing of its head; breakers and health checks see to it.
    }
  }

  #of(commitment: HeadCommitment): Head {
    return this.#heads[commitment] as Head;
  }
}
