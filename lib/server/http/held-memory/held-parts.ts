import { BodyParts } from '../body-parts';
import { COUNTED_BYTES_MIN, type HeldMemory } from './held-memory';
import type { Arrival } from './large-answers';

const CLAIM_BYTES = 1024 * 1024;

/** Memory claim of a growing body. Short bodies are not counted. `drop` must be called once. */
export class MemoryClaim {
  #arrival: Arrival | null = null;

  /**
   * @param memory limit for all long bodies together; null for no limit
   * @param onRoom called when the body may grow after `reach` returned false
   */
  constructor(
    private readonly memory: HeldMemory | null,
    private readonly onRoom: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.#arrival?.isWaiting ?? false;
  }

  /**
   * Extends the claim to this total size.
   * @returns whether the body may grow now; if not, `onRoom` is called later
   */
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

/** Collects a body and claims memory for it. Either `whole` or `giveUp` must be called, once. */
export class HeldParts {
  readonly #parts = new BodyParts();
  readonly #claim: MemoryClaim;

  /**
   * @param memory limit for all long bodies together; null for no limit
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

  /**
   * Copies a chunk.
   * @returns whether more may be added now; if not, `onRoom` is called later
   */
  add(chunk: Uint8Array): boolean {
    this.#parts.copy(chunk);
    return this.#claim.reach(this.length);
  }

  /**
   * Returns the body in one buffer, and ends the claim. From then on, the code that sends the body has to claim the
   * memory.
   */
  whole(): Buffer {
    this.#claim.drop();
    return this.#parts.moved();
  }

  giveUp(): void {
    this.#claim.drop();
    this.#parts.free();
  }
}

/** Collects a body part by part. Stops reading while no memory is free, so that the source waits. */
export async function gathered(parts: AsyncIterable<Uint8Array>, memory: HeldMemory | null): Promise<Buffer> {
  let goOn: () => void = () => undefined;
  const body = new HeldParts(memory, () => goOn());
  let isWhole = false;
  try {
    for await (const part of parts) if (!body.add(part)) await new Promise<void>((resolve) => (goOn = resolve));
    isWhole = true;
    return body.whole();
  } finally {
    if (!isWhole) body.giveUp();
  }
}
