import { readAnswer, readBatchAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import type { Asker } from './asker';
import type { AnswerBody } from '../http1/exchange';
import type { ItemAnswer, NodeRequest } from './node-request';
import { mapBounded } from './map-bounded';
import { nodeFaultOf } from './node-fault';
import { requestText, takeIds } from './request-text';
import { SingleRequest } from './single-request';
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
    private readonly record?: RequestRecord,
  ) {
    this.#firstId = takeIds(items.length);
  }

  async ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<BatchAnswers> {
    const startedAt = performance.now();
    if (!node.refusesBatches(startedAt)) {
      const answers = await this.#askArray(node, timeoutMs, asker);
      if (answers) return answers;
      node.refuseBatches(performance.now());
    }
    const leftMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedAt)));
    return this.#askSingly(node, leftMs, asker);
  }

  isMeasured(): boolean {
    return true;
  }

  /** @returns null where the upstream refuses the array as such. */
  async #askArray(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<BatchAnswers | null> {
    const text = `[${this.items.map((item, index) => requestText(item, this.#firstId + index)).join(',')}]`;
    let body: AnswerBody;
    try {
      const attempt = this.record?.asks(node) ?? null;
      const posting = node.upstream.post(text, timeoutMs, asker, attempt?.traceparent);
      body = await (attempt === null ? posting : untilEnded(posting, attempt));
    } catch (error) {
      if (isUpstreamFailure(error) && error.reason === 'status' && !isAboutTheUpstream(error.facts.status ?? 0)) return null;
      throw error;
    }
    const { bytes, structure } = body;
    const answers = readBatchAnswer(bytes, this.items.length, structure);
    if (!answers) return this.#readRefusal(bytes, node);
    const ordered: BatchAnswers = this.items.map(() => null);
    for (const { id, kind, valueStart, valueEnd } of answers) {
      const index = id === null ? -1 : Number(id) - this.#firstId;
      if (index in ordered) ordered[index] = { kind, bytes, start: valueStart, end: valueEnd, from: node };
    }
    if (ordered.every((answer) => answer === null)) throw new UpstreamFailure('mismatch', 'its answers belong to another request');
    if (ordered.includes(null)) node.refuseBatches(performance.now());
    this.record?.answeredBy(node);
    return ordered;
  }

  /** One error for the whole array: a refusal of arrays, unless the node says that it cannot serve anything now. */
  #readRefusal(bytes: Buffer, node: UpstreamNode): null {
    const answer = readAnswer(bytes);
    if (answer?.kind !== 'error') throw new UpstreamFailure('not-json', 'its answer is no array of JSON-RPC responses');
    if (nodeFaultOf(bytes.subarray(answer.valueStart, answer.valueEnd)) === null) return null;
    node.rest(performance.now());
    throw new UpstreamFailure('node-fault', 'its own limit is reached');
  }

  /** @throws UpstreamFailure where not one item was answered. */
  async #askSingly(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<BatchAnswers> {
    const deadline = performance.now() + timeoutMs;
    let failure: unknown = null;
    const answers = await mapBounded(this.items, SINGLES_AT_ONCE, async (item) => {
      const question = new SingleRequest(item, null, false, this.record);
      const leftMs = Math.ceil(deadline - performance.now());
      // After one that was lost with its connection or its time, the rest would be too.
      if (leftMs <= 0 || isFatal(failure)) return null;
      return question.ask(node, leftMs, asker).catch((error: unknown) => {
        failure ??= error;
        return question.lastResort;
      });
    });
    if (isAborted(failure) || isOverloaded(failure) || (failure !== null && answers.every((answer) => answer === null))) throw failure;
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
  return isUpstreamFailure(failure) && ['aborted', 'connection', 'timeout', 'rate-limited', 'overloaded'].includes(failure.reason);
}
