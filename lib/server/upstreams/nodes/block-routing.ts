import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { ChainKind } from '@/lib/protocol/networks';
import { BlockDemand } from './block-demand';
import { BlockIndex, type KnownTransaction } from './block-index';
import type { BlockReference } from './block-reference';
import { CallerMarks, type HeadMark } from './caller-marks';
import { isEmpty } from './empty-answer';
import { HEAD_COMMITMENTS } from './head-height';
import { isPlausible, newestHead, REGION_BLOCKS } from './known-heads';
import type { HeadFloor } from './node-heads';
import type { ItemAnswer } from './node-request';
import { blockReferenceOf } from './reference-of';
import { idOfSent, SentTransactions } from './sent-transactions';
import { feltOf } from './starknet-references';
import { noteToldBlocks } from './told-blocks';
import { heightTold, NO_HEIGHT } from './told-height';
import { pause } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

/** A read whose answer was older than what its caller had been told, asked once more. */
export interface AskedAgain {
  reference: BlockReference;
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

/** Times that a read is asked again for a newer answer, and how long that may take beside waiting for a node to have the block. */
const AGAIN_MAX = 2;
const AGAIN_MS = 1_000;

/** How long a call waits for a node to reach a block that its caller was told of, and how often the nodes are looked at. */
const REACHED_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 100;
/** Statuses of as many transactions as one call may name. */
const STATUSES_LENGTH_MAX = 65_536;
/** Blocks this deep below the newest head are had by every node that is not known to lag. */
const SETTLED_BLOCKS = 64;

/**
 * Has every call answered by an upstream that is known to be at the place in the chain that the call is about, where a
 * network has several upstreams (docs/upstreams.md). What a caller was told does not go back, and is there.
 */
export class BlockRouting {
  readonly marks = new CallerMarks();
  readonly index = new BlockIndex();
  readonly sent = new SentTransactions();
  /** Answers that were passed over because their caller had been told of a newer block. */
  passedOver = 0;

  constructor(
    private readonly nodes: readonly UpstreamNode[],
    private readonly kind: ChainKind,
  ) {}

  /** The place that a call is about; null where it does not matter. */
  referenceOf(item: RpcRequest): BlockReference | null {
    return blockReferenceOf(item, this.kind);
  }

  /**
   * What a call demands of the upstream that answers it. Where none is known to be at its block, heads are read first, and
   * a block that the caller was told of is waited for.
   * @param mark what the caller was told; none for the gateway's own calls.
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

  /** What is known of the transaction that is asked about: of several, the first that a node told of just now. */
  #knownOf({ id, moreIds }: BlockReference): KnownTransaction | null {
    const now = performance.now();
    const known = id === null ? null : this.index.transaction(id);
    if (moreIds.length === 0 || (known && now < known.followedUntil)) return known;
    return (
      moreIds.map((each) => this.index.transaction(each)).find((each) => each && now < each.followedUntil) ?? known
    );
  }

  /** The pending state of an address, which the node knows that took its last transaction. */
  async #pending(
    reference: BlockReference,
    sender: string,
    mark: HeadMark | undefined,
    method: string,
  ): Promise<BlockDemand> {
    return this.#atHead(reference, mark, method, { preferred: await this.sent.nodeOf(sender, performance.now()) });
  }

  /** A node took what was sent: look-ups of it, and reads of its sender's pending state, go to that node first. */
  noteSent(item: RpcRequest, answer: ItemAnswer): void {
    const id = idOfSent(answer);
    if (id === null || !answer.from) return;
    const now = performance.now();
    const known = this.kind === 'evm' ? id.toLowerCase() : this.kind === 'starknet' ? feltOf(id) : id;
    this.index.noteTransaction(known, answer.from, { height: null, commitment: 0 }, now);
    if (this.kind === 'evm') this.sent.note(item, answer.from, now);
  }

  /**
   * How far an upstream must be to answer a read of the head: as far as the caller was told, or as far as the newest that
   * may be asked, which is looked for where none is known to be there. Null where nothing is demanded.
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
    // What is safe or final is there; a slot may be processed, and not confirmed.
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

  /** Reads heads until an upstream is at a block: once, and for a while where it is told to be there. */
  async #reached(reference: BlockReference, height: number, method: string, isTold: boolean): Promise<HeadFloor> {
    const { commitment } = reference;
    const until = performance.now() + REACHED_WITHIN_MS;
    for (;;) {
      await this.#look(reference, height, method);
      const newest = newestHead(this.nodes, commitment, method, performance.now());
      if (newest >= height) return namedFloor(reference, height, newest);
      // Of a block that nobody was told of the newest node knows best whether it is there.
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

  /** Whether a node has a block that may not be asked now: others have it soon. */
  #isOutOfReach({ commitment }: BlockReference, wanted: number, method: string): boolean {
    const now = performance.now();
    return this.nodes.some(
      (node) => !node.admits(method, now) && (node.heads?.freshHeightOf(commitment, now) ?? 0) >= wanted,
    );
  }

  /** Has the upstreams that are not known to be there say how far they are. */
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
   * Whether an answer is as new as what its caller was told before, and not absurdly newer. What it tells is noted: of
   * its upstream, of the network, and of the caller where it is accepted and counts.
   * @param askedAt when it was asked, of `performance.now()`, or before.
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

  /** Look-ups of a transaction go first to the node that knows it. */
  #noteTransaction({ id, moreIds, at, commitment }: BlockReference, answer: ItemAnswer, height: number | null): void {
    const { kind, bytes, start, end, from } = answer;
    if (id === null || kind === 'error' || !from || isEmpty(answer)) return;
    const now = performance.now();
    if (at !== 'head') return this.index.noteTransaction(id, from, { height, commitment }, now);
    // Solana's statuses tell of transactions that they are there, and not where.
    const statuses = end - start > STATUSES_LENGTH_MAX ? [] : statusesIn(bytes.toString('utf8', start, end));
    [id, ...moreIds].forEach(
      (each, index) => statuses[index] && this.index.noteTransaction(each, from, { height: null, commitment }, now),
    );
  }

  /** By how new answers are compared: the head that one tells, and less than any where it tells none that counts. */
  #newnessOf(reference: BlockReference, answer: ItemAnswer): number {
    const height = heightTold(reference, answer) ?? NO_HEIGHT;
    return isPlausible(height, answer.from, this.nodes, reference.commitment, performance.now()) ? height : NO_HEIGHT;
  }

  /**
   * A newer answer than one that was not accepted, from an upstream that is known to be far enough: within a second, and
   * else the newest that there is. Never rejects: there is an answer already. An older head that every upstream agrees
   * on is what the caller is told from then on.
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
      // Of one that would have to say first how far it is, the answer could be as old again.
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

/** The statuses of transactions, in the order in which they were asked for: null for one that is not known. */
function statusesIn(text: string): readonly unknown[] {
  try {
    const { value } = JSON.parse(text) as { value?: unknown };
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** @param newest a head that counts: others may have got further meanwhile. */
function floorAt({ commitment, tells }: BlockReference, height: number, newest: number): HeadFloor {
  return { commitment, height, heightMax: newest + REGION_BLOCKS, isVerified: tells === 'head' };
}

/** The floor of a block that is named, which is no head: its answer says nothing of how far a node is. */
function namedFloor({ commitment }: BlockReference, height: number, newest: number): HeadFloor {
  return {
    commitment,
    height,
    heightMax: newest + REGION_BLOCKS,
    isVerified: false,
    allowsUnknown: height <= newest - SETTLED_BLOCKS,
  };
}
