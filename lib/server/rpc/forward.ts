import { type RpcAnswer, readAnswer, readBatchAnswer } from '@/lib/protocol/jsonrpc/answer';
import type { RpcRequest, RpcRequestBody } from '@/lib/protocol/jsonrpc/request';
import type { WhenGone } from '../http/call';
import { type Upstream, UpstreamFailure } from './upstream';

/** What the upstream said to each item, and the body to answer the caller with. */
export interface RpcOutcome {
  /** In the order of the items: whether each is an error. */
  isError: boolean[];
  body: string | Uint8Array;
}

/** Answers beyond this are put together as bytes, never as one string. */
const TEXT_BYTES_MAX = 65_536;
const SINGLE_ID = '1';

/**
 * Sends the items upstream under ids of our own, and gives each answer its caller's id back, in the order of the
 * items. Results are passed on as the bytes they came in.
 * @throws UpstreamFailure unless there is a complete, well-formed answer to every item.
 */
export async function forward(body: RpcRequestBody, upstream: Upstream, whenGone?: WhenGone): Promise<RpcOutcome> {
  return body.batch ? forwardBatch(body.items, upstream, whenGone) : forwardSingle(body.items[0] as RpcRequest, upstream, whenGone);
}

async function forwardSingle(item: RpcRequest, upstream: Upstream, whenGone?: WhenGone): Promise<RpcOutcome> {
  const bytes = await upstream.post(requestText(item, SINGLE_ID), whenGone);
  const answer = readAnswer(bytes);
  if (!answer) throw new UpstreamFailure('not-json', 'its answer is no JSON-RPC response');
  // A node that cannot read a request answers its error under a null id.
  if (answer.id !== SINGLE_ID && !(answer.kind === 'error' && (answer.id === null || answer.id === 'null'))) {
    throw new UpstreamFailure('mismatch', 'its answer belongs to another request');
  }
  return { isError: [answer.kind === 'error'], body: compose([{ item, answer }], bytes, false) };
}

async function forwardBatch(items: RpcRequest[], upstream: Upstream, whenGone?: WhenGone): Promise<RpcOutcome> {
  const text = `[${items.map((item, index) => requestText(item, String(index))).join(',')}]`;
  const bytes = await upstream.post(text, whenGone);
  const answers = readBatchAnswer(bytes, items.length);
  if (!answers) throw new UpstreamFailure('not-json', 'its answer is no array of JSON-RPC responses');
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  const paired = items.map((item, index) => {
    const answer = byId.get(String(index));
    if (!answer) throw new UpstreamFailure('mismatch', 'its answer to the batch is incomplete');
    return { item, answer };
  });
  return { isError: paired.map(({ answer }) => answer.kind === 'error'), body: compose(paired, bytes, true) };
}

function requestText({ method, params }: RpcRequest, id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

interface Pair {
  item: RpcRequest;
  answer: RpcAnswer;
}

function compose(pairs: Pair[], bytes: Buffer, batch: boolean): string | Uint8Array {
  return bytes.length <= TEXT_BYTES_MAX ? composeText(pairs, bytes, batch) : composeBytes(pairs, bytes, batch);
}

function composeText(pairs: Pair[], bytes: Buffer, batch: boolean): string {
  const parts = pairs.map(({ item, answer }) => `${head(item, answer)}${bytes.toString('utf8', answer.valueStart, answer.valueEnd)}}`);
  return batch ? `[${parts.join(',')}]` : (parts[0] as string);
}

function composeBytes(pairs: Pair[], bytes: Buffer, batch: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  pairs.forEach(({ item, answer }, index) => {
    const separator = batch ? (index === 0 ? '[' : ',') : '';
    parts.push(Buffer.from(separator + head(item, answer)), bytes.subarray(answer.valueStart, answer.valueEnd), CLOSE);
  });
  if (batch) parts.push(Buffer.from(']'));
  return Buffer.concat(parts);
}

const CLOSE = Buffer.from('}');

function head(item: RpcRequest, answer: RpcAnswer): string {
  return `{"jsonrpc":"2.0","id":${item.id},"${answer.kind}":`;
}
