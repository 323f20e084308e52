import { readAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { RpcAnswer } from '@/lib/protocol/jsonrpc/messages';
import { isUtf8 } from 'node:buffer';
import type { AnswerBody } from '../http1/exchange';
import type { BlockDemand, EmptyVerdict } from './block-demand';
import type { ItemAnswer } from './node-request';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';

/** JSON-RPC response to one item, with any HTTP status. */
export interface NodeAnswer {
  kind: RpcAnswer['kind'];
  bytes: Buffer;
  start: number;
  end: number;
  status: number;
  failure: UpstreamFailure | null;
}

/** Body of an answer. `failure` is null for status 200. */
export interface PostedBody extends AnswerBody {
  failure: UpstreamFailure | null;
}

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
 * Reads the JSON-RPC response to one item. If the HTTP status is not 200, only a JSON-RPC error counts as a response.
 * @throws UpstreamFailure if there is no usable response
 */
export async function readSingle(posting: Promise<AnswerBody>, id: number, takesNullId: boolean): Promise<NodeAnswer> {
  const { bytes, structure, failure } = await postedBody(posting);
  const answer = readAnswer(bytes, structure);
  if (!answer || (failure && answer.kind !== 'error'))
    throw failure ?? new UpstreamFailure('not-json', 'its answer is not a JSON-RPC response');
  const status = failure?.facts.status ?? 200;
  const isUnderNull = answer.kind === 'error' && (answer.id === null || answer.id === 'null');
  if (answer.id !== id && !(isUnderNull && takesNullId && isAboutRequest(status))) {
    throw failure ?? new UpstreamFailure('mismatch', 'its answer belongs to another request');
  }
  return { kind: answer.kind, bytes, start: answer.valueStart, end: answer.valueEnd, status, failure };
}

function isAboutRequest(status: number): boolean {
  return status === 200 || (status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status));
}

const NULL = 'null';

export function isEmpty(answer: ItemAnswer): boolean {
  return (
    answer.kind === 'result' &&
    answer.end - answer.start <= NULL.length &&
    (textOf(answer) === NULL || textOf(answer) === '[]')
  );
}

export function emptyVerdict(answer: ItemAnswer, demand: BlockDemand): EmptyVerdict {
  if (!answer.from || answer.kind === 'error') return 'answer';
  const empty = isEmpty(answer);
  return demand.judge(answer.from, { isEmpty: empty, isNull: empty && textOf(answer) === NULL });
}

function textOf({ bytes, start, end }: ItemAnswer): string {
  return bytes.toString('latin1', start, end);
}
