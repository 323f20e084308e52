import type { Arrival } from './arrival';
import { COUNTED_BYTES_MIN, type HeldMemory } from './held-memory';

/** Memory for a long body is claimed in such steps. */
const CLAIM_BYTES = 1024 * 1024;

/** The memory that something takes as it grows. Short things are not counted. To be dropped once. */
export class MemoryClaim {
  #arrival: Arrival | null = null;

  /**
   * @param memory bounds what long bodies take together; null for no bound
   * @param onRoom told when more may come, where `reach` said that there is no room
   */
  constructor(
    private readonly memory: HeldMemory | null,
    private readonly onRoom: () => void,
  ) {}

  /** Whether it had to wait for memory and still does. */
  get isWaiting(): boolean {
    return this.#arrival?.isWaiting ?? false;
  }

  /** Claims as much as has come by now. @returns whether more may come now; else `onRoom` is called */
  reach(bytes: number): boolean {
    if (!this.memory || bytes <= COUNTED_BYTES_MIN) return true;
    this.#arrival ??= this.memory.arrive(this.onRoom);
    const claimed = this.#arrival.claimedBytes + this.#arrival.wantedBytes;
    if (bytes > claimed) this.#arrival.claim(Math.max(CLAIM_BYTES, bytes - claimed));
    return !this.isWaiting;
  }

  drop(): void {
    this.#arrival?.drop();
    this.#arrival = null;
  }
}
