import type { Logger } from 'pino';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';
import type { WholeBody } from '../../http/call';
import type { RequestRecord } from '../../http/request-record';
import { COUNTED_BYTES_MIN, type HeldMemory } from '../../http/held-memory/held-memory';
import { AgreedReads } from './agreement/agreed-reads';
import type { AgreementSettings } from './agreement/agreement-round';
import { pinnedItem } from './agreement/block-pins';
import type { Asker } from './asker';
import type { Asking } from './asking';
import { BlockDemand } from './block-demand';
import type { BlockReference } from './block-reference';
import { BlockRouting } from './block-routing';
import type { HeadMark } from './caller-marks';
import { CredibleHead } from './known-heads';
import { type ImmutableCache, keepingMs, mayBeImmutable } from './immutable-answers';
import { LOGS_METHOD } from './log-range';
import { LogReader } from './log-reader';
import type { HeadFloor } from './node-heads';
import type { ItemAnswer } from './node-request';
import { SingleFlight } from './single-flight';
import { SingleRequest } from './single-request';
import { isUpstreamFailure } from './upstream-failure';
import type { UpstreamPool } from './upstream-pool';

interface NewerReading {
  reference: BlockReference;
  mark: HeadMark;
  deadline: number;
  record?: RequestRecord | undefined;
}

interface BackendOptions {
  /** Maximum size in bytes of an answer assembled from parts. Default: no limit. */
  answerBytesMax?: number;
  /** Reads on which several upstreams must agree. Default: none. */
  agreement?: AgreementSettings | null;
  log?: Logger | null;
}

const NOBODY: Asking = {};

/**
 * Maximum attempts for a call about a block that the caller has seen. The second attempt waits until another node has
 * the block.
 */
const PLACED_ATTEMPTS_MAX = 2;

/**
 * Answers a network's calls from its upstreams, the cache and shared reads.
 *
 * The folder `nodes` owns the pools of the networks' nodes. If possible, a read is answered from the cache or by an
 * identical read in flight. Otherwise, block routing finds the nodes that have the block. The pool chooses a node by
 * health and latency, retries within a budget, and hedges. Circuit breakers stop calls to failing nodes until health
 * checks detect recovery.
 *
 * Guarantees: a transaction is never sent twice. A caller's reads fall behind a seen block only if no usable node has
 * it. Only immutable answers are cached without expiry. Text from a caller or a contract cannot change how a node is
 * rated.
 */
export class Backend {
  readonly flights: SingleFlight<ItemAnswer>;
  /** Routes each call to an upstream that has its block; null if there is only one upstream. */
  readonly heads: BlockRouting | null;
  readonly logs: LogReader;
  /** Head of the chain according to health checks. */
  readonly head = new CredibleHead();
  readonly agreed: AgreedReads | null;
  readonly lookups = { hits: 0, misses: 0 };
  /** Newest final block according to health checks; null if unknown. */
  #finalizedHeight: number | null = null;
  /** Changes when a node moves to a different chain or finality moves back, which invalidates all cached answers. */
  #generation: number;
  #keyPrefix: string;

  constructor(
    readonly network: Network,
    readonly pool: UpstreamPool,
    private readonly cache: ImmutableCache,
    private readonly memory: HeldMemory | null = null,
    { answerBytesMax = Infinity, agreement = null, log = null }: BackendOptions = {},
  ) {
    this.logs = new LogReader(this, answerBytesMax);
    this.heads = pool.hasPeers ? new BlockRouting(pool.nodes, network.kind) : null;
    this.flights = new SingleFlight(({ bytes }, more) => memory?.share(bytes, more));
    this.agreed =
      agreement && new AgreedReads(agreement, pool, { network, log, release: (answers) => this.release(answers) });
    this.#generation = cache.nextGeneration();
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

  heightOfBlock(hash: string): number | null {
    return this.heads?.index.heightOf(hash) ?? null;
  }

  forget(): void {
    this.#generation = this.cache.nextGeneration();
    this.#keyPrefix = this.#prefix();
  }

  /**
   * Reads one item from the cache, from an identical read in flight, or from an upstream. Splits log ranges if needed.
   * @throws UpstreamFailure
   */
  read(item: RpcRequest, asking: Asking = NOBODY, deadline?: number): Promise<ItemAnswer> {
    if (this.agreed?.covers(item.method)) return this.#readPinned(item, this.agreed, asking, deadline);
    const kept = this.recall(item);
    if (kept) return Promise.resolve(kept);
    return item.method === LOGS_METHOD && this.network.kind === 'evm'
      ? this.logs.read(item, asking, deadline)
      : this.#readOnce(item, asking, deadline);
  }

  readWhole(item: RpcRequest, asking: Asking = NOBODY, deadline?: number): Promise<ItemAnswer> {
    if (this.agreed?.covers(item.method)) return this.#readPinned(item, this.agreed, asking, deadline, true);
    const kept = this.recall(item);
    return kept ? Promise.resolve(kept) : this.#readOnce(item, asking, deadline);
  }

  #readOnce(item: RpcRequest, asking: Asking, deadline?: number): Promise<ItemAnswer> {
    const reference = this.heads ? this.heads.referenceOf(item) : null;
    if (this.heads && reference && (asking.mark || reference.at !== 'head' || reference.sender !== null))
      return this.#readAt(item, reference, this.heads, asking, deadline);
    return this.flights.join(
      item.method + item.params,
      asking.whenGone,
      (asker) => this.#fetch(item, asker, deadline, asking.record),
      0,
      asking.record?.accountId,
    );
  }

  /**
   * Repeats a read of the head after an answer that was too old. Returns the newest answer received, which may still be
   * too old.
   * @param release frees discarded answers; absent if their bytes are shared
   */
  newer(
    item: RpcRequest,
    older: ItemAnswer,
    { reference, mark, deadline, record }: NewerReading,
    release: (answer: ItemAnswer) => void = () => undefined,
  ): Promise<ItemAnswer> {
    if (!this.heads) return Promise.resolve(older);
    // This read cannot be cancelled, because the caller's first request was already sent.
    const ask = (floor: HeadFloor, until: number): Promise<ItemAnswer> =>
      this.flights.join(
        `again ${item.method}${item.params}`,
        undefined,
        (asker) => this.#fetch(item, asker, until, record, new BlockDemand(reference, { floor })),
        floor.height,
        record?.accountId,
      );
    return this.heads.newer(older, { reference, mark, method: item.method, deadline, ask, release });
  }

  /**
   * Sends one item once.
   * @throws UpstreamFailure if no answer came; the node may still have received the item
   */
  async send(item: RpcRequest, deadline: number, record?: RequestRecord): Promise<ItemAnswer> {
    try {
      const answer = await this.pool.send(
        item.method,
        new SingleRequest(item, { kind: this.network.kind, record }),
        deadline,
      );
      this.heads?.noteSent(item, answer);
      return answer;
    } finally {
      this.flights.fence();
    }
  }

  recall(item: RpcRequest): ItemAnswer | null {
    if (!mayBeImmutable(item)) return null;
    const bytes = this.cache.get(this.#keyOf(item), performance.now());
    if (bytes) this.lookups.hits++;
    else this.lookups.misses++;
    return bytes && { kind: 'result', bytes, start: 0, end: bytes.length };
  }

  /** Caches an answer for as long as it is valid. */
  keep(item: RpcRequest, answer: ItemAnswer): void {
    if (answer.kind !== 'result' || !mayBeImmutable(item)) return;
    const result = answer.bytes.subarray(answer.start, answer.end);
    const forMs = keepingMs(item, result, this);
    if (forMs > 0) this.cache.set(this.#keyOf(item), result, performance.now() + forMs);
  }

  /** Frees the memory of answers. Their bytes must not be used afterwards. */
  release(answers: readonly ItemAnswer[]): void {
    const large = answers.filter(({ bytes }) => bytes.length > COUNTED_BYTES_MIN);
    if (large.length > 0) this.memory?.release(large.map(({ bytes }) => bytes));
  }

  discard(body: WholeBody): void {
    this.memory?.release(body);
  }

  async #readAt(
    item: RpcRequest,
    reference: BlockReference,
    heads: BlockRouting,
    { whenGone, record, mark, preferred }: Asking,
    deadline = this.pool.deadline(),
  ): Promise<ItemAnswer> {
    for (let attempt = 1; ; attempt++) {
      const demanding = heads.demandOf(reference, mark, item.method);
      const demanded = demanding instanceof Promise ? await demanding : demanding;
      const demand = preferred ? demanded.preferring(preferred) : demanded;
      const askedAt = performance.now();
      const answer = await this.flights
        .join(
          item.method + item.params,
          whenGone,
          (asker) => this.#fetch(item, asker, deadline, record, demand),
          demand.floor?.height,
          record?.accountId,
        )
        .catch((error: unknown) => {
          if (attempt === PLACED_ATTEMPTS_MAX || !isUpstreamFailure(error) || error.facts.meaning !== 'missing')
            throw error;
          return null;
        });
      if (answer === null) continue;
      const isAccepted = heads.accepts(reference, mark, answer, askedAt);
      if (mark && !isAccepted)
        return this.newer(item, answer, { reference, mark, deadline, record }, (passed) => this.release([passed]));
      if (!mark || attempt === PLACED_ATTEMPTS_MAX || !demand.isOlder(answer.from)) return answer;
      this.release([answer]);
    }
  }

  async #readPinned(
    item: RpcRequest,
    agreed: AgreedReads,
    asking: Asking,
    deadline = this.pool.deadline(),
    isWhole = false,
  ): Promise<ItemAnswer> {
    const { whenGone, mark, pins = agreed.pins({ mark, whenGone, deadline }) } = asking;
    if (agreed.asksForHead(item)) return agreed.head(pins);
    const pinned = await pinnedItem(item, this.network.kind, pins);
    if (isWhole || pinned.method !== LOGS_METHOD || this.network.kind !== 'evm')
      return this.#readAgreed(pinned, agreed, asking, deadline);
    const logs = await this.logs.read(pinned, asking, deadline);
    // Nodes agreed on every part, but the joined answer lacks `agreeing`, which `kept` sets.
    return logs.agreeing === undefined ? agreed.kept(logs) : logs;
  }

  async #readAgreed(
    pinned: RpcRequest,
    agreed: AgreedReads,
    { whenGone, record, mark, onSent }: Asking,
    deadline: number,
  ): Promise<ItemAnswer> {
    const kept = this.recall(pinned);
    if (kept) return agreed.kept(kept);
    const { heads } = this;
    const reference = heads ? heads.referenceOf(pinned) : null;
    const demand = heads && reference && (await heads.demandOf(reference, mark, pinned.method));
    const askedAt = performance.now();
    const ask = async (asker: Asker): Promise<ItemAnswer> => {
      const sending = { whenGone: asker.whenGone, onSent: () => (asker.onSent(), onSent?.()) };
      const answer = await agreed.read({ item: pinned, demand, asker: sending, deadline, record });
      this.keep(pinned, answer);
      return answer;
    };
    const answer = await this.flights.join(
      `agreed ${pinned.method}${pinned.params}`,
      whenGone,
      ask,
      demand?.floor?.height,
      record?.accountId,
    );
    if (heads && reference) heads.accepts(reference, mark, answer, askedAt);
    return answer;
  }

  #fetch(
    item: RpcRequest,
    asker: Asker,
    deadline: number | undefined,
    record: RequestRecord | undefined,
    demand: BlockDemand | null = null,
  ): Promise<ItemAnswer> {
    const fetched = this.pool.read(item.method, new SingleRequest(item, { kind: this.network.kind, record, demand }), {
      asker,
      deadline,
      demand,
    });
    if (!mayBeImmutable(item)) return fetched;
    return fetched.then((answer) => {
      this.keep(item, answer);
      return answer;
    });
  }

  #keyOf({ method, params }: RpcRequest): string {
    return `${this.#keyPrefix}${this.agreed?.covers(method) ? this.agreed.mark : ''}${method}${params}`;
  }

  #prefix(): string {
    return `${this.network.slug} ${this.#generation} `;
  }
}
