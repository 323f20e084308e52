import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';

export function requestText({ method, params }: RpcRequest, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

/** Ids are less than this number, so that every JSON parser keeps them exact. */
const IDS = 2 ** 31;

/** Starts at a random id, so that late answers to an earlier process do not match. */
let next = Math.floor(Math.random() * IDS);

/** Returns the first of `count` consecutive ids that no request in flight has. */
export function takeIds(count: number): number {
  if (next + count > IDS) next = 0;
  const first = next;
  next += count;
  return first;
}
