import { isUtf8 } from 'node:buffer';
import { readAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { RpcAnswer } from '@/lib/protocol/jsonrpc/rpc-answer';
import type { AnswerBody } from '../http1/exchange';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';

/** The JSON-RPC response to one item, whatever the status that it came with. */
export interface NodeAnswer {
  kind: RpcAnswer['kind'];
  bytes: Buffer;
  /** Where the value is in `bytes`. */
  start: number;
  end: number;
  status: number;
  /** What the status alone comes to; null for 200. */
  failure: UpstreamFailure | null;
}

/** A body with the failure that its status is; null for 200. */
export interface PostedBody extends AnswerBody {
  failure: UpstreamFailure | null;
}

/** Waits for a body, of whatever status. @throws UpstreamFailure where there is none. */
export async function postedBody(posting: Promise<AnswerBody>): Promise<PostedBody> {
  try {
    const { bytes, structure } = await posting;
    return { bytes, structure, failure: null };
  } catch (error) {
    if (!isUpstreamFailure(error) || error.body === null || !isUtf8(error.body)) throw error;
    return { bytes: error.body, structure: null, failure: error };
  }
}

/**
 * Reads the response to one item. With another status than 200 it has to be an error.
 * @param takesNullId whether an error under a null id counts: it may be about the request, or about the node.
 * @throws UpstreamFailure where there is no such response.
 */
export async function readSingle(posting: Promise<AnswerBody>, id: string, takesNullId: boolean): Promise<NodeAnswer> {
  const { bytes, structure, failure } = await postedBody(posting);
  const answer = readAnswer(bytes, structure);
  if (!answer || (failure && answer.kind !== 'error'))
    throw failure ?? new UpstreamFailure('not-json', 'its answer is no JSON-RPC response');
  const status = failure?.facts.status ?? 200;
  const isUnderNull = answer.kind === 'error' && (answer.id === null || answer.id === 'null');
  if (answer.id !== String(id) && !(isUnderNull && takesNullId && isAboutRequest(status))) {
    throw failure ?? new UpstreamFailure('mismatch', 'its answer belongs to another request');
  }
  return { kind: answer.kind, bytes, start: answer.valueStart, end: answer.valueEnd, status, failure };
}

/** Statuses that are about the one request that was sent, and not about who sent it or how the node does. */
function isAboutRequest(status: number): boolean {
  return status === 200 || (status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status));
}
