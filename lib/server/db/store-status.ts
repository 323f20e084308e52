/** Reason why the store cannot be used: no room to write, or no answer. */
export type StoreTrouble = 'full' | 'away';

export interface StoreStatus {
  /** Problem found by the last write or check; null if none. */
  readonly trouble: StoreTrouble | null;
  /** Start of the problem in Unix milliseconds; null if none. */
  readonly since: number | null;
  /**
   * Checks the store now, for at most a second. Concurrent callers share the check. Never throws.
   * @returns the problem
   */
  check(): Promise<StoreTrouble | null>;
}

export interface WriteGuard {
  /** @throws ApiError STORE_FULL if nothing can be written */
  assertWritable(): void;
  /** Records a failed write. @returns STORE_FULL for lack of room, else the same error */
  failed(error: Error): Error;
}

/** Allows everything, for commands and unrelated tests. */
export const UNGUARDED: WriteGuard = { assertWritable: () => undefined, failed: (error) => error };
