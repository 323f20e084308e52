import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';

/** One item as it is sent upstream. */
export function requestText({ method, params }: RpcRequest, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

/** Ids stay in this range, so that every JSON reader keeps them exact. */
const IDS = 2 ** 31;

/** Starts anywhere, so that an answer left over from an earlier process is not taken for one of this. */
let next = Math.floor(Math.random() * IDS);

/** The first of `count` ids in a row that no other request in flight has: answers to others are told by them. */
export function takeIds(count: number): number {
  if (next + count > IDS) next = 0;
  const first = next;
  next += count;
  return first;
}
