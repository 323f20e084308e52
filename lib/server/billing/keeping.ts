import type { IdempotencyConfig } from '../config/idempotency';

/** The answer to keep under an idempotency key. `too-large`: it is larger than any that is kept. */
export type ReplayBody = Uint8Array | 'too-large';

/** As cheap as the note that stands for an answer that is not kept: such answers are always kept. */
export const SMALL_ANSWER_BYTES = 1_024;
/** Of what is left of the whole, one caller gets so small a part that nobody can leave nothing for the others. */
const PART_OF_FREE = 8;

/** How many bytes of answers one caller may have kept. @param totalBytes that all callers have kept now. */
export function callerAllowance({ callerBytesMax, totalBytesMax }: IdempotencyConfig, totalBytes: number): number {
  return Math.min(callerBytesMax, Math.floor(Math.max(0, totalBytesMax - totalBytes) / PART_OF_FREE));
}

/** Whether an answer is kept whatever else is: only its key counts. */
export function isSmall(body: Uint8Array): boolean {
  return body.byteLength <= SMALL_ANSWER_BYTES;
}
