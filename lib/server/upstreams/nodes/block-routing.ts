import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import { BlockDemand } from './block-demand';
import { BlockIndex, type KnownTransaction } from './block-index';
import type { BlockReference } from './block-reference';
import { CallerMarks, type HeadMark } from './caller-marks';
import { isEmpty } from './node-answer';
import { HEAD_COMMITMENTS } from './head-height';
import { isPlausible, newestHead, REGION_BLOCKS } from './known-heads';
import type { HeadFloor } from './node-heads';
import type { ItemAnswer } from './node-request';
import { blockReferenceOf, feltOf } from './chain-references';
import { idOfSent, SentTransactions } from './sent-transactions';
import { heightTold, NO_HEIGHT, noteToldBlocks } from './told-blocks';
import { pause } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

/** A read that must be repeated, because its answer was older than a block that the caller has seen. */
interface AskedAgain {
  reference: BlockReference;
  mark: HeadMark;
  method: string;
  deadline: number;
  /** Sends the read to an upstream that has reached `floor`. @throws UpstreamFailure */
  ask: (floor: HeadFloor, deadline: number) => Promise<ItemAnswer>;
  release: (answer: ItemAnswer) => void;
}

/** Maximum times that a read is repeated to get a newer answer. */
const AGAIN_MAX = 2;
/** Longest time for repeating a read. Does not include the wait for a block. */
const AGAIN_MS = 1_000;

/** Longest wait until a node has reached a known block. */
const REACHED_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 100;
/** Maximum bytes of a list of Solana signature statuses to parse. No call can request a longer list. */
const STATUSES_LENGTH_MAX = 65_536;
/** A block at least this far below the newest head is assumed to be on every node whose head is unknown. */
const SETTLED_BLOCKS = 64;

/**
 * Routes each of a network's calls to an upstream that has the call's block (docs/upstreams.md). A caller's head goes
 * back only if no usable upstream has a newer one.
 */
export class BlockRouting {
  readonly marks = new CallerMarks();
  readonly index = new BlockIndex();
  readonly sent = new SentTransactions();
  /** Number of answers discarded because the caller had seen a newer block. */
  passedOver = 0;

  constructor(
    private readonly nodes: readonly UpstreamNode[],
    private readonly kind: ChainKind,
  ) {}

  referenceOf(item: RpcRequest): BlockReference | null {
    return blockReferenceOf(item, this.kind);
  }

  /**
   * Returns what a call requires of its upstream. If no upstream is known to have the call's block, reads the
   * upstreams' heads first. If the caller has seen the block, waits until an upstream has it.
   * @param mark newest head that the caller has seen; absent for the gateway's own calls
   */
  demandOf(reference: BlockReference, mark: HeadMark | undefined, method: string): BlockDemand | Promise<BlockDemand> {
    const { at, height, id } = reference;
    if (at === 'number')
      return this.#atHeight(reference, height ?? 0, method, this.#wasTold(reference, height ?? 0, mark));
    if (at === 'hash') {
      const known = id === null ? null : this.index.heightOf(id);
      return known === null
        ? this.#atHead(reference, mark, method, { isPlaced: false })
        : this.#atHeight(reference, known, method, true);
    }
    if (reference.sender !== null && this.sent.isFollowing(performance.now()))
      return this.#pending(reference, reference.sender, mark, method);
    const known = this.#knownOf(reference);
    const preferred = known && performance.now() < known.followedUntil ? known.node : null;
    const isPlaced =
      at === 'transaction' && known !== null && known.height !== null && known.commitment <= reference.commitment;
    if (!isPlaced || known.height === null) return this.#atHead(reference, mark, method, { preferred });
    return this.#atHeight(reference, known.height, method, true, preferred);
  }

  /**
   * Returns what is known about a requested transaction; null if nothing is known. If several are requested, uses the
   * first one that a node reported recently, else the first one.
   */
  #knownOf({ id, moreIds }: BlockReference): KnownTransaction | null {
    const now = performance.now();
    const known = id === null ? null : this.index.transaction(id);
    if (moreIds.length === 0 || (known && now < known.followedUntil)) return known;
    return (
      moreIds.map((each) => this.index.transaction(each)).find((each) => each && now < each.followedUntil) ?? known
    );
  }

  /**
   * Returns what a read of pending state requires of its upstream. Prefers the node that accepted the sender's last
   * transaction.
   */
  async #pending(
    reference: BlockReference,
    sender: string,
    mark: HeadMark | undefined,
    method: string,
  ): Promise<BlockDemand> {
    return this.#atHead(reference, mark, method, { preferred: await this.sent.nodeOf(sender, performance.now()) });
  }

  /**
   * Records the node that accepted a transaction. This node is then preferred for reads of the transaction and of its
   * sender's pending state.
   */
  noteSent(item: RpcRequest, answer: ItemAnswer): void {
    const id = idOfSent(answer);
    if (id === null || !answer.from) return;
    const now = performance.now();
    const known = this.kind === 'evm' ? id.toLowerCase() : this.kind === 'starknet' ? feltOf(id) : id;
    this.index.noteTransaction(known, answer.from, { height: null, commitment: 0 }, now);
    if (this.kind === 'evm') this.sent.note(item, answer.from, now);
  }

  /**
   * For a read of the latest block, returns the minimum height of the answer: the greatest height that the caller has
   * seen or that the request requires; null if none. The minimum never exceeds the greatest height of a usable
   * upstream. If no upstream is known to have reached it, asks all upstreams for their heights.
   */
  floorOf(
    reference: BlockReference,
    mark: HeadMark | undefined,
    method: string,
  ): HeadFloor | null | Promise<HeadFloor | null> {
    const now = performance.now();
    const wanted = Math.max(
      mark?.heightAt(reference.commitment, now) ?? 0,
      reference.at === 'head' ? (reference.height ?? 0) : 0,
    );
    if (wanted === 0) return null;
    const newest = newestHead(this.nodes, reference.commitment, method, now);
    return newest >= wanted ? floorAt(reference, wanted, newest) : this.#lookedFor(reference, wanted, method);
  }

  #wasTold({ commitment }: BlockReference, height: number, mark: HeadMark | undefined): boolean {
    const now = performance.now();
    // On EVM chains, a block exists if a head of any commitment is at or above it. On Solana, only the requested
    // commitment counts, because a processed slot may never be confirmed.
    const commitments = this.kind === 'evm' ? HEAD_COMMITMENTS : [commitment];
    return mark !== undefined && commitments.some((each) => mark.heightAt(each, now) >= height);
  }

  #atHead(
    reference: BlockReference,
    mark: HeadMark | undefined,
    method: string,
    facts: { preferred?: UpstreamNode | null; isPlaced?: boolean } = {},
  ): BlockDemand | Promise<BlockDemand> {
    const floor = this.floorOf(reference, mark, method);
    return floor instanceof Promise
      ? floor.then((found) => new BlockDemand(reference, { ...facts, floor: found }))
      : new BlockDemand(reference, { ...facts, floor });
  }

  #atHeight(
    reference: BlockReference,
    height: number,
    method: string,
    isTold: boolean,
    preferred: UpstreamNode | null = null,
  ): BlockDemand | Promise<BlockDemand> {
    const newest = newestHead(this.nodes, reference.commitment, method, performance.now());
    if (newest >= height)
      return new BlockDemand(reference, { floor: namedFloor(reference, height, newest), isTold, preferred });
    return this.#reached(reference, height, method, isTold).then(
      (floor) => new BlockDemand(reference, { floor, isTold, preferred }),
    );
  }

  /**
   * Reads the upstreams' heads until an upstream has the block. If the block is not known to exist, reads the heads
   * only once.
   */
  async #reached(reference: BlockReference, height: number, method: string, isTold: boolean): Promise<HeadFloor> {
    const { commitment } = reference;
    const until = performance.now() + REACHED_WITHIN_MS;
    for (;;) {
      await this.#look(reference, height, method);
      const newest = newestHead(this.nodes, commitment, method, performance.now());
      if (newest >= height) return namedFloor(reference, height, newest);
      // The block might not exist, so the node with the newest head should answer.
      if (!isTold) return namedFloor(reference, newest, newest);
      if (performance.now() >= until) return namedFloor(reference, height, height);
      await pause(LOOK_EVERY_MS);
    }
  }

  async #lookedFor(reference: BlockReference, wanted: number, method: string): Promise<HeadFloor | null> {
    const until = performance.now() + REACHED_WITHIN_MS;
    for (;;) {
      await this.#look(reference, wanted, method);
      const newest = newestHead(this.nodes, reference.commitment, method, performance.now());
      const isAwaited = newest < wanted && performance.now() < until && this.#isOutOfReach(reference, wanted, method);
      if (!isAwaited) return newest === 0 ? null : floorAt(reference, Math.min(wanted, newest), newest);
      await pause(LOOK_EVERY_MS);
    }
  }

  /**
   * Returns whether the block is on a node that currently cannot take this call. If so, other nodes will soon have the
   * block too.
   */
  #isOutOfReach({ commitment }: BlockReference, wanted: number, method: string): boolean {
    const now = performance.now();
    return this.nodes.some(
      (node) => !node.admits(method, now) && (node.heads?.freshHeightOf(commitment, now) ?? 0) >= wanted,
    );
  }

  async #look({ commitment }: BlockReference, wanted: number, method: string): Promise<void> {
    const now = performance.now();
    await Promise.all(
      this.nodes.map((node) =>
        node.admits(method, now) && node.heads && node.heads.heightOf(commitment) < wanted
          ? node.heads.look(commitment)
          : undefined,
      ),
    );
  }

  /**
   * Returns whether an answer is plausible and not older than the head that the caller has seen. Records the answer's
   * height for the upstream and the network. If the answer is accepted, records the height for the caller too.
   * @param askedAt time when the request was sent, or an earlier time (`performance.now()`)
   */
  accepts(reference: BlockReference, mark: HeadMark | undefined, answer: ItemAnswer, askedAt: number): boolean {
    const height = heightTold(reference, answer);
    if (reference.id !== null && reference.at !== 'hash') this.#noteTransaction(reference, answer, height);
    if (height === null) return true;
    const { commitment } = reference;
    const { from } = answer;
    const now = performance.now();
    const wanted = mark?.heightAt(commitment, now) ?? 0;
    if (height === NO_HEIGHT) return wanted === 0;
    const counts = isPlausible(height, from, this.nodes, commitment, now);
    if (counts) noteToldBlocks(reference, answer, height, this.index);
    if (reference.tells === 'block') from?.heads?.has(commitment, height, now);
    else {
      from?.heads?.told(commitment, height, askedAt, now);
      const isRefused = height < wanted || (wanted > 0 && !counts);
      from?.heads?.judged(commitment, isRefused, askedAt);
      if (isRefused) return false;
    }
    if (counts) mark?.rise(commitment, height, now);
    return true;
  }

  #noteTransaction({ id, moreIds, at, commitment }: BlockReference, answer: ItemAnswer, height: number | null): void {
    const { kind, bytes, start, end, from } = answer;
    if (id === null || kind === 'error' || !from || isEmpty(answer)) return;
    const now = performance.now();
    if (at !== 'head') return this.index.noteTransaction(id, from, { height, commitment }, now);
    // From a list of signature statuses, records only which transactions the node has.
    const statuses = end - start > STATUSES_LENGTH_MAX ? [] : statusesIn(bytes.toString('utf8', start, end));
    [id, ...moreIds].forEach(
      (each, index) => statuses[index] && this.index.noteTransaction(each, from, { height: null, commitment }, now),
    );
  }

  /** Returns the head that an answer reveals; `NO_HEIGHT` if it reveals none or the head is implausible. */
  #newnessOf(reference: BlockReference, answer: ItemAnswer): number {
    const height = heightTold(reference, answer) ?? NO_HEIGHT;
    return isPlausible(height, answer.from, this.nodes, reference.commitment, performance.now()) ? height : NO_HEIGHT;
  }

  /**
   * Repeats a read whose answer was too old, on upstreams with a newer head. Returns the newest answer. Never rejects.
   * If no usable upstream has a newer head, lowers `mark` to the head of the newest answer.
   */
  async newer(older: ItemAnswer, again: AskedAgain): Promise<ItemAnswer> {
    const { reference, mark, method, release } = again;
    const until = Math.min(again.deadline, performance.now() + AGAIN_MS + REACHED_WITHIN_MS);
    let newest = older;
    let newestHeight = this.#newnessOf(reference, older);
    for (let attempt = 0; attempt < AGAIN_MAX; attempt++) {
      const floor = await this.floorOf(reference, mark, method);
      const askedAt = performance.now();
      if (floor === null || newestHeight >= floor.height) {
        if (newestHeight !== NO_HEIGHT) mark.set(reference.commitment, newestHeight, askedAt);
        return newest;
      }
      // If an upstream has not reported the minimum head, its next answer could be old again.
      const next = askedAt < until ? await again.ask({ ...floor, isVerified: false }, until).catch(() => null) : null;
      if (next === null) return newest;
      const isNewEnough = this.accepts(reference, mark, next, askedAt);
      const height = this.#newnessOf(reference, next);
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

function statusesIn(text: string): readonly unknown[] {
  try {
    const { value } = JSON.parse(text) as { value?: unknown };
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** @param newest the newest credible head of the chain */
function floorAt({ commitment, tells }: BlockReference, height: number, newest: number): HeadFloor {
  return { commitment, height, heightMax: newest + REGION_BLOCKS, isVerified: tells === 'head' };
}

/**
 * Returns the minimum head for a block that the request specifies. Used if the answer does not reveal the node's
 * height.
 */
function namedFloor({ commitment }: BlockReference, height: number, newest: number): HeadFloor {
  return {
    commitment,
    height,
    heightMax: newest + REGION_BLOCKS,
    isVerified: false,
    allowsUnknown: height <= newest - SETTLED_BLOCKS,
  };
}
