import type { ChainKind } from '@/lib/protocol/networks';

/**
 * Commitment of a head, as a number. On Solana, 0, 1 and 2 mean `finalized`, `confirmed` and `processed`. On EVM
 * chains, they mean `latest`, `safe` and `finalized`. Starknet has only 0.
 */
export type HeadCommitment = 0 | 1 | 2;

export const HEAD_COMMITMENTS: readonly HeadCommitment[] = [0, 1, 2];

const COMMITMENTS: Readonly<Record<HeadCommitment, string>> = { 0: 'finalized', 1: 'confirmed', 2: 'processed' };

export function checkedCommitment(kind: ChainKind): HeadCommitment {
  return kind === 'solana' ? 1 : 0;
}

/** Returns the request that asks a node for its height. A height is a block number, or a slot on Solana. */
export function headRequest(kind: ChainKind, commitment: HeadCommitment): { method: string; params: string } {
  switch (kind) {
    case 'evm':
      return commitment === 0
        ? { method: 'eth_blockNumber', params: '[]' }
        : { method: 'eth_getBlockByNumber', params: `["${commitment === SAFE ? 'safe' : 'finalized'}",false]` };
    case 'solana':
      return { method: 'getSlot', params: `[{"commitment":"${COMMITMENTS[commitment]}"}]` };
    case 'starknet':
      return { method: 'starknet_blockNumber', params: '[]' };
  }
}

const SAFE: HeadCommitment = 1;
const FINALIZED: HeadCommitment = 2;

/** Returns the commitment of an EVM block tag; null for any other value. */
export function taggedCommitment(tag: unknown): HeadCommitment | null {
  if (tag === 'latest') return 0;
  return tag === 'safe' ? SAFE : tag === 'finalized' ? FINALIZED : null;
}

/** Returns the height in the result of a `headRequest`; null if none. */
export function heightIn(result: unknown): number | null {
  return heightOf(typeof result === 'object' && result !== null ? (result as { number?: unknown }).number : result);
}

export function commitmentOf(params: string): HeadCommitment {
  if (params.includes('"processed"')) return 2;
  return params.includes('"confirmed"') ? 1 : 0;
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/** Parses a number or a hex quantity; null for any other value, and for 2^53 and more. */
export function heightOf(value: unknown): number | null {
  const height = typeof value === 'string' && QUANTITY.test(value) ? Number(value) : value;
  return typeof height === 'number' && Number.isSafeInteger(height) && height >= 0 ? height : null;
}
