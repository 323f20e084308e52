import { BodyParts } from '../body-parts';
import type { HeldMemory } from './held-memory';
import { MemoryClaim } from './memory-claim';

/** Collects a body and claims memory for it. `whole` or `giveUp` must be called once. */
export class HeldParts {
  readonly #parts = new BodyParts();
  readonly #claim: MemoryClaim;

  /**
   * @param memory as for `MemoryClaim`
   * @param onRoom called when more may be added after `add` returned false
   */
  constructor(memory: HeldMemory | null, onRoom: () => void = () => undefined) {
    this.#claim = new MemoryClaim(memory, onRoom);
  }

  get length(): number {
    return this.#parts.length;
  }

  get isWaiting(): boolean {
    return this.#claim.isWaiting;
  }

  /** Copies a chunk. @returns whether more may be added now; if not, `onRoom` is called later */
  add(chunk: Uint8Array): boolean {
    this.#parts.copy(chunk);
    return this.#claim.reach(this.length);
  }

  /** Returns the body in one buffer, and ends the claim. The sender then counts its memory. */
  whole(): Buffer {
    this.#claim.drop();
    return this.#parts.moved();
  }

  giveUp(): void {
    this.#claim.drop();
    this.#parts.free();
  }
}
