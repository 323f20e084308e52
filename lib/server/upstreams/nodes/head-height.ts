import type { ChainKind } from '@/lib/protocol/networks';

/**
 * Which head of a chain is meant. Solana has one for each commitment, in the order in which blocks reach them; EVM chains
 * have `latest`, `safe` and `finalized`; others have the first alone.
 */
export type HeadCommitment = 0 | 1 | 2;

export const HEAD_COMMITMENTS: readonly HeadCommitment[] = [0, 1, 2];

const COMMITMENTS: Readonly<Record<HeadCommitment, string>> = { 0: 'finalized', 1: 'confirmed', 2: 'processed' };

/** The head that health checks ask for. */
export function checkedCommitment(kind: ChainKind): HeadCommitment {
  return kind === 'solana' ? 1 : 0;
}

/** Asks a node for the height of one of its heads: a block, on Solana a slot. */
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

/** The head that a tag of EVM names; null for none. */
export function taggedCommitment(tag: unknown): HeadCommitment | null {
  if (tag === 'latest') return 0;
  return tag === 'safe' ? SAFE : tag === 'finalized' ? FINALIZED : null;
}

/** The height in the result of a `headRequest`; null where it says none. */
export function heightIn(result: unknown): number | null {
  return heightOf(typeof result === 'object' && result !== null ? (result as { number?: unknown }).number : result);
}

/** The head that params of Solana ask for: `finalized` where they name no commitment. */
export function commitmentOf(params: string): HeadCommitment {
  if (params.includes('"processed"')) return 2;
  return params.includes('"confirmed"') ? 1 : 0;
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * The height that a value of an answer says: a number, or a quantity in hex.
 * @returns null for everything else: negative, broken, absent, or too large to be a height (2^53 and more).
 */
export function heightOf(value: unknown): number | null {
  const height = typeof value === 'string' && QUANTITY.test(value) ? Number(value) : value;
  return typeof height === 'number' && Number.isSafeInteger(height) && height >= 0 ? height : null;
}
