import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';

export function requestText({ method, params }: RpcRequest, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

/** Returns the text of a batch. Its items get consecutive ids. */
export function batchText(items: readonly RpcRequest[], firstId: number): string {
  let text = '';
  let last: string | null = null;
  let named = '';
  for (let i = 0; i < items.length; i++) {
    const { method, params } = items[i] as RpcRequest;
    // Builds the text around a repeated method only once, because joining fewer strings is faster.
    if (method !== last) named = `,"method":"${(last = method)}","params":`;
    text += (i === 0 ? '[{"jsonrpc":"2.0","id":' : '},{"jsonrpc":"2.0","id":') + (firstId + i) + named + params;
  }
  return `${text}}]`;
}

/** Upper limit of ids. All JSON parsers keep ids below it exact. */
const IDS = 2 ** 31;

/** The first id is random, so that a late answer to an earlier process does not match a request from this process. */
let next = Math.floor(Math.random() * IDS);

/** Returns the first of `count` consecutive ids that no unanswered request has. */
export function takeIds(count: number): number {
  if (next + count > IDS) next = 0;
  const first = next;
  next += count;
  return first;
}
