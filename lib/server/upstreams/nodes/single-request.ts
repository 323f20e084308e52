import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import { emptyVerdict, type NodeAnswer, readSingle } from './node-answer';
import { ERROR_CONSEQUENCES, type ErrorMeaning } from './error-meaning';
import { asksForRange } from './method-traits';
import type { ItemAnswer, NodeRequest } from './node-request';
import { errorMeaning, readRpcError } from './node-error';
import { requestText, takeIds } from './request-text';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

interface SingleRequestOptions {
  kind: ChainKind;
  lastResort?: ItemAnswer | null;
  /** True if an error whose id is null counts as an answer. */
  takesNullId?: boolean;
  demand?: BlockDemand | null;
  record?: RequestRecord | undefined;
}

const SENTENCES: Readonly<Record<Exclude<ErrorMeaning, 'answer'>, string>> = {
  missing: 'it does not have the block or state',
  pruned: 'it no longer has state or history this old',
  'no-method': 'it does not serve the method',
  'range-limit': 'it does not serve a block range this wide',
  'no-batches': 'it does not accept this batch',
  unable: 'it did not serve the call',
  'rate-limited': 'it has reached its rate limit',
  quota: 'its quota is used up',
  failing: 'it reports an internal failure',
};

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
      node.upstream.post(this.#text, timeoutMs, asker, traceparent, this.options.record?.accountId),
      this.#id,
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

  /** @throws UpstreamFailure if the node's lag may make the result empty or incomplete */
  #judgeEmpty(found: ItemAnswer, demand: BlockDemand): void {
    const verdict = emptyVerdict(found, demand);
    if (verdict === 'answer') return;
    if (verdict === 'ask others') this.lastResort ??= found;
    throw failureOf('missing', null);
  }

  /** @throws UpstreamFailure if another node may have a better answer than this error */
  #judgeError(found: ItemAnswer, { status, failure }: NodeAnswer, node: UpstreamNode): void {
    const error = readRpcError(found.bytes.subarray(found.start, found.end));
    const meaning = errorMeaning(error, { kind: this.options.kind, method: this.item.method, status });
    if (meaning === 'answer') return;
    found.meaning = meaning;
    const { demand = null } = this.options;
    // Keeps an earlier error about a range limit, because it makes the log reader split the range.
    if (this.lastResort?.meaning !== 'range-limit' && !(meaning === 'missing' && demand?.disbelieves(node)))
      this.lastResort = found;
    const reference = demand?.reference ?? null;
    node.learn(meaning, { method: this.item.method, reference, message: error?.message ?? '' }, performance.now());
    throw failureOf(meaning, failure);
  }
}

/** Returns whether an answer had status 413. Proxies in front of nodes send it if an answer is too large. */
function isTooLargeByStatus(error: unknown): error is UpstreamFailure {
  return isUpstreamFailure(error) && error.facts.status === 413;
}

export function failureOf(
  meaning: Exclude<ErrorMeaning, 'answer'>,
  statusFailure: UpstreamFailure | null,
): UpstreamFailure {
  const { node: effect, retryBudget } = ERROR_CONSEQUENCES[meaning];
  if (effect === 'rest' && statusFailure?.reason === 'rate-limited') return statusFailure;
  if (effect === 'circuit breaker')
    return statusFailure ?? new UpstreamFailure('status', SENTENCES[meaning], { status: 200 });
  return new UpstreamFailure('node-fault', SENTENCES[meaning], { free: retryBudget === 'free', meaning });
}
