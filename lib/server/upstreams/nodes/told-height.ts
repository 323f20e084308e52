import type { BlockReference } from './block-reference';
import type { ItemAnswer } from './node-request';

/** Height of a result that should tell one and tells none, as `null` does: older than everything. */
export const NO_HEIGHT = -1;

const OPENING_BRACKET = 0x5b;
/** A height with what surrounds it. */
const HEIGHT_LENGTH_MAX = 100;

/**
 * The height that an answer tells: `NO_HEIGHT` where it should tell one and holds nothing else either; null where none
 * is to be expected of it.
 */
export function heightTold(
  { tells, heightIn }: BlockReference,
  { kind, bytes, start, end }: ItemAnswer,
): number | null {
  if (tells === 'nothing' || kind === 'error') return null;
  const height = heightIn(bytes, start, end);
  if (height !== null || tells === 'block' || end - start > HEIGHT_LENGTH_MAX) return height;
  // A block without transactions has no receipts.
  return bytes[start] === OPENING_BRACKET ? null : NO_HEIGHT;
}
