import { isRecord } from '@/lib/protocol/json-record';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import { evmPosition } from '../evm-references';
import type { BlockPins, BlockTag } from './block-pins';

const HEAD_METHODS: ReadonlySet<string> = new Set(['eth_blockNumber', 'starknet_blockNumber']);
const TAGS: ReadonlySet<unknown> = new Set<BlockTag>(['latest', 'safe', 'finalized']);

/** Returns whether a method reads only the height of the head. */
export function asksForHead(method: string): boolean {
  return HEAD_METHODS.has(method);
}

/**
 * Replaces each block tag of a read by a number, so that all nodes answer about the same block. Leaves `pending`
 * unchanged, because a pending block has no number. Leaves Solana's reads unchanged, because they cannot name a slot.
 */
export async function pinnedItem(item: RpcRequest, kind: ChainKind, pins: BlockPins): Promise<RpcRequest> {
  if (kind === 'solana' || asksForHead(item.method)) return item;
  const params = kind === 'evm' ? await evmParams(item, pins) : await starknetParams(item.params, pins);
  return params === item.params ? item : { ...item, params };
}

async function evmParams({ method, params }: RpcRequest, pins: BlockPins): Promise<string> {
  const items = itemsOf(params);
  if (items === null) return params;
  const position = evmPosition(method);
  if (position === null)
    return joined(
      await Promise.all(items.map(async (text) => (isTag(text) ? hex(await pins.heightOf(tagOf(text))) : text))),
      items,
      params,
    );
  const { form, index } = position;
  const text = items[index];
  if (form === 'filter' && text !== undefined)
    return joined(items.with(index, await filter(method, text, pins)), items, params);
  if (form !== 'block') return params;
  // An omitted or null block means `latest`.
  if (text === undefined ? items.length < index : !isTag(text) && text !== 'null')
    return text !== undefined ? joined(items.with(index, await blockObject(text, pins)), items, params) : params;
  const pinned = [...items];
  pinned[index] = hex(await pins.heightOf(text === undefined || text === 'null' ? 'latest' : tagOf(text)));
  return joined(pinned, items, params);
}

async function filter(method: string, text: string, pins: BlockPins): Promise<string> {
  const asked = JSON.parse(text) as unknown;
  if (!isRecord(asked) || asked.blockHash !== undefined) return text;
  const { fromBlock = null, toBlock = null } = asked;
  const pin = async (block: unknown): Promise<unknown> =>
    TAGS.has(block) ? JSON.parse(hex(await pins.heightOf(block as BlockTag))) : block;
  // A trace filter without `fromBlock` starts at the first block.
  const from = await pin(fromBlock ?? (method === 'eth_getLogs' ? 'latest' : null));
  return JSON.stringify({
    ...asked,
    ...(from !== null && { fromBlock: from }),
    toBlock: await pin(toBlock ?? 'latest'),
  });
}

async function blockObject(text: string, pins: BlockPins): Promise<string> {
  if (!text.startsWith('{') || !text.includes('"blockNumber"')) return text;
  const { blockNumber } = JSON.parse(text) as { blockNumber?: unknown };
  return TAGS.has(blockNumber) ? hex(await pins.heightOf(blockNumber as BlockTag)) : text;
}

/** Pins `latest` in Starknet's parameters: at any position of an array, or as `block_id`. */
async function starknetParams(params: string, pins: BlockPins): Promise<string> {
  if (!params.includes('"latest"')) return params;
  const asked = JSON.parse(params) as unknown;
  const pin = async (value: unknown): Promise<unknown> =>
    value === 'latest' ? { block_number: await pins.heightOf('latest') } : value;
  if (Array.isArray(asked)) return JSON.stringify(await Promise.all(asked.map(pin)));
  if (!isRecord(asked)) return params;
  return JSON.stringify({ ...asked, block_id: await pin(asked.block_id) });
}

function hex(height: number): string {
  return `"0x${height.toString(16)}"`;
}

function isTag(text: string): boolean {
  return TAGS.has(text.slice(1, -1)) && text.startsWith('"');
}

function tagOf(text: string): BlockTag {
  return text.slice(1, -1) as BlockTag;
}

function joined(pinned: readonly string[], items: readonly string[], params: string): string {
  return pinned.length === items.length && pinned.every((text, i) => text === items[i])
    ? params
    : `[${pinned.join(',')}]`;
}

/** Returns a JSON array's items unparsed, since parsing would change large integers; null if not an array. */
function itemsOf(params: string): string[] | null {
  const text = params.trim();
  if (!text.startsWith('[')) return null;
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (char === '[' || char === '{') depth++;
    else if ((char === ']' || char === '}') && --depth > 0) continue;
    else if (depth === 0 || (depth === 1 && char === ',')) {
      const item = text.slice(start, at).trim();
      if (item !== '' || items.length > 0) items.push(item);
      start = at + 1;
    }
  }
  return items;
}
