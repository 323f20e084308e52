import type { IdempotencyConfig } from '../config/idempotency';

/** Answer to store under an idempotency key; `too-large` if it exceeds the size limit of an answer. */
export type ReplayBody = Uint8Array | 'too-large';

/** Answers up to this size are always stored, because they take almost no room. */
export const SMALL_ANSWER_BYTES = 1_024;
/** One caller may use at most an eighth of the unused bytes. */
const PART_OF_FREE = 8;

/** Returns how many bytes of answers one caller may store. @param totalBytes bytes stored for all callers */
export function callerAllowance({ callerBytesMax, totalBytesMax }: IdempotencyConfig, totalBytes: number): number {
  return Math.min(callerBytesMax, Math.floor(Math.max(0, totalBytesMax - totalBytes) / PART_OF_FREE));
}

export function isSmall(body: Uint8Array): boolean {
  return body.byteLength <= SMALL_ANSWER_BYTES;
}
