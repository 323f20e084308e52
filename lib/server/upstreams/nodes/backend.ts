import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { Network } from '@/lib/protocol/networks';
import type { WhenGone, WholeBody } from '../../http/call';
import type { RequestRecord } from '../../http/request-record';
import { COUNTED_BYTES_MIN, type HeldMemory } from '../../http/held-memory/held-memory';
import type { Asker } from './asker';
import type { HeadMark } from './caller-marks';
import { CredibleHead } from './credible-head';
import type { HeadRead } from './head-read';
import { HeadReading } from './head-reading';
import type { ImmutableCache } from './immutable-cache';
import { keepingMs, mayBeImmutable } from './immutable-answers';
import type { HeadFloor } from './node-heads';
import type { ItemAnswer } from './node-request';
import { SingleFlight } from './single-flight';
import { SingleRequest } from './single-request';
import type { UpstreamPool } from './upstream-pool';

/** Who reads, as far as that matters: nobody who could leave, unless it is said. */
export interface Asking {
  readonly whenGone?: WhenGone | undefined;
  /** Where it is noted who was asked. */
  readonly record?: RequestRecord | undefined;
  /** The newest head that he was told of: no answer is to be older. */
  readonly mark?: HeadMark | undefined;
}

/** One that is asked for once more, since its answer was older than another before it. */
export interface NewerReading {
  read: HeadRead;
  mark: HeadMark;
  /** Of `performance.now()`. */
  deadline: number;
  record?: RequestRecord | undefined;
}

const NOBODY: Asking = {};

/** What serves a network: its upstreams, and what is known of their answers already. */
export class Backend {
  readonly flights: SingleFlight<ItemAnswer>;
  /** What keeps answers from going back in blocks; null where there is one upstream, whose answers are all there are. */
  readonly heads: HeadReading | null;
  /** How far the chain is, as health checks found it. */
  readonly head = new CredibleHead();
  /** Reads that could be kept, by whether their answer was in memory. */
  readonly lookups = { hits: 0, misses: 0 };
  /** Newest final block, as health checks found it; null while it is not known. */
  #finalizedHeight: number | null = null;
  /** Grows when the chain turns out to be another than before, which makes everything kept of it worthless. */
  #generation = 0;
  #keyPrefix: string;

  constructor(
    readonly network: Network,
    readonly pool: UpstreamPool,
    private readonly cache: ImmutableCache,
    private readonly memory: HeldMemory | null = null,
  ) {
    this.heads = pool.hasPeers ? new HeadReading(pool.nodes, network.kind) : null;
    this.flights = new SingleFlight(({ bytes }, more) => memory?.share(bytes, more));
    this.#keyPrefix = this.#prefix();
  }

  get finalizedHeight(): number | null {
    return this.#finalizedHeight;
  }

  set finalizedHeight(height: number | null) {
    if (height !== null && this.#finalizedHeight !== null && height < this.#finalizedHeight) {
      this.forget();
    }
    this.#finalizedHeight = height;
  }

  /** Nothing that is kept counts any more. */
  forget(): void {
    this.#generation++;
    this.#keyPrefix = this.#prefix();
  }

  /** Reads one item: from the cache, from an identical read in flight, or upstream. @throws UpstreamFailure */
  read(item: RpcRequest, asking: Asking = NOBODY, deadline?: number): Promise<ItemAnswer> {
    const kept = this.recall(item);
    if (kept) return Promise.resolve(kept);
    const read = asking.mark && this.heads ? this.heads.readOf(item) : null;
    if (read) return this.#readHead(item, read, asking as Asking & { mark: HeadMark }, deadline);
    return this.flights.join(item.method + item.params, asking.whenGone, (asker) => this.#fetch(item, asker, deadline, asking.record));
  }

  /**
   * A newer answer to a read of the head than one that was not accepted, or the newest that there is.
   * @param release takes what was passed over; not given where its bytes are other answers' too.
   */
  newer(item: RpcRequest, older: ItemAnswer, { read, mark, deadline, record }: NewerReading, release: (answer: ItemAnswer) => void = () => undefined): Promise<ItemAnswer> {
    if (!this.heads) return Promise.resolve(older);
    // Whoever is gone by now had his question sent: it is carried out.
    const ask = (floor: HeadFloor, until: number): Promise<ItemAnswer> =>
      this.flights.join(`again ${item.method}${item.params}`, undefined, (asker) => this.#fetch(item, asker, until, record, floor), floor.height);
    return this.heads.newer(older, { read, mark, method: item.method, deadline, ask, release });
  }

  /** Sends one item, once. @throws UpstreamFailure; the send may have arrived all the same. */
  async send(item: RpcRequest, deadline: number, record?: RequestRecord): Promise<ItemAnswer> {
    try {
      return await this.pool.send(item.method, new SingleRequest(item, { kind: this.network.kind, record }), deadline);
    } finally {
      this.flights.fence();
    }
  }

  /** The answer that is kept, if there is one. */
  recall(item: RpcRequest): ItemAnswer | null {
    if (!mayBeImmutable(item)) return null;
    const bytes = this.cache.get(this.#keyOf(item), performance.now());
    if (bytes) this.lookups.hits++;
    else this.lookups.misses++;
    return bytes && { kind: 'result', bytes, start: 0, end: bytes.length };
  }

  /** Keeps an answer for as long as it stays true. */
  keep(item: RpcRequest, answer: ItemAnswer): void {
    if (answer.kind !== 'result' || !mayBeImmutable(item)) return;
    const result = answer.bytes.subarray(answer.start, answer.end);
    const forMs = keepingMs(item, result, this);
    if (forMs > 0) this.cache.set(this.#keyOf(item), result, performance.now() + forMs);
  }

  /** Whoever asked is through with these answers, and has no view of their bytes any more. */
  release(answers: readonly ItemAnswer[]): void {
    const large = answers.filter(({ bytes }) => bytes.length > COUNTED_BYTES_MIN);
    if (large.length > 0) this.memory?.release(large.map(({ bytes }) => bytes));
  }

  /** An answer that was composed of theirs does not go out. */
  discard(body: WholeBody): void {
    this.memory?.release(body);
  }

  /** Answered by an upstream that is as far as the caller was told, and asked again where the answer is older after all. */
  async #readHead(item: RpcRequest, read: HeadRead, { whenGone, record, mark }: Asking & { mark: HeadMark }, deadline = this.pool.deadline()): Promise<ItemAnswer> {
    const heads = this.heads as HeadReading;
    const demanding = heads.floorOf(read, mark, item.method);
    const floor = demanding instanceof Promise ? await demanding : demanding;
    const askedAt = performance.now();
    const answer = await this.flights.join(item.method + item.params, whenGone, (asker) => this.#fetch(item, asker, deadline, record, floor), floor?.height);
    if (heads.accepts(read, mark, answer, askedAt)) return answer;
    return this.newer(item, answer, { read, mark, deadline, record }, (passed) => this.release([passed]));
  }

  #fetch(item: RpcRequest, asker: Asker, deadline: number | undefined, record: RequestRecord | undefined, floor: HeadFloor | null = null): Promise<ItemAnswer> {
    const fetched = this.pool.read(item.method, new SingleRequest(item, { kind: this.network.kind, record }), { asker, deadline, floor });
    if (!mayBeImmutable(item)) return fetched;
    return fetched.then((answer) => {
      this.keep(item, answer);
      return answer;
    });
  }

  #keyOf({ method, params }: RpcRequest): string {
    return `${this.#keyPrefix}${method}${params}`;
  }

  #prefix(): string {
    return `${this.network.slug} ${this.#generation} `;
  }
}
