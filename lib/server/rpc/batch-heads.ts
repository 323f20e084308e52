import type { PlainBatch, RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { heightTold, NO_HEIGHT } from '../upstreams/nodes/told-blocks';
import type { WhenGone } from '../http/call';
import type { RequestRecord } from '../http/request-record';
import type { Asker } from '../upstreams/nodes/asker';
import type { Backend } from '../upstreams/nodes/backend';
import { BATCH, type BatchAnswers, BatchRequest } from '../upstreams/nodes/batch-request';
import { BlockDemand } from '../upstreams/nodes/block-demand';
import { type BlockReference, HEAD_STATE } from '../upstreams/nodes/block-reference';
import type { BlockRouting } from '../upstreams/nodes/block-routing';
import type { HeadMark } from '../upstreams/nodes/caller-marks';
import type { ItemAnswer } from '../upstreams/nodes/node-request';

export interface BatchReading {
  /** Deadline (`performance.now()`). */
  deadline: number;
  asker?: Asker | undefined;
  record?: RequestRecord | undefined;
  /** Notifies when the caller disconnects, even if a request was already sent. */
  whenGone?: WhenGone | undefined;
  isKept?: boolean | undefined;
  mark?: HeadMark | undefined;
  /** All items of the call as received. */
  plain?: PlainBatch | undefined;
}

/** Returns the batch as received if `items` are all of its items. */
export function plainOf(items: readonly RpcRequest[], { plain }: BatchReading): PlainBatch | undefined {
  return plain?.ids.length === items.length * 2 ? plain : undefined;
}

const AGAIN_MAX = 8;
const AGAIN_MS = 1_000;

/**
 * Avoids answers of a batch from older blocks than the answers before them or the head that the caller has seen. Sends
 * all items to one upstream with a sufficient head. Requests an item again if its answer is still too old.
 */
export class BatchHeads {
  readonly #before: HeadMark;
  readonly #askedAt = performance.now();
  #fetched: BatchAnswers = [];
  #afterFetch: HeadMark | null = null;

  private constructor(
    private readonly items: readonly RpcRequest[],
    private readonly references: readonly (BlockReference | null)[],
    private readonly heads: BlockRouting,
    private readonly backend: Backend,
    private readonly reading: BatchReading & { mark: HeadMark },
  ) {
    this.#before = reading.mark.copy();
  }

  /** Returns null if no item depends on a block, or if there is only one upstream. */
  static of(items: readonly RpcRequest[], backend: Backend, reading: BatchReading): BatchHeads | null {
    const { heads } = backend;
    const { mark } = reading;
    if (!heads || !mark) return null;
    const references = items.map((item) => heads.referenceOf(item));
    return references.every((reference) => reference === null)
      ? null
      : new BatchHeads(items, references, heads, backend, { ...reading, mark });
  }

  /** Reads all items in one request. @throws UpstreamFailure */
  async fetch(): Promise<BatchAnswers> {
    const { deadline } = this.reading;
    this.#fetched = await this.#askTogether(await this.#demandOfAll(), deadline);
    if (!this.#isBehind(this.#fetched)) return this.#fetched;
    const next = await this.#demandOfAll();
    if (!next?.floor || !this.#isBehind(this.#fetched, next.floor.height)) return this.#fetched;
    const older = this.#fetched;
    // Requests the whole batch again, because answers without a height may be too old as well.
    const newer = await this.#askTogether(next, Math.min(deadline, performance.now() + AGAIN_MS)).catch(() => null);
    if (newer === null || this.#isBehind(newer) || newer.includes(null)) return older;
    this.heads.passedOver++;
    this.backend.release(older.filter((answer) => answer !== null));
    return (this.#fetched = newer);
  }

  /**
   * Returns what a node must have for an item that is read separately: the newest head of the answers so far, or the
   * block that the item specifies.
   */
  async demandOf(index: number): Promise<BlockDemand | null> {
    const reference = this.references[index];
    if (!reference) return null;
    const told = (this.#afterFetch ??= this.#toldByFetched());
    // Accepts only a node known to have the head. The height in an answer would come too late for choosing a
    // different node.
    return this.heads.demandOf(
      reference.at === 'head' ? { ...reference, tells: 'nothing' } : reference,
      told,
      this.items[index]?.method ?? '',
    );
  }

  #toldByFetched(): HeadMark {
    const mark = this.#before.copy();
    this.#fetched.forEach((answer, i) => {
      const reference = this.references[i];
      if (answer && reference) this.heads.accepts(reference, mark, answer, this.#askedAt);
    });
    return mark;
  }

  /**
   * Returns the answers in the items' order. While time is left, requests an item again if an answer before it has a
   * newer head.
   */
  async inOrder(answers: readonly ItemAnswer[]): Promise<ItemAnswer[]> {
    const { mark, deadline, record } = this.reading;
    const told = this.#before.copy();
    const until = Math.min(deadline, performance.now() + AGAIN_MS);
    const ordered: ItemAnswer[] = [];
    let asked = 0;
    for (const [i, answer] of answers.entries()) {
      const reference = this.references[i] ?? null;
      let given = answer;
      if (reference !== null && !this.heads.accepts(reference, told, answer, this.#askedAt)) {
        const same = this.#sameBefore(i, reference, told, ordered);
        if (same) given = same;
        else if (asked++ < AGAIN_MAX && performance.now() < until)
          given = await this.backend.newer(this.items[i] as RpcRequest, answer, {
            reference,
            mark: told,
            deadline: until,
            record,
          });
      }
      ordered.push(given);
    }
    mark.take(told, this.#before, performance.now());
    return ordered;
  }

  #sameBefore(
    index: number,
    reference: BlockReference,
    told: HeadMark,
    ordered: readonly ItemAnswer[],
  ): ItemAnswer | null {
    const item = this.items[index] as RpcRequest;
    const wanted = told.heightAt(reference.commitment, performance.now());
    for (let i = index - 1; i >= 0; i--) {
      const before = ordered[i] as ItemAnswer;
      const { method, params } = this.items[i] as RpcRequest;
      if (method === item.method && params === item.params && (heightTold(reference, before) ?? 0) >= wanted)
        return before;
    }
    return null;
  }

  /** Combines the items' demands: the highest head or block number, and the preferred node, if any. */
  async #demandOfAll(): Promise<BlockDemand | null> {
    const demands = await Promise.all(
      this.#decisive().map((reference) => this.heads.demandOf(reference, this.#before, BATCH)),
    );
    const floors = demands.map(({ floor }) => floor).filter((floor) => floor !== null);
    const [floor = null] = floors.sort((a, b) => b.height - a.height);
    const preferred = demands.find((demand) => demand.preferred !== null)?.preferred ?? null;
    // Marks the height as not verified. The pool then skips upstreams that were below it, because one answer from such
    // an upstream could make the gateway request the whole batch again.
    return floor === null && preferred === null
      ? null
      : new BlockDemand(HEAD_STATE, { floor: floor && { ...floor, isVerified: false }, preferred });
  }

  #decisive(): BlockReference[] {
    const ofKind = (isOfKind: (reference: BlockReference) => boolean): BlockReference[] =>
      this.references.filter((reference) => reference !== null).filter(isOfKind);
    const [head] = ofKind(({ at }) => at === 'head').sort((a, b) => b.commitment - a.commitment);
    const [named] = ofKind(({ at }) => at === 'number').sort((a, b) => (b.height ?? 0) - (a.height ?? 0));
    const others = [
      ofKind(({ sender }) => sender !== null)[0],
      ofKind(({ at }) => at === 'hash')[0],
      ofKind(({ at }) => at === 'transaction')[0],
    ];
    return [head, named, ...others].filter((reference) => reference !== undefined);
  }

  #askTogether(demand: BlockDemand | null, deadline: number): Promise<BatchAnswers> {
    const { record, asker } = this.reading;
    const plain = plainOf(this.items, this.reading);
    return this.backend.pool.read(BATCH, new BatchRequest(this.items, this.backend.network.kind, record, plain), {
      asker,
      deadline,
      demand,
    });
  }

  #isBehind(answers: BatchAnswers, atLeast = Infinity): boolean {
    const now = performance.now();
    return answers.some((answer, i) => {
      const reference = this.references[i];
      if (!answer || reference?.tells !== 'head') return false;
      const height = heightTold(reference, answer);
      if (height === null) return false;
      if (height !== NO_HEIGHT) answer.from?.heads?.told(reference.commitment, height, this.#askedAt, now);
      return height < Math.min(atLeast, this.#before.heightAt(reference.commitment, now));
    });
  }
}
