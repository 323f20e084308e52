import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { Network } from '@/lib/protocol/networks';
import type { Backend } from '../upstreams/nodes/backend';
import { BATCH, BatchRequest, SINGLES_AT_ONCE } from '../upstreams/nodes/batch-request';
import type { ItemAnswer } from '../upstreams/nodes/node-request';
import { mapBounded } from '../upstreams/nodes/map-bounded';
import { errorMeaning, readRpcError } from '../upstreams/nodes/node-error';
import { SingleRequest } from '../upstreams/nodes/single-request';
import { BatchHeads } from './batch-heads';
import type { BatchReading } from './batch-reading';

/**
 * Reads several items: the ones kept from the cache, the rest together from one upstream, and what is missing then
 * once more, one by one. No answer is of an older block than one before it, as far as answers say of which they are.
 * @throws UpstreamFailure unless there is an answer to every item.
 */
export async function readBatch(items: readonly RpcRequest[], backend: Backend, reading: BatchReading): Promise<ItemAnswer[]> {
  const { deadline, asker, record, mark } = reading;
  const answers: (ItemAnswer | null)[] = items.map((item) => backend.recall(item));
  const open = indexesOfNull(answers);
  if (open.length === 1) {
    const index = open[0] as number;
    answers[index] = await backend.read(items[index] as RpcRequest, { whenGone: asker?.whenGone, record, mark }, deadline);
  } else if (open.length > 1) {
    await fetchTogether(open, items, answers, backend, reading);
  }
  return answers as ItemAnswer[];
}

async function fetchTogether(open: number[], items: readonly RpcRequest[], answers: (ItemAnswer | null)[], backend: Backend, reading: BatchReading): Promise<void> {
  const { pool, network } = backend;
  const asked = open.map((index) => items[index] as RpcRequest);
  const heads = BatchHeads.of(asked, backend, reading);
  const fetched = heads ? await heads.fetch() : await pool.read(BATCH, new BatchRequest(asked, network.kind, reading.record), { asker: reading.asker, deadline: reading.deadline });
  const again: number[] = [];
  fetched.forEach((answer, i) => {
    const index = open[i] as number;
    answers[index] = answer;
    if (answer === null || (pool.hasPeers && mayBeBetterElsewhere(answer, items[index] as RpcRequest, network))) again.push(i);
    else backend.keep(items[index] as RpcRequest, answer);
  });
  await mapBounded(again, SINGLES_AT_ONCE, async (i) => {
    const index = open[i] as number;
    const item = items[index] as RpcRequest;
    const floor = heads ? await heads.floorOf(i) : null;
    const before = answers[index] ?? null;
    const question = new SingleRequest(item, { kind: network.kind, lastResort: before, takesNullId: false, record: reading.record });
    const answer = await pool.read(item.method, question, { asker: reading.asker, deadline: reading.deadline, floor, after: before?.from });
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

/** Whether an answer is an error by which the node says that it cannot serve; the node is treated by it. */
function mayBeBetterElsewhere({ kind, bytes, start, end, from }: ItemAnswer, { method }: RpcRequest, network: Network): boolean {
  if (kind !== 'error') return false;
  const meaning = errorMeaning(readRpcError(bytes.subarray(start, end)), { kind: network.kind, method, status: 200 });
  if (meaning === 'answer') return false;
  from?.learn(meaning, performance.now());
  return true;
}
