import { apiError } from '@/lib/protocol/errors';
import type { RpcRequest, RpcRequestBody } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';
import { isAscii } from 'node:buffer';
import type { Logger } from 'pino';
import type { Call, WholeBody } from '../http/call';
import { CallAsker } from '../upstreams/nodes/asker';
import type { Asking } from '../upstreams/nodes/asking';
import type { Backend } from '../upstreams/nodes/backend';
import { HeadMark } from '../upstreams/nodes/caller-marks';
import type { ItemAnswer } from '../upstreams/nodes/node-request';
import { isUpstreamFailure } from '../upstreams/nodes/upstream-failure';
import type { RpcPrice } from './admit';
import type { BatchReading } from './batch-heads';
import { readBatch } from './read-batch';

export interface RpcOutcome {
  isError: boolean[];
  /**
   * Number of upstreams that agree, out of all asked, such as `2/3`. For a batch, the lowest such result of its items.
   * Null if only one upstream was asked.
   */
  agreement: string | null;
  body: WholeBody;
}

/**
 * Answers the items in order, under the caller's ids, with unchanged results. Each transaction is sent once. If the
 * caller disconnects before anything was sent, all items are cancelled; otherwise all are carried out. Within a batch,
 * avoids answers from older blocks than the answers before them.
 * @throws UpstreamFailure unless every item has a well-formed answer
 */
export async function forward(
  { batch, items, plain }: RpcRequestBody,
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
    : await readBatch(items, backend, { ...reading, plain, asker: asking && new CallAsker(asking.whenGone) });
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

/**
 * If the body is a text, which is a copy, frees the answers' buffers immediately. Other bodies are freed after sending.
 */
function composed(body: WholeBody, answers: readonly ItemAnswer[], backend: Backend): WholeBody {
  if (typeof body === 'string') backend.release(answers);
  return body;
}

/**
 * Answers a batch that sends transactions. Each transaction is a separate request, sent after the items before it.
 * Repeating a read therefore never repeats a transaction.
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

/** Logs an upstream's failure and returns the error for the caller. Returns other errors unchanged. */
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
    message: `The upstream node of ${network.slug} returned no usable answer: ${error.message}.`,
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

/** Answers up to this size are joined into one text. Larger answers are sent in several parts. */
const TEXT_BYTES_MAX = 65_536;
const CLOSE = Buffer.from('}');
const NAMED = { result: ',"result":', error: ',"error":' } as const;

/** Returns the node's result or well-formed error without changes, under the caller's id. */
export function composeSingle(item: RpcRequest, answer: ItemAnswer): WholeBody {
  if (answer.end - answer.start > TEXT_BYTES_MAX) {
    return [Buffer.from(head(item, answer)), answer.bytes.subarray(answer.start, answer.end), CLOSE];
  }
  const value = answer.bytes.toString('utf8', answer.start, answer.end);
  return `${head(item, answer)}${answer.kind === 'error' ? wholeError(value) : value}}`;
}

export function composeBatch(items: readonly RpcRequest[], answers: readonly ItemAnswer[]): WholeBody {
  const bytes = answers.reduce((sum, { start, end }) => sum + end - start, 0);
  return bytes <= TEXT_BYTES_MAX ? composeText(items, answers) : composeBytes(items, answers);
}

function composeText(items: readonly RpcRequest[], answers: readonly ItemAnswer[]): string {
  let text = '';
  let bytes: Buffer | null = null;
  let source: string | null = null;
  for (let i = 0; i < items.length; i++) {
    const answer = answers[i] as ItemAnswer;
    if (answer.bytes !== bytes) {
      bytes = answer.bytes;
      // In a batch, most answers share one buffer. If the buffer is ASCII, it is decoded once and then sliced.
      source = bytes.length <= TEXT_BYTES_MAX && isAscii(bytes) ? bytes.toString('latin1') : null;
    }
    const value =
      source === null
        ? answer.bytes.toString('utf8', answer.start, answer.end)
        : source.slice(answer.start, answer.end);
    text +=
      (i === 0 ? '[{"jsonrpc":"2.0","id":' : '},{"jsonrpc":"2.0","id":') +
      (items[i] as RpcRequest).id +
      NAMED[answer.kind] +
      (answer.kind === 'error' ? wholeError(value) : value);
  }
  return `${text}}]`;
}

function composeBytes(items: readonly RpcRequest[], answers: readonly ItemAnswer[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  answers.forEach((answer, index) => {
    const { kind, bytes, start, end } = answer;
    parts.push(
      Buffer.from((index === 0 ? '[' : ',') + head(items[index] as RpcRequest, answer)),
      kind === 'error' && end - start <= TEXT_BYTES_MAX
        ? Buffer.from(wholeError(bytes.toString('utf8', start, end)))
        : bytes.subarray(start, end),
      CLOSE,
    );
  });
  parts.push(Buffer.from(']'));
  return parts;
}

function head(item: RpcRequest, answer: ItemAnswer): string {
  return `{"jsonrpc":"2.0","id":${item.id}${NAMED[answer.kind]}`;
}

const INTERNAL_ERROR = -32603;

/** Adds a missing integer code or message to a node's error, and puts the original error into `data`. */
function wholeError(text: string): string {
  let error: { code?: unknown; message?: unknown };
  try {
    error = JSON.parse(text) as typeof error;
  } catch {
    // The text may be invalid JSON, because answers over 64 KiB are not parsed when they arrive.
    return text;
  }
  const { code, message } = error;
  if (Number.isInteger(code) && typeof message === 'string') return text;
  const shown = JSON.stringify({
    code: Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'The node returned an error without a message.',
  });
  return `${shown.slice(0, -1)},"data":${text}}`;
}
