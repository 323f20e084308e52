/** What keeps the store from being used: no room to write, or no answer at all. */
export type StoreTrouble = 'full' | 'away';

/** How the store is, for probes and for whoever takes paid work. */
export interface StoreStatus {
  /** As current as the last write or look; null while nothing is known to be wrong. */
  readonly trouble: StoreTrouble | null;
  /** Unix milliseconds since when, null while nothing is wrong. */
  readonly since: number | null;
  /**
   * Asks the store now, for a second at most, however it hangs; whoever asks meanwhile shares the answer.
   * @returns what is wrong. Never throws.
   */
  check(): Promise<StoreTrouble | null>;
}

/** Guards the writes of a store whose disk may be full. */
export interface WriteGuard {
  /** @throws ApiError STORE_FULL while nothing can be written. */
  assertWritable(): void;
  /** Hears of a write that failed. @returns the error for who waits: STORE_FULL where it was for want of room, else the same. */
  failed(error: Error): Error;
}

/** No guard: of commands, and of tests that look at something else. */
export const UNGUARDED: WriteGuard = { assertWritable: () => undefined, failed: (error) => error };
