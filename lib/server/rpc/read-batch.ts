import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { AgreedReads } from '../upstreams/nodes/agreement/agreed-reads';
import type { Asking } from '../upstreams/nodes/asking';
import type { Backend } from '../upstreams/nodes/backend';
import { BATCH, BatchRequest, SINGLES_AT_ONCE } from '../upstreams/nodes/batch-request';
import type { ItemAnswer } from '../upstreams/nodes/node-request';
import { mayBeImmutable } from '../upstreams/nodes/immutable-answers';
import { LOGS_METHOD } from '../upstreams/nodes/log-range';
import { mapBounded } from '../upstreams/nodes/map-bounded';
import { emptyVerdict, isEmpty } from '../upstreams/nodes/node-answer';
import { errorMeaning, readRpcError } from '../upstreams/nodes/node-error';
import { SingleRequest } from '../upstreams/nodes/single-request';
import { isRangeRefusal, PART_REQUESTS_MAX } from '../upstreams/nodes/split-logs';
import { BatchHeads, type BatchReading, plainOf } from './batch-heads';

/**
 * Reads several items: first from the cache, then all others together from one upstream, then missing items one by one.
 * Repeats reads whose answers reveal an older block than an earlier answer.
 *
 * @throws UpstreamFailure unless every item has an answer
 */
export async function readBatch(
  items: readonly RpcRequest[],
  backend: Backend,
  reading: BatchReading,
): Promise<ItemAnswer[]> {
  const { agreed } = backend;
  return agreed && items.some(({ method }) => agreed.covers(method))
    ? readInRuns(items, backend, agreed, reading)
    : readTogether(items, backend, reading);
}

/**
 * Reads a batch in which several upstreams must agree on some items. Splits the batch into runs of items that need
 * agreement and runs that do not, and reads one run after another. Each run avoids older blocks than the answers before
 * it. In a run that needs agreement, `latest` means the same block for all items.
 */
async function readInRuns(
  items: readonly RpcRequest[],
  backend: Backend,
  agreed: AgreedReads,
  reading: BatchReading,
): Promise<ItemAnswer[]> {
  const { deadline, asker, record, mark, isKept = false } = reading;
  const answers: ItemAnswer[] = [];
  while (answers.length < items.length) {
    const isAgreed = agreed.covers((items[answers.length] as RpcRequest).method);
    const rest = items.slice(answers.length);
    const length = rest.findIndex(({ method }) => agreed.covers(method) !== isAgreed);
    const run = length < 0 ? rest : rest.slice(0, length);
    if (!isAgreed) answers.push(...(await readTogether(run, backend, reading)));
    else {
      const pins = agreed.pins({ mark, whenGone: asker?.whenGone, deadline });
      const asking: Asking = { whenGone: asker?.whenGone, record, mark, isKept, pins, onSent: () => asker?.onSent() };
      answers.push(...(await mapBounded(run, SINGLES_AT_ONCE, (item) => backend.read(item, asking, deadline))));
    }
  }
  return answers;
}

async function readTogether(
  items: readonly RpcRequest[],
  backend: Backend,
  reading: BatchReading,
): Promise<ItemAnswer[]> {
  const { deadline, asker, record, mark } = reading;
  const mayBeKept = items.map(mayBeImmutable);
  const answers = items.map((item, index) => (mayBeKept[index] ? backend.recall(item) : null));
  const missing = indexesOfNull(answers);
  const logs = missing.filter((index) => items[index]?.method === LOGS_METHOD);
  const open =
    logs.length === 0 ? missing : missing.filter((index) => !backend.logs.isTooWide(items[index] as RpcRequest));
  if (open.length === 1) {
    const index = open[0] as number;
    answers[index] = await backend.read(
      items[index] as RpcRequest,
      { whenGone: asker?.whenGone, record, mark },
      deadline,
    );
  } else if (open.length > 1) {
    await fetchTogether(open, items, answers, mayBeKept, backend, reading);
  }
  if (logs.length > 0) await readInParts(logs, items, answers, backend, reading);
  return answers as ItemAnswer[];
}

/** Reads log ranges in parts, because no node serves these ranges whole. All items share one limit on requests. */
async function readInParts(
  indexes: readonly number[],
  items: readonly RpcRequest[],
  answers: (ItemAnswer | null)[],
  backend: Backend,
  { deadline, record, mark, whenGone, isKept = false }: BatchReading,
): Promise<void> {
  const budget = { requestsLeft: PART_REQUESTS_MAX };
  const asking: Asking = { whenGone, record, mark, isKept };
  for (const index of indexes) {
    const item = items[index] as RpcRequest;
    const refusal = answers[index] ?? null;
    if (refusal !== null && !isRangeRefusal(refusal)) continue;
    const refused = (): Promise<ItemAnswer> =>
      refusal === null ? backend.readWhole(item, asking, deadline) : Promise.resolve(refusal);
    answers[index] = await backend.logs.inParts(item, asking, {
      deadline,
      refused,
      budget,
      ...(refusal && { refusal }),
    });
  }
}

async function fetchTogether(
  open: number[],
  items: readonly RpcRequest[],
  answers: (ItemAnswer | null)[],
  mayBeKept: readonly boolean[],
  backend: Backend,
  reading: BatchReading,
): Promise<void> {
  const { pool, network } = backend;
  const asked = open.map((index) => items[index] as RpcRequest);
  const heads = BatchHeads.of(asked, backend, reading);
  const fetched = heads
    ? await heads.fetch()
    : await pool.read(BATCH, new BatchRequest(asked, network.kind, reading.record, plainOf(asked, reading)), {
        asker: reading.asker,
        deadline: reading.deadline,
      });
  const again: number[] = [];
  fetched.forEach((answer, i) => {
    const index = open[i] as number;
    answers[index] = answer;
    if (answer === null || (mayBeBetterElsewhere(answer, items[index] as RpcRequest, backend) && pool.hasPeers))
      again.push(i);
    else if (mayBeKept[index]) backend.keep(items[index] as RpcRequest, answer);
  });
  if (again.length === 0 && !heads) return;
  await mapBounded(again, SINGLES_AT_ONCE, async (i) => {
    const index = open[i] as number;
    const item = items[index] as RpcRequest;
    const before = answers[index] ?? null;
    const demand = heads ? await heads.demandOf(i) : null;
    const verdict = before && demand ? emptyVerdict(before, demand) : 'answer';
    if (before?.kind === 'result' && verdict === 'answer') return;
    const question = new SingleRequest(item, {
      kind: network.kind,
      lastResort: verdict === 'no answer' ? null : before,
      takesNullId: false,
      demand,
      record: reading.record,
    });
    const answer = await pool.read(item.method, question, {
      asker: reading.asker,
      deadline: reading.deadline,
      demand,
      after: before?.from,
    });
    answers[index] = fetched[i] = answer;
    backend.keep(item, answer);
  });
  if (!heads) return;
  const inOrder = await heads.inOrder(fetched as ItemAnswer[]);
  inOrder.forEach((answer, i) => (answers[open[i] as number] = answer));
}

function indexesOfNull(answers: readonly unknown[]): number[] {
  const indexes: number[] = [];
  for (let i = 0; i < answers.length; i++) if (answers[i] === null) indexes.push(i);
  return indexes;
}

/**
 * Returns true if another node may have a better answer than the node that gave this one. For some errors, also pauses
 * that node or records its limits.
 */
function mayBeBetterElsewhere(answer: ItemAnswer, item: RpcRequest, { network, heads }: Backend): boolean {
  const { kind, bytes, start, end, from } = answer;
  if (kind === 'result') return isEmpty(answer) || heads?.referenceOf(item)?.isRange === true;
  const { method } = item;
  const error = readRpcError(bytes.subarray(start, end));
  const meaning = errorMeaning(error, { kind: network.kind, method, status: 200 });
  if (meaning === 'answer') return false;
  answer.meaning = meaning;
  from?.learn(
    meaning,
    { method, reference: heads?.referenceOf(item) ?? null, message: error?.message ?? '' },
    performance.now(),
  );
  return true;
}
