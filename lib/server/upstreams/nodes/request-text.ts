import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';

export function requestText({ method, params }: RpcRequest, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

/** Returns the text of a batch, whose items get consecutive ids. */
export function batchText(items: readonly RpcRequest[], firstId: number): string {
  let text = '';
  let last: string | null = null;
  let named = '';
  for (let i = 0; i < items.length; i++) {
    const { method, params } = items[i] as RpcRequest;
    // Batches often repeat one method. Joining few long strings is faster than joining many short ones.
    if (method !== last) named = `,"method":"${(last = method)}","params":`;
    text += (i === 0 ? '[{"jsonrpc":"2.0","id":' : '},{"jsonrpc":"2.0","id":') + (firstId + i) + named + params;
  }
  return `${text}}]`;
}

/** Ids are below this number, so that every JSON parser keeps them exact. */
const IDS = 2 ** 31;

/** Starts at a random id, so that a late answer to an earlier process's request does not match. */
let next = Math.floor(Math.random() * IDS);

/** Returns the first of `count` consecutive ids that no request in flight has. */
export function takeIds(count: number): number {
  if (next + count > IDS) next = 0;
  const first = next;
  next += count;
  return first;
}
