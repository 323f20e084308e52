import { isRecord } from '@/lib/protocol/json-record';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import type { WhenGone } from '../../../http/call';
import { askNode } from '../ask-node';
import type { HeadMark } from '../caller-marks';
import { evmPosition } from '../evm-references';
import { heightOf } from '../head-height';
import { pause, untilCancelled, UpstreamFailure } from '../upstream-failure';
import type { UpstreamNode } from '../upstream-node';

/** Block tags. Each is replaced by a block number, so that all nodes are asked about the same block. */
export type BlockTag = 'latest' | 'safe' | 'finalized';

const TAG_TIMEOUT_MS = 2_000;
const REACHED_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 100;

export interface PinOptions {
  agreeing: number;
  /** Newest head that the caller has seen; undefined for the gateway's own calls. */
  mark: HeadMark | undefined;
  whenGone: WhenGone | undefined;
  deadline: number;
}

/**
 * Finds the block number for each block tag once per call, so that `latest` is the same block for all items of a batch.
 * `latest` is the newest block that enough nodes have, so no single node can choose it.
 */
export class BlockPins {
  readonly #heights = new Map<BlockTag, Promise<number>>();

  constructor(
    private readonly nodes: readonly UpstreamNode[],
    private readonly options: PinOptions,
  ) {}

  /** @throws UpstreamFailure if too few nodes report their height in time */
  heightOf(tag: BlockTag): Promise<number> {
    let height = this.#heights.get(tag);
    if (!height) this.#heights.set(tag, (height = tag === 'latest' ? this.#latest() : this.#tagged(tag)));
    return height;
  }

  nodesAt(height: number): number {
    return this.nodes.filter(({ heads }) => heads !== null && heads.heightOf(0) >= height).length;
  }

  async #latest(): Promise<number> {
    const { mark, whenGone } = this.options;
    const until = Math.min(this.options.deadline, performance.now() + REACHED_WITHIN_MS);
    for (;;) {
      await this.#enough(async ({ heads }) => {
        await heads?.look(0);
        return heads?.freshHeightOf(0, performance.now()) ?? null;
      });
      const now = performance.now();
      const height = this.#shared(
        this.nodes.map(({ heads, health }) => (health.servesChain ? (heads?.freshHeightOf(0, now) ?? null) : null)),
      );
      const wanted = mark?.heightAt(0, now) ?? 0;
      if (height >= wanted || now >= until) {
        // The caller sees this height, so later answers must not be about an older block.
        mark?.rise(0, height, now);
        return height;
      }
      await pause(LOOK_EVERY_MS, whenGone);
    }
  }

  async #tagged(tag: BlockTag): Promise<number> {
    const heights: (number | null)[] = [];
    await this.#enough(async ({ upstream }) => {
      const block = await askNode(
        upstream,
        { method: 'eth_getBlockByNumber', params: `["${tag}",false]` },
        TAG_TIMEOUT_MS,
      );
      const height =
        typeof block === 'object' && block !== null ? heightOf((block as { number?: unknown }).number) : null;
      heights.push(height);
      return height;
    });
    return this.#shared(heights);
  }

  async #enough(ask: (node: UpstreamNode) => Promise<number | null>): Promise<void> {
    const { agreeing, whenGone, deadline } = this.options;
    const asked = this.nodes.filter((node) => node.health.servesChain && node.isConnectable(performance.now()));
    let told = 0;
    let ended = 0;
    const event = new Promise<void>((resolve) => {
      if (asked.length === 0) resolve();
      for (const node of asked) {
        void ask(node)
          .catch(() => null)
          .then((height) => {
            ended++;
            if (height !== null) told++;
            if (told >= agreeing || ended === asked.length) resolve();
          });
      }
    });
    await untilCancelled(event, whenGone && { whenGone, onSent: () => undefined }, deadline);
  }

  #shared(heights: readonly (number | null)[]): number {
    const { agreeing } = this.options;
    const known = heights.filter((height) => height !== null).sort((a, b) => b - a);
    const height = known[agreeing - 1];
    if (height === undefined)
      throw new UpstreamFailure(
        'unavailable',
        `${agreeing} upstreams must agree, but only ${known.length} of ${this.nodes.length} reported their newest block`,
      );
    return height;
  }
}

const HEAD_METHODS: ReadonlySet<string> = new Set(['eth_blockNumber', 'starknet_blockNumber']);
const TAGS: ReadonlySet<unknown> = new Set<BlockTag>(['latest', 'safe', 'finalized']);

/** Returns whether a method only reads the height of the head. */
export function asksForHead(method: string): boolean {
  return HEAD_METHODS.has(method);
}

/**
 * Replaces each block tag in a read by a number, so that all nodes answer about the same block. Keeps `pending`,
 * because a pending block has no number. Does not change Solana's reads, because they cannot specify a slot.
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
  // Without `fromBlock`, a trace filter starts at the first block.
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

/** Replaces `latest` in Starknet's parameters, at any position of an array or in `block_id`. */
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

/**
 * Returns the items of a JSON array as text, because parsing would change large integers; null if the text is not an
 * array.
 */
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
