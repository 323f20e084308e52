import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import type { RequestRecord } from '../../../http/request-record';
import { type Asker, CancelSignal } from '../asker';
import type { BlockDemand } from '../block-demand';
import { chooseNode } from '../choose-node';
import { isEmpty } from '../node-answer';
import type { ItemAnswer } from '../node-request';
import { SingleRequest } from '../single-request';
import { isUpstreamFailure, pause, untilCancelled, UpstreamFailure } from '../upstream-failure';
import type { UpstreamNode } from '../upstream-node';
import type { UpstreamPool } from '../upstream-pool';
import { type AnswerGroup, Ballot } from './ballot';

export interface AgreementSettings {
  readonly methods: ReadonlySet<string>;
  readonly nodes: number;
  readonly agreeing: number;
}

/** Maximum time to wait until a node has the block. After this time, the node is asked anyway. */
const REACHED_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 100;
/** Maximum times that nodes without the block or transaction are asked. */
const PASSES_MAX = 3;
/** Pause before nodes without the block or transaction are asked again. */
const LATE_PAUSE_MS = 250;

interface RoundOptions {
  pool: UpstreamPool;
  kind: ChainKind;
  settings: AgreementSettings;
  demand: BlockDemand | null;
  asker: Asker;
  deadline: number;
  record: RequestRecord | undefined;
  release: (answer: ItemAnswer) => void;
}

type Verdict = { agreed: AnswerGroup } | { agreed: null };

/**
 * Sends the same read to several nodes, and answers as soon as enough nodes agree. If a node fails, asks another node
 * instead. After the answer, waits for slower nodes only to compare their answers.
 */
export class AgreementRound {
  readonly ballot: Ballot;
  readonly answers: ItemAnswer[] = [];
  /** Resolves when every asked node has answered or failed. */
  readonly ended: Promise<void>;
  /** Empty answers from nodes that may lag, and errors from nodes that cannot serve the read. */
  readonly #weak = new Map<UpstreamNode, ItemAnswer>();
  readonly #options: RoundOptions;
  readonly #signal: CancelSignal;
  readonly #tried: UpstreamNode[] = [];
  readonly #failures: string[] = [];
  #late: UpstreamNode[] = [];
  #busy: UpstreamFailure | null = null;
  #open = 0;
  #passes = 1;
  #isSettled = false;
  #resolve: (verdict: Verdict) => void = () => undefined;
  #reject: (failure: unknown) => void = () => undefined;
  #end: () => void = () => undefined;

  constructor(
    readonly item: RpcRequest,
    options: RoundOptions,
  ) {
    this.#options = options;
    this.ballot = new Ballot(options.kind);
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#signal = new CancelSignal(
      () => options.asker.onSent(),
      (joinLine) => options.asker.onQueued?.(joinLine),
    );
  }

  /**
   * Returns the votes for the answers in `#weak`. These votes count only if there is no better answer. Errors are
   * grouped by meaning, because nodes word errors differently.
   */
  get weak(): Ballot {
    const { kind } = this.#options;
    const ballot = new Ballot(kind);
    for (const [node, answer] of this.#weak) ballot.add(answer, node, answer.meaning ?? null);
    return ballot;
  }

  /**
   * @throws UpstreamFailure if too few nodes answered. The reason is `aborted` if the caller disconnected before any
   * request was sent
   */
  async run(): Promise<Verdict> {
    const stopListening = this.#options.asker.whenGone(() => this.#signal.cancel());
    try {
      await this.#proved();
      return await new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        this.#start();
      });
    } finally {
      this.#isSettled = true;
      stopListening?.();
      if (this.#open === 0) this.#end();
    }
  }

  #start(): void {
    const { pool, settings } = this.#options;
    const able = pool.nodes.filter((node) => node.admits(this.item.method, performance.now())).length;
    if (able < settings.agreeing) return this.#reject(this.#tooFew(able));
    for (let i = 0; i < settings.nodes; i++) this.#askNext();
  }

  /**
   * Checks nodes whose chain is not proved yet. Resolves when enough nodes serve the right chain, or all checks have
   * ended.
   */
  async #proved(): Promise<void> {
    const { pool, settings, deadline } = this.#options;
    const unproved = pool.nodes.filter(({ health }) => !health.servesChain);
    const areEnough = (): boolean => pool.nodes.filter(({ health }) => health.servesChain).length >= settings.agreeing;
    if (areEnough()) return;
    const looks = unproved.map(({ proof }) => proof?.look());
    const enough = new Promise<void>((resolve) => {
      for (const look of looks) void look?.then(() => areEnough() && resolve());
      void Promise.all(looks).then(() => resolve());
    });
    await untilCancelled(enough, this.#signal, deadline);
  }

  #askNext(): boolean {
    const { pool, demand } = this.#options;
    const node = chooseNode(
      pool.nodes,
      this.item.method,
      performance.now(),
      this.#tried,
      demand?.floor ?? null,
      demand,
    );
    if (!node) return false;
    this.#tried.push(node);
    this.#begin(node);
    return true;
  }

  #begin(node: UpstreamNode): void {
    this.#open++;
    void this.#ask(node).then(() => {
      this.#open--;
      this.#count();
    });
  }

  async #ask(node: UpstreamNode): Promise<void> {
    const { pool, kind, demand, deadline, record } = this.#options;
    const request = new SingleRequest(this.item, { kind, demand, record });
    try {
      await this.#reached(node);
      if (this.#isSettled) return;
      const answer = await pool.readOnce(node, this.item.method, request, { asker: this.#signal, deadline });
      this.#weak.delete(node);
      const group = this.ballot.add(answer, node);
      if (group.answer === answer) this.answers.push(answer);
      else this.#options.release(answer);
    } catch (error) {
      if (request.lastResort !== null) this.answers.push(request.lastResort);
      if (this.#isSettled) return;
      const failure = isUpstreamFailure(error)
        ? error
        : new UpstreamFailure('not-json', 'its answer could not be parsed');
      if (failure.reason === 'aborted' || failure.reason === 'overloaded') return this.#reject(failure);
      // If one node is busy, the other nodes may still agree.
      const isBusy = failure.reason === 'busy';
      if (isBusy) this.#busy ??= failure;
      this.#failures.push(`${node.name}: ${failure.message}`);
      if (request.lastResort !== null) this.#weak.set(node, request.lastResort);
      if (failure.facts.free && !isBusy && !node.lacks(this.item.method, demand?.reference ?? null, performance.now()))
        this.#late.push(node);
      this.#askNext();
    }
  }

  async #reached(node: UpstreamNode): Promise<void> {
    const floor = this.#options.demand?.floor ?? null;
    const until = performance.now() + REACHED_WITHIN_MS;
    while (
      floor !== null &&
      node.heads !== null &&
      !node.heads.isAt(floor) &&
      performance.now() < until &&
      !this.#isSettled
    ) {
      await node.heads.look(floor.commitment);
      if (!node.heads.isAt(floor)) await pause(LOOK_EVERY_MS, this.#signal.whenGone);
    }
  }

  #count(): void {
    if (!this.#isSettled) this.#decide();
    if (this.#isSettled && this.#open === 0) this.#end();
  }

  #decide(): void {
    const { agreeing } = this.#options.settings;
    const largest = this.ballot.largest;
    const votes = largest?.nodes.length ?? 0;
    if (largest && votes >= agreeing) return this.#settle({ agreed: largest });
    // If slow nodes can no longer make any answer win, the round ends without them.
    if (votes + this.#open + this.#late.length < agreeing && this.ballot.groups.length > 1)
      return this.#settle({ agreed: null });
    if (this.#open > 0) return;
    const absent = this.#agreedAbsent();
    if (absent) return this.#settle({ agreed: absent });
    if (
      this.#late.length > 0 &&
      this.#passes < PASSES_MAX &&
      performance.now() + LATE_PAUSE_MS < this.#options.deadline
    )
      return this.#askLate();
    const tooWide = this.weak.groups.find(({ answer }) => answer.meaning === 'range-limit');
    // Accepts an error about a range limit immediately, so that the log reader can split the range.
    if (tooWide) return this.#settle({ agreed: tooWide });
    if (
      votes > 0 &&
      this.ballot.groups.length + this.weak.groups.filter(({ answer }) => answer.kind === 'result').length > 1
    )
      return this.#settle({ agreed: null });
    this.#isSettled = true;
    this.#reject(this.#busy ?? this.#tooFew(votes));
  }

  #agreedAbsent(): AnswerGroup | null {
    if (this.ballot.groups.some(({ answer }) => !isEmpty(answer))) return null;
    const all = this.weak;
    for (const { answer, nodes } of this.ballot.groups) for (const node of nodes) all.add(answer, node);
    const { largest } = all;
    return largest && largest.nodes.length >= this.#options.settings.agreeing ? largest : null;
  }

  #askLate(): void {
    this.#passes++;
    const late = this.#late;
    this.#late = [];
    this.#open++;
    pause(LATE_PAUSE_MS, this.#signal.whenGone).then(
      () => {
        for (const node of late) this.#begin(node);
        this.#open--;
      },
      (failure: unknown) => this.#reject(failure),
    );
  }

  #settle(verdict: Verdict): void {
    this.#isSettled = true;
    this.#resolve(verdict);
  }

  #tooFew(count: number): UpstreamFailure {
    const { pool, settings } = this.#options;
    const now = performance.now();
    const away = pool.nodes
      .filter((node) => !this.#tried.includes(node))
      .flatMap((node) =>
        node.admits(this.item.method, now)
          ? []
          : `${node.name}: ${node.proof?.failure.message ?? node.health.lastError?.message ?? 'it is paused'}`,
      );
    const reasons = [...new Set([...this.#failures, ...away])];
    return new UpstreamFailure(
      'unavailable',
      `${settings.agreeing} upstreams must agree, but only ${count} can be asked${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`,
    );
  }
}
