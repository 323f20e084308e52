import { CallerLines, type LineOwner } from './caller-lines';

/**
 * Number of slots that a caller may take for each slot that is free. With at least four slots, a single caller thus
 * gets about three quarters, and another caller finds one free.
 */
const TAKEN_PER_FREE = 3;
/** Maximum waiting requests for each slot. */
export const WAITING_PER_SLOT = 8;
const NEWEST_SHARE = 1 / 8;
const RETRY_AFTER_MS = { min: 1_000, max: 60_000 };

/**
 * Slots for the requests that an upstream runs concurrently. With four or more slots, no caller can take all of them.
 * Waiting requests take turns by caller. A request that would wait too long is refused immediately, with a retry delay.
 */
export class FairSlots<Item> {
  #taken = 0;
  readonly #waiting: CallerLines<Item>;
  readonly #averageMs = new Map<LineOwner, number>();

  /** @param running returns each caller's number of taken slots; called only if many slots are taken, to save time */
  constructor(
    private readonly slots: number,
    queueMax: number,
    private readonly running: () => Map<LineOwner, number>,
  ) {
    this.#waiting = new CallerLines(queueMax);
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    return this.#taken >= this.slots && this.#waiting.isFull;
  }

  /** Returns whether a caller's request need not wait. */
  hasRoomFor(caller: LineOwner): boolean {
    return (this.#waiting.length === 0 || this.#waiting.lengthOf(caller) === 0) && this.#mayTake(caller);
  }

  /** Takes a slot, unless the request has to wait. */
  take(caller: LineOwner): boolean {
    if (!this.hasRoomFor(caller)) return false;
    this.#taken++;
    return true;
  }

  /**
   * Frees a slot.
   * @param startedAt start of the request by `performance.now()`; null to leave its duration out of the average
   */
  free(caller: LineOwner, startedAt: number | null): void {
    this.#taken--;
    if (this.#waiting.length === 0) return;
    this.#forgetUnlessWaiting(caller);
    if (startedAt !== null && this.#waiting.lengthOf(caller) > 0) {
      const tookMs = performance.now() - startedAt;
      const averageMs = this.#averageMs.get(caller) ?? tookMs;
      this.#averageMs.set(caller, averageMs + (tookMs - averageMs) * NEWEST_SHARE);
    }
  }

  /**
   * Queues an item until its caller's turn. The gateway's own items are never refused.
   * @returns null if the item waits; otherwise the delay before a retry
   */
  wait(caller: LineOwner, item: Item, waitMsMax: number): number | null {
    const retryAfterMs = this.retryAfterMs(caller, waitMsMax);
    if (retryAfterMs === null) this.#waiting.add(caller, item);
    return retryAfterMs;
  }

  /** Returns null if a caller may add an item to its line; otherwise the delay before a retry. */
  retryAfterMs(caller: LineOwner, waitMsMax: number): number | null {
    if (caller === null) return null;
    const waitMs = this.#waitMs(caller);
    if (waitMs < waitMsMax && this.#waiting.hasRoomFor(caller)) return null;
    return Math.min(RETRY_AFTER_MS.max, Math.max(RETRY_AFTER_MS.min, waitMs));
  }

  /** Returns how long a waiting caller's requests take on average; 0 if unknown. */
  averageMsOf(caller: LineOwner): number {
    return this.#averageMs.get(caller) ?? 0;
  }

  /** Lets a waiting item use another caller's turns too, unless the queue is full. */
  join(caller: LineOwner, item: Item): boolean {
    if (this.#waiting.isFull) return false;
    this.#waiting.add(caller, item);
    return true;
  }

  remove(caller: LineOwner, item: Item): void {
    this.#waiting.remove(caller, item);
    this.#forgetUnlessWaiting(caller);
  }

  removeAll(): Item[] {
    return this.#waiting.takeAll();
  }

  /**
   * Takes a slot for each waiting item whose turn it is.
   * @param isDue returns false to drop an item instead. Default: drops none
   */
  beginWaiting(begin: (item: Item, caller: LineOwner) => void, isDue?: (item: Item) => boolean): void {
    if (this.#waiting.length === 0) {
      if (this.#averageMs.size > 0) this.#averageMs.clear();
      return;
    }
    const running = this.running();
    while (this.#waiting.length > 0 && this.#taken < this.slots) {
      const next = this.#waiting.take((caller) => this.#mayTake(caller, running));
      if (!next) return;
      if (isDue && !isDue(next.item)) {
        this.#forgetUnlessWaiting(next.caller);
        continue;
      }
      running.set(next.caller, (running.get(next.caller) ?? 0) + 1);
      this.#taken++;
      begin(next.item, next.caller);
    }
  }

  /** Returns whether a caller may take one more slot. The gateway itself may take any free slot. */
  #mayTake(caller: LineOwner, running?: ReadonlyMap<LineOwner, number>): boolean {
    const free = this.slots - this.#taken;
    if (free <= 0) return false;
    const room = free * TAKEN_PER_FREE;
    return this.#taken < room || caller === null || ((running ?? this.running()).get(caller) ?? 0) < room;
  }

  /**
   * Estimates how long a caller's next request waits. A caller with few running requests gets any freed slot in its
   * turn. Other callers get a slot when one of their own requests ends.
   */
  #waitMs(caller: LineOwner): number {
    const averageMs = this.averageMsOf(caller);
    if (averageMs === 0) return 0;
    const running = this.running().get(caller) ?? 0;
    const allMs = averageMs * (this.#waiting.lengthOf(caller) + 1);
    const ownMs = allMs / Math.max(1, running);
    if (running >= TAKEN_PER_FREE) return ownMs;
    return Math.min(ownMs, (allMs * this.#waiting.linesWith(caller)) / Math.max(1, this.#taken));
  }

  /**
   * Forgets a caller's average when none of its requests wait. An old average could make the gateway refuse every later
   * request.
   */
  #forgetUnlessWaiting(caller: LineOwner): void {
    if (this.#waiting.lengthOf(caller) === 0) this.#averageMs.delete(caller);
  }
}
