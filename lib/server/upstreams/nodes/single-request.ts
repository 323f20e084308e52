import { readAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import { type RequestRecord, untilEnded } from '../../http/request-record';
import type { Asker } from './asker';
import type { ItemAnswer, NodeRequest } from './node-request';
import { nodeFaultOf } from './node-fault';
import { requestText, takeIds } from './request-text';
import { UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

/** One item, sent under an id of our own. */
export class SingleRequest implements NodeRequest<ItemAnswer> {
  readonly #id = takeIds(1);
  readonly #text: string;

  /**
   * @param lastResort an answer that there is already, if no better one is found.
   * @param takesNullId whether an error under a null id, as of a node that cannot read a request, is an answer.
   * @param record of the request that it is asked for, where there is one.
   */
  constructor(
    item: RpcRequest,
    public lastResort: ItemAnswer | null = null,
    private readonly takesNullId = true,
    private readonly record?: RequestRecord,
  ) {
    this.#text = requestText(item, this.#id);
  }

  ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<ItemAnswer> {
    const attempt = this.record?.asks(node) ?? null;
    const asking = this.#ask(node, timeoutMs, asker, attempt?.traceparent);
    return attempt === null ? asking : untilEnded(asking, attempt);
  }

  async #ask(node: UpstreamNode, timeoutMs: number, asker: Asker | undefined, traceparent: string | null | undefined): Promise<ItemAnswer> {
    const { bytes, structure } = await node.upstream.post(this.#text, timeoutMs, asker, traceparent);
    const answer = readAnswer(bytes, structure);
    if (!answer) throw new UpstreamFailure('not-json', 'its answer is no JSON-RPC response');
    if (answer.id !== String(this.#id) && !(this.takesNullId && answer.kind === 'error' && (answer.id === null || answer.id === 'null'))) {
      throw new UpstreamFailure('mismatch', 'its answer belongs to another request');
    }
    const found: ItemAnswer = { kind: answer.kind, bytes, start: answer.valueStart, end: answer.valueEnd, from: node };
    if (found.kind === 'error') this.#refuseFault(found, node);
    this.record?.answeredBy(node);
    return found;
  }

  isMeasured({ kind }: ItemAnswer): boolean {
    return kind === 'result';
  }

  #refuseFault(answer: ItemAnswer, node: UpstreamNode): void {
    const fault = nodeFaultOf(answer.bytes.subarray(answer.start, answer.end));
    if (fault === null) return;
    this.lastResort = answer;
    if (fault === 'rate-limited') node.rest(performance.now());
    throw new UpstreamFailure('node-fault', fault === 'behind' ? 'it does not have the block or state' : 'its own limit is reached');
  }
}
