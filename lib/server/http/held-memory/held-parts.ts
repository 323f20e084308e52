import { BodyParts } from '../body-parts';
import type { HeldMemory } from './held-memory';
import { MemoryClaim } from './memory-claim';

/** Gathers a body, and claims memory for it as it comes. To be taken whole or given up, once. */
export class HeldParts {
  readonly #parts = new BodyParts();
  readonly #claim: MemoryClaim;

  /**
   * @param memory bounds what long bodies take together; null for no bound
   * @param onRoom told when more may come, where `add` said that there is no room
   */
  constructor(memory: HeldMemory | null, onRoom: () => void = () => undefined) {
    this.#claim = new MemoryClaim(memory, onRoom);
  }

  get length(): number {
    return this.#parts.length;
  }

  /** Whether it had to wait for memory and still does. */
  get isWaiting(): boolean {
    return this.#claim.isWaiting;
  }

  /** Takes a copy of a chunk. @returns whether more may come now; else `onRoom` is called */
  add(chunk: Uint8Array): boolean {
    this.#parts.copy(chunk);
    return this.#claim.reach(this.length);
  }

  /** All of it, in memory of its own. From here on it is counted where it is sent. */
  whole(): Buffer {
    this.#claim.drop();
    return this.#parts.moved();
  }

  giveUp(): void {
    this.#claim.drop();
    this.#parts.free();
  }
}
