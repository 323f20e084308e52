import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { ChainKind } from '@/lib/protocol/networks';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import { emptyVerdict } from './empty-answer';
import { ERROR_CONSEQUENCES, type ErrorMeaning } from './error-meaning';
import { asksForRange } from './method-traits';
import { type NodeAnswer, readSingle } from './node-answer';
import type { ItemAnswer, NodeRequest } from './node-request';
import { errorMeaning, readRpcError } from './node-error';
import { requestText, takeIds } from './request-text';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

export interface SingleRequestOptions {
  kind: ChainKind;
  /** An answer that there is already, if no better one is found. */
  lastResort?: ItemAnswer | null;
  /** Whether an error under a null id, as of a node that cannot read a request, is an answer. */
  takesNullId?: boolean;
  /** What the call demands of the node that answers it. */
  demand?: BlockDemand | null;
  /** The record of the request that it is asked for. */
  record?: RequestRecord | undefined;
}

/** What a node says of itself by an error, for people. */
const SENTENCES: Readonly<Record<Exclude<ErrorMeaning, 'answer'>, string>> = {
  missing: 'it does not have the block or state',
  pruned: 'it no longer has state or history this old',
  'no-method': 'it does not serve the method',
  'range-limit': 'it serves no range this wide',
  'no-batches': 'it serves no such batch',
  unable: 'it did not serve the call',
  'rate-limited': 'its own limit is reached',
  quota: 'its quota is used up',
  failing: 'it says that it is failing',
};

/** One item, sent under an id of our own. */
export class SingleRequest implements NodeRequest<ItemAnswer> {
  readonly #id = takeIds(1);
  readonly #text: string;
  lastResort: ItemAnswer | null;

  constructor(
    private readonly item: RpcRequest,
    private readonly options: SingleRequestOptions,
  ) {
    this.lastResort = options.lastResort ?? null;
    this.#text = requestText(item, this.#id);
  }

  ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<ItemAnswer> {
    const attempt = this.options.record?.asks(node) ?? null;
    const asking = this.#ask(node, timeoutMs, asker, attempt?.traceparent);
    return attempt === null ? asking : untilEnded(asking, attempt);
  }

  async #ask(
    node: UpstreamNode,
    timeoutMs: number,
    asker: Asker | undefined,
    traceparent: string | null | undefined,
  ): Promise<ItemAnswer> {
    const answer = await readSingle(
      node.upstream.post(this.#text, timeoutMs, asker, traceparent),
      String(this.#id),
      this.options.takesNullId ?? true,
    ).catch((error: unknown) => {
      throw asksForRange(this.item.method) && isTooLargeByStatus(error) ? failureOf('range-limit', error) : error;
    });
    const { kind, bytes, start, end } = answer;
    const found: ItemAnswer = { kind, bytes, start, end, from: node };
    if (kind === 'error') this.#judgeError(found, answer, node);
    else if (this.options.demand) this.#judgeEmpty(found, this.options.demand);
    this.options.record?.answeredBy(node);
    return found;
  }

  isMeasured({ kind }: ItemAnswer): boolean {
    return kind === 'result';
  }

  /** @throws UpstreamFailure for `null` or `[]` of a node that may only not have the block. */
  #judgeEmpty(found: ItemAnswer, demand: BlockDemand): void {
    const verdict = emptyVerdict(found, demand);
    if (verdict === 'answer') return;
    if (verdict === 'ask others') this.lastResort ??= found;
    throw failureOf('missing', null);
  }

  /** @throws UpstreamFailure for an error that another node may have a better answer than. */
  #judgeError(found: ItemAnswer, { status, failure }: NodeAnswer, node: UpstreamNode): void {
    const error = readRpcError(found.bytes.subarray(found.start, found.end));
    const meaning = errorMeaning(error, { kind: this.options.kind, method: this.item.method, status });
    if (meaning === 'answer') return;
    found.meaning = meaning;
    const { demand = null } = this.options;
    // A limit on ranges can be kept to, whatever else another node says.
    if (this.lastResort?.meaning !== 'range-limit' && !(meaning === 'missing' && demand?.disbelieves(node)))
      this.lastResort = found;
    const reference = demand?.reference ?? null;
    node.learn(meaning, { method: this.item.method, reference, message: error?.message ?? '' }, performance.now());
    throw failureOf(meaning, failure);
  }
}

/** Whether all that a node said is status 413, as a page of a proxy before it comes with. */
function isTooLargeByStatus(error: unknown): error is UpstreamFailure {
  return isUpstreamFailure(error) && error.facts.status === 413;
}

/** The failure that an error is for the pool. @param statusFailure what the status alone comes to; null for 200. */
export function failureOf(
  meaning: Exclude<ErrorMeaning, 'answer'>,
  statusFailure: UpstreamFailure | null,
): UpstreamFailure {
  const { node: effect, retryBudget } = ERROR_CONSEQUENCES[meaning];
  // The node rests as long as it asked for.
  if (effect === 'rest' && statusFailure?.reason === 'rate-limited') return statusFailure;
  if (effect === 'circuit breaker')
    return statusFailure ?? new UpstreamFailure('status', SENTENCES[meaning], { status: 200 });
  return new UpstreamFailure('node-fault', SENTENCES[meaning], { free: retryBudget === 'free', meaning });
}
