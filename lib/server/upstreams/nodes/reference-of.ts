import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import type { BlockReference } from './block-reference';
import { evmReference } from './evm-references';
import { solanaReference } from './solana-references';
import { starknetReference } from './starknet-references';

const REFERENCES: Readonly<Record<ChainKind, (item: RpcRequest) => BlockReference | null>> = {
  evm: evmReference,
  solana: solanaReference,
  starknet: starknetReference,
};

/** Returns the block that a call is about; null if any node can answer. */
export function blockReferenceOf(item: RpcRequest, kind: ChainKind): BlockReference | null {
  return REFERENCES[kind](item);
}
