import type { RpcRequest, RpcRequestBody } from '@/lib/protocol/jsonrpc/messages';
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

export interface RpcOutcome {
  /** Has one element for each item, in order. */
  isError: boolean[];
  /**
   * Number of upstreams that agree, out of those asked, such as `2/3`. For a batch, the lowest of its items. Null if
   * only one upstream was asked.
   */
  agreement: string | null;
  body: WholeBody;
}

/**
 * Answers the items in order, under the caller's ids, with results as received. Each transaction is sent once. If the
 * caller disconnects before anything was sent, all items are cancelled; otherwise all are carried out. Within a batch,
 * no answer is from an older block than the answers before it.
 * @throws UpstreamFailure unless every item has a well-formed answer
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
  if (agreed === null) return null;
  const agreeing = answers.flatMap((answer) => answer.agreeing ?? []);
  return agreeing.length === 0 ? null : `${Math.min(...agreeing)}/${agreed.settings.nodes}`;
}

/** Releases the answers if the body is a copy (text). Otherwise the body's sender releases them. */
function composed(body: WholeBody, answers: readonly ItemAnswer[], backend: Backend): WholeBody {
  if (typeof body === 'string') backend.release(answers);
  return body;
}

/**
 * Answers a batch that sends transactions. Each transaction is a separate request after the items before it, so that
 * repeating a read never repeats a transaction.
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

/** Logs an upstream's failure and returns the caller's error. Returns other errors unchanged. */
export function upstreamFailed(error: unknown, network: Network, call: Call, log: Logger): unknown {
  if (!isUpstreamFailure(error)) return error;
  if (error.reason === 'aborted') return apiError('CLIENT_CLOSED_REQUEST');
  if (error.reason === 'busy') return networkBusy(network, error.facts.retryAfterMs);
  if (error.reason === 'overloaded') return apiError('OVERLOADED', { headers: { 'retry-after': '5' } });
  // The chain check has already logged a wrong chain.
  if (error.reason !== 'wrong-chain')
    log.warn(
      { network: network.slug, reason: error.reason, fault: error.message, requestId: call.requestId },
      'upstream call failed',
    );
  return apiError('UPSTREAM_FAILED', {
    message: `The upstream node of ${network.slug} gave no usable answer: ${error.message}.`,
  });
}

const BUSY_RETRY_MS = 5_000;

/** Returns the error for a call that would wait too long for a connection to its network. */
export function networkBusy({ slug }: Pick<Network, 'slug'>, retryAfterMs = BUSY_RETRY_MS): Error {
  return apiError('UPSTREAM_BUSY', {
    message: `Too many calls to ${slug} are running.`,
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
  });
}
