import { readAnswer, readBatchAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { PlainBatch, RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import type { Asker } from './asker';
import { ERROR_CONSEQUENCES } from './error-meaning';
import { mapBounded } from './map-bounded';
import { type PostedBody, postedBody } from './node-answer';
import { errorMeaning, readRpcError } from './node-error';
import type { ItemAnswer, NodeRequest } from './node-request';
import { batchText, takeIds } from './request-text';
import { failureOf, SingleRequest } from './single-request';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

export const BATCH = 'batch';
export const SINGLES_AT_ONCE = 8;

export type BatchAnswers = (ItemAnswer | null)[];

const isAboutTheUpstream = (status: number): boolean => [401, 403, 407, 502, 503, 504].includes(status);

type ArrayOutcome = BatchAnswers | 'refused' | 'refuses arrays';

/**
 * Sends several items as one array. If the upstream refuses arrays, sends the items one by one. Matches answers to
 * items by id, because nodes may answer in any order. Drops answers with unknown ids.
 */
export class BatchRequest implements NodeRequest<BatchAnswers> {
  readonly lastResort = null;
  readonly #firstId: number;

  constructor(
    private readonly items: readonly RpcRequest[],
    private readonly kind: ChainKind,
    private readonly record?: RequestRecord,
    private readonly plain?: PlainBatch,
  ) {
    this.#firstId = takeIds(items.length);
  }

  async ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<BatchAnswers> {
    const startedAt = performance.now();
    const count = this.items.length;
    let outcome: ArrayOutcome | null = null;
    if (!node.refusesBatches(startedAt, count)) {
      outcome = await this.#askArray(node, timeoutMs, asker);
      if (typeof outcome !== 'string') return outcome;
      if (outcome === 'refuses arrays') node.refuseBatches(performance.now(), count);
    }
    const leftMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedAt)));
    const answers = await this.#askSingly(node, leftMs, asker);
    // If all items succeed when sent one by one, the node refused only the array.
    if (outcome === 'refused' && answers.every((answer) => answer?.kind === 'result'))
      node.refuseBatches(performance.now(), count);
    return answers;
  }

  isMeasured(): boolean {
    return true;
  }

  async #askArray(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<ArrayOutcome> {
    const text = batchText(this.items, this.#firstId, this.plain);
    const attempt = this.record?.asks(node) ?? null;
    const posting = node.upstream.post(text, timeoutMs, asker, attempt?.traceparent, this.record?.accountId);
    let body: PostedBody;
    try {
      body = await postedBody(attempt === null ? posting : untilEnded(posting, attempt));
    } catch (error) {
      return this.#refusalByStatus(error);
    }
    const { bytes, structure, failure } = body;
    const answers = readBatchAnswer(bytes, this.items.length, structure);
    if (!answers) return this.#readRefusal(bytes, failure, node);
    const ordered = new Array<ItemAnswer | null>(this.items.length).fill(null);
    let found = 0;
    for (const { id, kind, valueStart, valueEnd } of answers) {
      const index = id === null ? -1 : Number(id) - this.#firstId;
      const before = ordered[index];
      if (before === undefined) continue;
      if (before === null) found++;
      ordered[index] = { kind, bytes, start: valueStart, end: valueEnd, from: node };
    }
    if (found === 0) throw failure ?? new UpstreamFailure('mismatch', 'its answers belong to another request');
    if (found < ordered.length) node.refuseBatches(performance.now(), this.items.length);
    this.record?.answeredBy(node);
    return ordered;
  }

  #refusalByStatus(error: unknown): 'refused' {
    if (isUpstreamFailure(error) && error.reason === 'status' && !isAboutTheUpstream(error.facts.status ?? 0))
      return 'refused';
    throw error;
  }

  /** Interprets an error that the node returned instead of an array. Throws if the node currently serves no calls. */
  #readRefusal(bytes: Buffer, failure: UpstreamFailure | null, node: UpstreamNode): ArrayOutcome {
    const answer = readAnswer(bytes);
    if (answer?.kind !== 'error')
      return this.#refusalByStatus(
        failure ?? new UpstreamFailure('not-json', 'its answer is not an array of JSON-RPC responses'),
      );
    const error = readRpcError(bytes.subarray(answer.valueStart, answer.valueEnd));
    const meaning = errorMeaning(error, { kind: this.kind, method: BATCH, status: failure?.facts.status ?? 200 });
    if (meaning === 'no-batches') return 'refuses arrays';
    const { node: effect } = ERROR_CONSEQUENCES[meaning];
    if (meaning !== 'answer' && (effect === 'rest' || effect === 'circuit breaker')) {
      // The HTTP error status decides whether the node refused only the array.
      if (failure?.reason === 'status') return this.#refusalByStatus(failure);
      node.learn(meaning, { method: BATCH, reference: null, message: '' }, performance.now());
      throw failureOf(meaning, failure);
    }
    return 'refused';
  }

  /** @throws UpstreamFailure if no item was answered, the caller disconnected, or capacity ran out. */
  async #askSingly(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<BatchAnswers> {
    const deadline = performance.now() + timeoutMs;
    let failure: unknown = null;
    const answers = await mapBounded(this.items, SINGLES_AT_ONCE, async (item) => {
      const question = new SingleRequest(item, { kind: this.kind, takesNullId: false, record: this.record });
      const leftMs = Math.ceil(deadline - performance.now());
      // After a lost connection or a timeout, the remaining items would fail too.
      if (leftMs <= 0 || isFatal(failure)) return null;
      return question.ask(node, leftMs, asker).catch((error: unknown) => {
        failure ??= error;
        return question.lastResort;
      });
    });
    if (isAborted(failure) || isOverloaded(failure) || (failure !== null && answers.every((answer) => answer === null)))
      throw failure;
    return answers;
  }
}

function isAborted(failure: unknown): boolean {
  return isUpstreamFailure(failure) && failure.reason === 'aborted';
}

function isOverloaded(failure: unknown): boolean {
  return isUpstreamFailure(failure) && (failure.reason === 'overloaded' || failure.reason === 'busy');
}

function isFatal(failure: unknown): boolean {
  return (
    isUpstreamFailure(failure) &&
    ['aborted', 'connection', 'timeout', 'rate-limited', 'overloaded', 'busy'].includes(failure.reason)
  );
}
