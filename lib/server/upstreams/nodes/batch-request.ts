import { readAnswer, readBatchAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { ChainKind } from '@/lib/protocol/networks';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import type { Asker } from './asker';
import { ERROR_CONSEQUENCES } from './error-meaning';
import { mapBounded } from './map-bounded';
import { type PostedBody, postedBody } from './node-answer';
import { errorMeaning, readRpcError } from './node-error';
import type { ItemAnswer, NodeRequest } from './node-request';
import { requestText, takeIds } from './request-text';
import { failureOf, SingleRequest } from './single-request';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

/** Under this name upstreams are judged by their answers to batches. */
export const BATCH = 'batch';
/** Singles in flight at a time, for one batch. */
export const SINGLES_AT_ONCE = 8;

/** What an upstream said to each item, in their order; null where it said nothing. */
export type BatchAnswers = (ItemAnswer | null)[];

/** Statuses that say nothing about batches: not authorised, or not well. */
const isAboutTheUpstream = (status: number): boolean => [401, 403, 407, 502, 503, 504].includes(status);

/** How a node took an array: with answers, or by refusing it, in words or by a status that are about arrays or not. */
type ArrayOutcome = BatchAnswers | 'refused' | 'refuses arrays';

/**
 * Several items, sent as one array; one by one to an upstream that refuses arrays. Answers are told apart by ids, so
 * they may come in any order; those to nothing we asked are dropped.
 */
export class BatchRequest implements NodeRequest<BatchAnswers> {
  readonly lastResort = null;
  readonly #firstId: number;

  /** @param record of the request that they are asked for, where there is one. */
  constructor(
    private readonly items: readonly RpcRequest[],
    private readonly kind: ChainKind,
    private readonly record?: RequestRecord,
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
    // One item that is at fault may have had the whole array refused: that says nothing of arrays.
    if (outcome === 'refused' && answers.every((answer) => answer?.kind === 'result'))
      node.refuseBatches(performance.now(), count);
    return answers;
  }

  isMeasured(): boolean {
    return true;
  }

  async #askArray(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<ArrayOutcome> {
    const text = `[${this.items.map((item, index) => requestText(item, this.#firstId + index)).join(',')}]`;
    const attempt = this.record?.asks(node) ?? null;
    const posting = node.upstream.post(text, timeoutMs, asker, attempt?.traceparent);
    let body: PostedBody;
    try {
      body = await postedBody(attempt === null ? posting : untilEnded(posting, attempt));
    } catch (error) {
      return this.#refusalByStatus(error);
    }
    const { bytes, structure, failure } = body;
    const answers = readBatchAnswer(bytes, this.items.length, structure);
    if (!answers) return this.#readRefusal(bytes, failure, node);
    const ordered: BatchAnswers = this.items.map(() => null);
    for (const { id, kind, valueStart, valueEnd } of answers) {
      const index = id === null ? -1 : Number(id) - this.#firstId;
      if (index in ordered) ordered[index] = { kind, bytes, start: valueStart, end: valueEnd, from: node };
    }
    if (ordered.every((answer) => answer === null))
      throw failure ?? new UpstreamFailure('mismatch', 'its answers belong to another request');
    if (ordered.includes(null)) node.refuseBatches(performance.now(), this.items.length);
    this.record?.answeredBy(node);
    return ordered;
  }

  #refusalByStatus(error: unknown): 'refused' {
    if (isUpstreamFailure(error) && error.reason === 'status' && !isAboutTheUpstream(error.facts.status ?? 0))
      return 'refused';
    throw error;
  }

  /** One error for the whole array: a refusal of it, unless the node says that it cannot serve anything now. */
  #readRefusal(bytes: Buffer, failure: UpstreamFailure | null, node: UpstreamNode): ArrayOutcome {
    const answer = readAnswer(bytes);
    if (answer?.kind !== 'error')
      return this.#refusalByStatus(
        failure ?? new UpstreamFailure('not-json', 'its answer is no array of JSON-RPC responses'),
      );
    const error = readRpcError(bytes.subarray(answer.valueStart, answer.valueEnd));
    const meaning = errorMeaning(error, { kind: this.kind, method: BATCH, status: failure?.facts.status ?? 200 });
    if (meaning === 'no-batches') return 'refuses arrays';
    const { node: effect } = ERROR_CONSEQUENCES[meaning];
    if (meaning !== 'answer' && (effect === 'rest' || effect === 'circuit breaker')) {
      // Of a status of 5xx nothing is known but that the array was not served.
      if (failure?.reason === 'status') return this.#refusalByStatus(failure);
      node.learn(meaning, { method: BATCH, reference: null, message: '' }, performance.now());
      throw failureOf(meaning, failure);
    }
    return 'refused';
  }

  /** @throws UpstreamFailure where not one item was answered. */
  async #askSingly(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<BatchAnswers> {
    const deadline = performance.now() + timeoutMs;
    let failure: unknown = null;
    const answers = await mapBounded(this.items, SINGLES_AT_ONCE, async (item) => {
      const question = new SingleRequest(item, { kind: this.kind, takesNullId: false, record: this.record });
      const leftMs = Math.ceil(deadline - performance.now());
      // After one that was lost with its connection or its time, the rest would be too.
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
  return isUpstreamFailure(failure) && failure.reason === 'overloaded';
}

function isFatal(failure: unknown): boolean {
  return (
    isUpstreamFailure(failure) &&
    ['aborted', 'connection', 'timeout', 'rate-limited', 'overloaded'].includes(failure.reason)
  );
}
