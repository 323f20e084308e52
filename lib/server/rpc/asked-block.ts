import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import type { AskedBlock } from '@/lib/protocol/receipts/receipt';
import { blockReferenceOf } from '../upstreams/nodes/chain-references';

const TAG = /"(latest|pending|safe|finalized|pre_confirmed|l1_accepted|processed|confirmed)"/;

/**
 * Returns the block that a request's params specify, for its receipt; null if they specify none. For a range, returns
 * the last block.
 */
export function askedBlock(item: RpcRequest, kind: ChainKind): AskedBlock | null {
  const reference = blockReferenceOf(item, kind);
  if (reference === null) return null;
  const { at, height, id } = reference;
  if (at === 'number')
    return height === null ? null : { number: kind === 'evm' ? `0x${height.toString(16)}` : `${height}` };
  if (at === 'hash') return id === null ? null : { hash: id };
  const tag = at === 'head' ? TAG.exec(item.params)?.[1] : undefined;
  return tag === undefined ? null : { tag };
}
