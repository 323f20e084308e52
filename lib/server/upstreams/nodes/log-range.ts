import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { heightOf } from './head-height';

export const LOGS_METHOD = 'eth_getLogs';

const PARAMS_LENGTH_MAX = 262_144;

export type RangeEnd = number | 'latest' | 'safe' | 'finalized';

export interface LogRange {
  from: RangeEnd;
  to: RangeEnd;
  filter: Readonly<Record<string, unknown>>;
}

export interface BlockSpan {
  from: number;
  to: number;
}

export function blocksOf({ from, to }: BlockSpan): number {
  return to - from + 1;
}

/**
 * Returns the block range of a call; null if the range cannot be split, for example if it contains a block hash or
 * `pending`.
 */
export function logRangeOf({ method, params, paramsByName }: RpcRequest): LogRange | null {
  if (method !== LOGS_METHOD || paramsByName || params.length > PARAMS_LENGTH_MAX) return null;
  const asked = JSON.parse(params) as unknown[];
  const filter = asked[0];
  if (asked.length !== 1 || typeof filter !== 'object' || filter === null || Array.isArray(filter)) return null;
  const { fromBlock = null, toBlock = null, blockHash = null } = filter as Record<string, unknown>;
  const from = endOf(fromBlock);
  const to = endOf(toBlock ?? 'latest');
  // A range whose start is the head cannot be split.
  if (blockHash !== null || from === null || from === 'latest' || to === null) return null;
  if (typeof from === 'number' && typeof to === 'number' && from >= to) return null;
  return { from, to, filter: filter as LogRange['filter'] };
}

function endOf(block: unknown): RangeEnd | null {
  if (block === 'latest' || block === 'safe' || block === 'finalized') return block;
  return block === 'earliest' ? 0 : typeof block === 'string' ? heightOf(block) : null;
}

export function partOf(item: RpcRequest, { filter }: LogRange, { from, to }: BlockSpan): RpcRequest {
  return { ...item, params: JSON.stringify([{ ...filter, fromBlock: hex(from), toBlock: hex(to) }]) };
}

export function hex(height: number): string {
  return `0x${height.toString(16)}`;
}

const SUGGESTED = /\[?\b(0x[0-9a-f]{1,13}|\d{1,15})\s*(?:,|-|to|\.\.)\s*(0x[0-9a-f]{1,13}|\d{1,15})\b\]?/gi;

/**
 * Returns the end of the range that an error suggests ("Try with this block range [0x1, 0x2]"). Returns null unless the
 * suggested range has the same start as the refused range.
 */
export function suggestedEnd(errorText: string, { from, to }: BlockSpan): number | null {
  for (const [, low, high] of errorText.matchAll(SUGGESTED)) {
    const end = Number(high);
    if (Number(low) === from && end >= from && end < to) return end;
  }
  return null;
}
