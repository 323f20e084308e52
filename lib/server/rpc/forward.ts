import type { RpcRequest, RpcRequestBody } from '@/lib/protocol/jsonrpc/rpc-request';
import type { Call, WholeBody } from '../http/call';
import type { RpcPrice } from './admit';
import { CallAsker } from '../upstreams/nodes/asker';
import type { Asking } from '../upstreams/nodes/asking';
import type { Backend } from '../upstreams/nodes/backend';
import { HeadMark } from '../upstreams/nodes/caller-marks';
import { composeBatch, composeSingle } from './compose';
import type { ItemAnswer } from '../upstreams/nodes/node-request';
import type { BatchReading } from './batch-reading';
import { readBatch } from './read-batch';
import type { Logger } from 'pino';
import { apiError } from '@/lib/protocol/errors';
import type { Network } from '@/lib/protocol/networks';
import { isUpstreamFailure } from '../upstreams/nodes/upstream-failure';

/** What the upstream said to each item, and the body to answer the caller with. */
export interface RpcOutcome {
  /** In the order of the items: whether each is an error. */
  isError: boolean[];
  /** How many upstreams gave the answer of how many that were asked, as `2/3`; of a batch the least. Null where one upstream answers. */
  agreement: string | null;
  body: WholeBody;
}

/**
 * Answers the items, in their order, under the ids that the caller gave. Results are passed on as the bytes they
 * came in. Reads may be answered by the cache, and asked of several upstreams; items that send go out once. A caller
 * who goes away takes back what has not been sent yet; once anything has, all of it is carried out. Within a batch no
 * answer is of an older block than one before it.
 * @throws UpstreamFailure unless there is a well-formed answer to every item.
 */
export async function forward(
  { batch, items }: RpcRequestBody,
  { sends, methods }: Pick<RpcPrice, 'sends' | 'methods'>,
  backend: Backend,
  asking?: Asking & Pick<Call, 'whenGone' | 'record'>,
): Promise<RpcOutcome> {
  if (!batch) {
    const item = items[0] as RpcRequest;
    const answer = await (sends
      ? backend.send(item, backend.pool.deadline(), asking?.record)
      : backend.read(item, asking));
    return {
      isError: [answer.kind === 'error'],
      agreement: agreementOf([answer], backend),
      body: composed(composeSingle(item, answer), [answer], backend),
    };
  }
  const mark = backend.heads === null ? undefined : (asking?.mark ?? new HeadMark());
  const reading: BatchReading = {
    deadline: backend.pool.deadline(),
    record: asking?.record,
    mark,
    whenGone: asking?.whenGone,
    isKept: asking?.isKept,
  };
  const answers = sends
    ? await answerInOrder(items, (index) => methods[index]?.sends === true, backend, reading)
    : await readBatch(items, backend, { ...reading, asker: asking && new CallAsker(asking.whenGone) });
  return {
    isError: answers.map(({ kind }) => kind === 'error'),
    agreement: agreementOf(answers, backend),
    body: composed(composeBatch(items, answers), answers, backend),
  };
}

function agreementOf(answers: readonly ItemAnswer[], { agreed }: Backend): string | null {
  const agreeing = answers.flatMap((answer) => answer.agreeing ?? []);
  return agreed === null || agreeing.length === 0 ? null : `${Math.min(...agreeing)}/${agreed.settings.nodes}`;
}

/** Text is a copy; parts are the answers' own bytes, which whoever sends them releases. */
function composed(body: WholeBody, answers: readonly ItemAnswer[], backend: Backend): WholeBody {
  if (typeof body === 'string') backend.release(answers);
  return body;
}

/**
 * A batch with items that send: each of these goes out alone, and after what stands before it, so that no retry or
 * refusal of the reads around it can send it twice.
 */
async function answerInOrder(
  items: readonly RpcRequest[],
  sendsAt: (index: number) => boolean,
  backend: Backend,
  reading: BatchReading,
): Promise<ItemAnswer[]> {
  const answers: ItemAnswer[] = [];
  while (answers.length < items.length) {
    const start = answers.length;
    let end = start;
    while (end < items.length && !sendsAt(end)) end++;
    if (end === start) answers.push(await backend.send(items[start] as RpcRequest, reading.deadline, reading.record));
    else answers.push(...(await readBatch(items.slice(start, end), backend, reading)));
  }
  return answers;
}

/** The error that a caller sees when forwarding failed, after the operator's log has it. Anything else is given back as it is. */
export function upstreamFailed(error: unknown, network: Network, call: Call, log: Logger): unknown {
  if (!isUpstreamFailure(error)) return error;
  if (error.reason === 'aborted') return apiError('CLIENT_CLOSED_REQUEST');
  if (error.reason === 'overloaded') return apiError('OVERLOADED', { headers: { 'retry-after': '5' } });
  // The log was told once, when it was found out.
  if (error.reason !== 'wrong-chain')
    log.warn(
      { network: network.slug, reason: error.reason, requestId: call.requestId },
      `the upstream failed: ${error.message}`,
    );
  return apiError('UPSTREAM_FAILED', {
    message: `The upstream node of ${network.slug} gave no usable answer: ${error.message}.`,
  });
}
