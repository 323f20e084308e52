import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { Backend } from '../upstreams/nodes/backend';
import { BATCH, type BatchAnswers, BatchRequest } from '../upstreams/nodes/batch-request';
import type { HeadMark } from '../upstreams/nodes/caller-marks';
import { type HeadRead, heightTold, NO_HEIGHT } from '../upstreams/nodes/head-read';
import type { HeadReading } from '../upstreams/nodes/head-reading';
import type { HeadFloor } from '../upstreams/nodes/node-heads';
import type { ItemAnswer } from '../upstreams/nodes/node-request';
import type { BatchReading } from './batch-reading';

/** Items of a batch that are asked once more, and how long a batch may take longer for it. */
const AGAIN_MAX = 8;
const AGAIN_MS = 1_000;

/**
 * Keeps the answers of one batch from going back in blocks, from item to item and behind what its caller was told
 * before: all items go to one upstream that is far enough, and what is older all the same is asked for once more.
 */
export class BatchHeads {
  /** What the caller was told before the batch. */
  readonly #before: HeadMark;
  readonly #askedAt = performance.now();
  #fetched: BatchAnswers = [];

  private constructor(
    private readonly items: readonly RpcRequest[],
    private readonly reads: readonly (HeadRead | null)[],
    private readonly heads: HeadReading,
    private readonly backend: Backend,
    private readonly reading: BatchReading & { mark: HeadMark },
  ) {
    this.#before = reading.mark.copy();
  }

  /** Null where no item is a read of the head, or there is one upstream alone. */
  static of(items: readonly RpcRequest[], backend: Backend, reading: BatchReading): BatchHeads | null {
    const { heads } = backend;
    const { mark } = reading;
    if (!heads || !mark) return null;
    const reads = items.map((item) => heads.readOf(item));
    return reads.every((read) => read === null) ? null : new BatchHeads(items, reads, heads, backend, { ...reading, mark });
  }

  /** Asks for all items together. @throws UpstreamFailure */
  async fetch(): Promise<BatchAnswers> {
    const { deadline } = this.reading;
    const floor = await this.#floorOfAll();
    this.#fetched = await this.#askTogether(floor, deadline);
    if (!this.#isBehind(this.#fetched)) return this.#fetched;
    const next = await this.#floorOfAll();
    if (next === null || !this.#isBehind(this.#fetched, next.height)) return this.#fetched;
    const older = this.#fetched;
    // The array as a whole: what does not tell its height is as old as what does.
    const newer = await this.#askTogether(next, Math.min(deadline, performance.now() + AGAIN_MS)).catch(() => null);
    if (newer === null || this.#isBehind(newer) || newer.includes(null)) return older;
    this.heads.passedOver++;
    this.backend.release(older.filter((answer) => answer !== null));
    return (this.#fetched = newer);
  }

  /** How far an upstream must be for an item that is asked alone: as far as the newest of those that were answered. */
  async floorOf(index: number): Promise<HeadFloor | null> {
    const read = this.reads[index];
    if (!read) return null;
    const mark = this.#before.copy();
    this.#fetched.forEach((answer, i) => {
      const other = this.reads[i];
      if (answer && other) this.heads.accepts(other, mark, answer, this.#askedAt);
    });
    const floor = await this.heads.floorOf(read, mark, this.items[index]?.method ?? '');
    return floor && { ...floor, isVerified: false };
  }

  /** The answers, of which none tells an older head than one before it, as far as a newer one can be had in time. */
  async inOrder(answers: readonly ItemAnswer[]): Promise<ItemAnswer[]> {
    const { mark, deadline, record } = this.reading;
    const told = this.#before.copy();
    const until = Math.min(deadline, performance.now() + AGAIN_MS);
    const ordered: ItemAnswer[] = [];
    let asked = 0;
    for (const [i, answer] of answers.entries()) {
      const read = this.reads[i] ?? null;
      let given = answer;
      if (read !== null && !this.heads.accepts(read, told, answer, this.#askedAt)) {
        const same = this.#sameBefore(i, read, told, ordered);
        if (same) given = same;
        else if (asked++ < AGAIN_MAX && performance.now() < until) given = await this.backend.newer(this.items[i] as RpcRequest, answer, { read, mark: told, deadline: until, record });
      }
      ordered.push(given);
    }
    mark.take(told, this.#before, performance.now());
    return ordered;
  }

  /** The newest answer to the same question before this one: it was asked in the same moment. */
  #sameBefore(index: number, read: HeadRead, told: HeadMark, ordered: readonly ItemAnswer[]): ItemAnswer | null {
    const item = this.items[index] as RpcRequest;
    const wanted = told.heightAt(read.commitment, performance.now());
    for (let i = index - 1; i >= 0; i--) {
      const before = ordered[i] as ItemAnswer;
      const { method, params } = this.items[i] as RpcRequest;
      if (method === item.method && params === item.params && (heightTold(read, before) ?? 0) >= wanted) return before;
    }
    return null;
  }

  /** By the head that most of a chain's reads are about: the one that is furthest. */
  #floorOfAll(): HeadFloor | null | Promise<HeadFloor | null> {
    let furthest: HeadRead | null = null;
    for (const read of this.reads) if (read && (furthest === null || read.commitment > furthest.commitment)) furthest = read;
    return furthest && this.heads.floorOf(furthest, this.#before, BATCH);
  }

  #askTogether(floor: HeadFloor | null, deadline: number): Promise<BatchAnswers> {
    const { record, asker } = this.reading;
    // The whole of it would have to be asked again.
    return this.backend.pool.read(BATCH, new BatchRequest(this.items, this.backend.network.kind, record), { asker, deadline, floor: floor && { ...floor, isVerified: false } });
  }

  /** Whether an answer is older than what the caller was told, and than what is to be had. */
  #isBehind(answers: BatchAnswers, atLeast = Infinity): boolean {
    const now = performance.now();
    return answers.some((answer, i) => {
      const read = this.reads[i];
      if (!answer || read?.tells !== 'head') return false;
      const height = heightTold(read, answer);
      if (height === null) return false;
      if (height !== NO_HEIGHT) answer.from?.heads?.told(read.commitment, height, this.#askedAt, now);
      return height < Math.min(atLeast, this.#before.heightAt(read.commitment, now));
    });
  }
}
