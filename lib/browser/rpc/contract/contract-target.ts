import type { RequestCall } from '../request-text';

/** Returns contract and data of an `eth_call`; null for any other call. */
export function contractCallOf({
  method,
  params,
}: Pick<RequestCall, 'method' | 'params'>): { to: string; data: string } | null {
  const transaction = params[0];
  if (method !== 'eth_call' || transaction?.kind !== 'object') return null;
  const textOf = (name: string) => {
    const node = transaction.members.findLast(([key]) => key === name)?.[1];
    return node?.kind === 'string' ? node.value : null;
  };
  const to = textOf('to');
  const data = textOf('input') ?? textOf('data');
  return to === null || data === null ? null : { to, data };
}
