import type { BlockReference } from './block-reference';
import type { ItemAnswer } from './node-request';

/** Returned if the result should contain a height but does not. Less than any height. */
export const NO_HEIGHT = -1;

const OPENING_BRACKET = 0x5b;
const HEIGHT_LENGTH_MAX = 100;

/** Returns the height that an answer reveals; `NO_HEIGHT` if a height is missing; null if none is expected. */
export function heightTold(
  { tells, heightIn }: BlockReference,
  { kind, bytes, start, end }: ItemAnswer,
): number | null {
  if (tells === 'nothing' || kind === 'error') return null;
  const height = heightIn(bytes, start, end);
  if (height !== null || tells === 'block' || end - start > HEIGHT_LENGTH_MAX) return height;
  // A block without transactions has an empty list of receipts.
  return bytes[start] === OPENING_BRACKET ? null : NO_HEIGHT;
}
