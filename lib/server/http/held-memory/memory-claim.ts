import type { Arrival } from './arrival';
import { COUNTED_BYTES_MIN, type HeldMemory } from './held-memory';

/** Memory for a long body is claimed in steps of this size. */
const CLAIM_BYTES = 1024 * 1024;

/** Memory claim of a growing body. Short bodies are not counted. `drop` must be called once. */
export class MemoryClaim {
  #arrival: Arrival | null = null;

  /**
   * @param memory bounds all long bodies together; null for no bound
   * @param onRoom called when the body may grow after `reach` returned false
   */
  constructor(
    private readonly memory: HeldMemory | null,
    private readonly onRoom: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.#arrival?.isWaiting ?? false;
  }

  /** Extends the claim to this total size. @returns whether the body may grow now; if not, `onRoom` is called later */
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
