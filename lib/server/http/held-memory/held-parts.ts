import { BodyParts } from '../body-parts';
import type { Arrival } from './arrival';
import { COUNTED_BYTES_MIN, type HeldMemory } from './held-memory';

/** Memory for a long body is claimed in such steps. */
const CLAIM_BYTES = 1024 * 1024;

/** Gathers a body, and claims memory for it as it comes. To be taken whole or given up, once. */
export class HeldParts {
  readonly #parts = new BodyParts();
  #arrival: Arrival | null = null;

  /**
   * @param memory bounds what long bodies take together; null for no bound
   * @param onRoom told when more may come, where `add` said that there is no room
   */
  constructor(
    private readonly memory: HeldMemory | null,
    private readonly onRoom: () => void = () => undefined,
  ) {}

  get length(): number {
    return this.#parts.length;
  }

  /** Whether it had to wait for memory and still does. */
  get isWaiting(): boolean {
    return this.#arrival?.isWaiting ?? false;
  }

  /** Takes a copy of a chunk. @returns whether more may come now; else `onRoom` is called */
  add(chunk: Uint8Array): boolean {
    this.#parts.copy(chunk);
    if (!this.memory || this.length <= COUNTED_BYTES_MIN) return true;
    this.#arrival ??= this.memory.arrive(this.onRoom);
    const claimed = this.#arrival.claimedBytes + this.#arrival.wantedBytes;
    if (this.length > claimed) this.#arrival.claim(Math.max(CLAIM_BYTES, this.length - claimed));
    return !this.isWaiting;
  }

  /** All of it, in memory of its own. From here on it is counted where it is sent. */
  whole(): Buffer {
    this.#arrival?.drop();
    return this.#parts.moved();
  }

  giveUp(): void {
    this.#arrival?.drop();
    this.#parts.free();
  }
}
