import { type HeadCommitment, heightOf } from './head-height';

/** Finds a height in a result; null if the bytes contain none. */
export type HeightFinder = (bytes: Buffer, start: number, end: number) => number | null;

const LOOKED_BYTES_MAX = 65_536;
const HEIGHT_LENGTH_MAX = 100;
const CONTEXT_LENGTH_MAX = 256;

export const NO_HEIGHT_FINDER: HeightFinder = () => null;

export const wholeHeight: HeightFinder = (bytes, start, end) =>
  end - start > HEIGHT_LENGTH_MAX ? null : heightOfText(bytes.toString('latin1', start, end));

/**
 * Finds the first member with this name at any depth. Text inside a string cannot match, because quotes inside a string
 * are escaped.
 */
export function memberHeight(name: string): HeightFinder {
  const needle = Buffer.from(`"${name}"`);
  return (bytes, start, end) => {
    const looked = bytes.subarray(start, Math.min(end, start + LOOKED_BYTES_MAX));
    return heightAfter(looked, looked.indexOf(needle), needle.length);
  };
}

/** Finds the last member with this name. In a list of logs, that member belongs to the newest log. */
export function lastMemberHeight(name: string): HeightFinder {
  const needle = Buffer.from(`"${name}"`);
  return (bytes, start, end) => {
    const looked = bytes.subarray(Math.max(start, end - LOOKED_BYTES_MAX), end);
    return heightAfter(looked, looked.lastIndexOf(needle), needle.length);
  };
}

function heightAfter(looked: Buffer, at: number, length: number): number | null {
  if (at < 0) return null;
  const after = at + length;
  const [, text] =
    /^\s*:\s*("0x[0-9a-fA-F]{1,64}"|\d{1,16})\s*[,}]/.exec(
      looked.toString('latin1', after, after + HEIGHT_LENGTH_MAX),
    ) ?? [];
  return text === undefined ? null : heightOfText(text);
}

export const contextSlot: HeightFinder = (bytes, start, end) => {
  const [, slot] =
    /^\s*\{\s*"context"\s*:\s*\{[^{}]*?"slot"\s*:\s*(\d{1,16})\s*[,}]/.exec(
      bytes.toString('latin1', start, Math.min(end, start + CONTEXT_LENGTH_MAX)),
    ) ?? [];
  return slot === undefined ? null : heightOfText(slot);
};

function heightOfText(text: string): number | null {
  return heightOf(text.startsWith('"') ? text.slice(1, -1) : /^\d{1,16}$/.test(text) ? Number(text) : null);
}

/** Kinds of chain data. Nodes store some kinds longer than others. */
export const CHAIN_DATA = ['state', 'history', 'trace'] as const;
export type ChainData = (typeof CHAIN_DATA)[number];

export interface BlockReference {
  /**
   * What the call refers to: the head (`latest`), a block number (also as the end of a range), a block hash, or a
   * transaction.
   */
  readonly at: 'head' | 'number' | 'hash' | 'transaction';
  readonly commitment: HeadCommitment;
  /** Requested block number, or the `minContextSlot` with which a Solana call reads the head; null if none. */
  readonly height: number | null;
  /** Block hash or transaction id, in the form that `BlockIndex` uses; null if none. */
  readonly id: string | null;
  readonly moreIds: readonly string[];
  /** Address whose pending state is read, in lower case; null if none. */
  readonly sender: string | null;
  /** Number of blocks in a range; null unless both ends of the range are numbers. */
  readonly span: number | null;
  /** True if the call lists data of several blocks. A lagging node may return an incomplete list. */
  readonly isRange: boolean;
  readonly data: ChainData;
  /**
   * What the answer reveals. `head`: the node's height, so outdated answers can be recognized. `block`: only that this
   * block exists. `nothing`: no block, for example if the answer is a balance.
   */
  readonly tells: 'head' | 'block' | 'nothing';
  readonly heightIn: HeightFinder;
  /** Name of the answer's member that contains the block hash; null if none. */
  readonly hashName: 'hash' | 'blockHash' | null;
}

/** Reference for reads of the head whose answers reveal no block. */
export const HEAD_STATE: BlockReference = {
  at: 'head',
  commitment: 0,
  height: null,
  id: null,
  moreIds: [],
  sender: null,
  span: null,
  isRange: false,
  data: 'state',
  tells: 'nothing',
  heightIn: NO_HEIGHT_FINDER,
  hashName: null,
};
