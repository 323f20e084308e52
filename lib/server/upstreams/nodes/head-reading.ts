import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { ChainKind } from '@/lib/protocol/networks';
import { CallerMarks, type HeadMark } from './caller-marks';
import { type HeadRead, headReadOf, heightTold, NO_HEIGHT } from './head-read';
import { isPlausible, newestHead, REGION_BLOCKS } from './known-heads';
import type { HeadFloor } from './node-heads';
import type { ItemAnswer } from './node-request';
import type { UpstreamNode } from './upstream-node';

/** A read whose answer was older than what its caller had been told, asked once more. */
export interface AskedAgain {
  read: HeadRead;
  mark: HeadMark;
  /** By whose record upstreams are judged. */
  method: string;
  /** Of `performance.now()`: the call's own deadline. */
  deadline: number;
  /** Asks an upstream that is that far. @throws UpstreamFailure */
  ask: (floor: HeadFloor, deadline: number) => Promise<ItemAnswer>;
  /** Nobody has a view of this answer any more. */
  release: (answer: ItemAnswer) => void;
}

/** Times that a read is asked again for a newer answer, and how long that may take in all. */
const AGAIN_MAX = 2;
const AGAIN_MS = 1_000;

/**
 * Keeps answers about the head of a network from going back for a caller, where it has several upstreams
 * (docs/upstreams.md): who was told of a block is answered by upstreams that are known to have it, and by the newest of
 * them where none has.
 */
export class HeadReading {
  readonly marks = new CallerMarks();
  /** Answers that were passed over because their caller had been told of a newer block. */
  passedOver = 0;

  constructor(
    private readonly nodes: readonly UpstreamNode[],
    private readonly kind: ChainKind,
  ) {}

  /** What is known of a read of the head; null for others. */
  readOf(item: RpcRequest): HeadRead | null {
    return headReadOf(item, this.kind);
  }

  /**
   * How far an upstream must be to answer a read: as far as the caller was told, or as far as the newest that may be
   * asked, which is looked for where none is known to be there. Null where nothing is demanded.
   */
  floorOf(read: HeadRead, mark: HeadMark, method: string): HeadFloor | null | Promise<HeadFloor | null> {
    const now = performance.now();
    const wanted = mark.heightAt(read.commitment, now);
    if (wanted === 0) return null;
    const newest = newestHead(this.nodes, read.commitment, method, now);
    return newest >= wanted ? floorAt(read, wanted, newest) : this.#lookedFor(read, wanted, method);
  }

  async #lookedFor(read: HeadRead, wanted: number, method: string): Promise<HeadFloor | null> {
    const { commitment } = read;
    const now = performance.now();
    await Promise.all(this.nodes.map((node) => (node.admits(method, now) && node.heads && node.heads.heightOf(commitment) < wanted ? node.heads.look(commitment) : undefined)));
    const newest = newestHead(this.nodes, commitment, method, performance.now());
    return newest === 0 ? null : floorAt(read, Math.min(wanted, newest), newest);
  }

  /**
   * Whether an answer is as new as what its caller was told before, and not absurdly newer. What it tells is noted: of
   * its upstream, and of the caller where it is accepted and counts.
   * @param askedAt when it was asked, of `performance.now()`, or before.
   */
  accepts(read: HeadRead, mark: HeadMark, answer: ItemAnswer, askedAt: number): boolean {
    const height = heightTold(read, answer);
    if (height === null) return true;
    const { commitment } = read;
    const { from } = answer;
    const now = performance.now();
    if (height === NO_HEIGHT) return mark.heightAt(commitment, now) === 0;
    const counts = isPlausible(height, from, this.nodes, commitment, now);
    if (read.tells === 'block') from?.heads?.has(commitment, height, now);
    else {
      from?.heads?.told(commitment, height, askedAt, now);
      const wanted = mark.heightAt(commitment, now);
      const isRefused = height < wanted || (wanted > 0 && !counts);
      from?.heads?.judged(commitment, isRefused, askedAt);
      if (isRefused) return false;
    }
    if (counts) mark.rise(commitment, height, now);
    return true;
  }

  /** By how new answers are compared: the head that one tells, and less than any where it tells none that counts. */
  #newnessOf(read: HeadRead, answer: ItemAnswer): number {
    const height = heightTold(read, answer) ?? NO_HEIGHT;
    return isPlausible(height, answer.from, this.nodes, read.commitment, performance.now()) ? height : NO_HEIGHT;
  }

  /**
   * A newer answer than one that was not accepted, from an upstream that is known to be far enough: within a second, and
   * else the newest that there is. Never rejects: there is an answer already. An older head that every upstream agrees
   * on is what the caller is told from then on.
   */
  async newer(older: ItemAnswer, again: AskedAgain): Promise<ItemAnswer> {
    const { read, mark, method, release } = again;
    const until = Math.min(again.deadline, performance.now() + AGAIN_MS);
    let newest = older;
    let newestHeight = this.#newnessOf(read, older);
    for (let attempt = 0; attempt < AGAIN_MAX; attempt++) {
      const floor = await this.floorOf(read, mark, method);
      const askedAt = performance.now();
      if (floor === null || newestHeight >= floor.height) {
        if (newestHeight !== NO_HEIGHT) mark.set(read.commitment, newestHeight, askedAt);
        return newest;
      }
      // Of one that would have to say first how far it is, the answer could be as old again.
      const next = askedAt < until ? await again.ask({ ...floor, isVerified: false }, until).catch(() => null) : null;
      if (next === null) return newest;
      const isNewEnough = this.accepts(read, mark, next, askedAt);
      const height = this.#newnessOf(read, next);
      if (height <= newestHeight) {
        release(next);
        continue;
      }
      this.passedOver++;
      release(newest);
      newest = next;
      newestHeight = height;
      if (isNewEnough) return newest;
    }
    return newest;
  }
}

/** @param newest a head that counts: others may have got further meanwhile. */
function floorAt({ commitment, tells }: HeadRead, height: number, newest: number): HeadFloor {
  return { commitment, height, heightMax: newest + REGION_BLOCKS, isVerified: tells === 'head' };
}
