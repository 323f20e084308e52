import type { BlockIndex } from './block-index';
import type { BlockReference } from './block-reference';
import type { ItemAnswer } from './node-request';

/** Stands for a height that a result should contain but does not. Lower than any height. */
export const NO_HEIGHT = -1;

const OPENING_BRACKET = 0x5b;
const HEIGHT_LENGTH_MAX = 100;

/**
 * Returns the height that an answer reveals. Returns `NO_HEIGHT` if a short answer about the head has none, else null.
 */
export function heightTold(
  { tells, heightIn }: BlockReference,
  { kind, bytes, start, end }: ItemAnswer,
): number | null {
  if (tells === 'nothing' || kind === 'error') return null;
  const height = heightIn(bytes, start, end);
  if (height !== null || tells === 'block' || end - start > HEIGHT_LENGTH_MAX) return height;
  return bytes[start] === OPENING_BRACKET ? null : NO_HEIGHT;
}

const LOOKED_BYTES_MAX = 65_536;
/** Matches block hashes and block numbers. In receipts and logs, either may come first. */
const PLACES = /"(blockHash|blockNumber)"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/g;
const HASH = /"hash"\s*:\s*"(0x[0-9a-fA-F]{64})"/;

export function noteToldBlocks(
  { hashName }: BlockReference,
  { bytes, start, end }: ItemAnswer,
  height: number,
  index: BlockIndex,
): void {
  if (hashName === null) return;
  const head = bytes.toString('latin1', start, Math.min(end, start + LOOKED_BYTES_MAX));
  if (hashName === 'hash') {
    const hash = HASH.exec(head)?.[1];
    if (hash !== undefined) index.noteBlock(hash.toLowerCase(), height);
    return;
  }
  notePlaces(head, index);
  if (end - start > LOOKED_BYTES_MAX)
    notePlaces(bytes.toString('latin1', Math.max(start + LOOKED_BYTES_MAX, end - LOOKED_BYTES_MAX), end), index);
}

function notePlaces(text: string, index: BlockIndex): void {
  let hash: string | null = null;
  let number: string | null = null;
  let last = '';
  for (const [, name, value = ''] of text.matchAll(PLACES)) {
    if (name === 'blockHash') hash = value;
    else number = value;
    if (hash === null || number === null) continue;
    if (hash !== last && hash.length === 66) index.noteBlock((last = hash).toLowerCase(), Number(number));
    hash = number = null;
  }
}
