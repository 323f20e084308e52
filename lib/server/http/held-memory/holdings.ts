import { byteLengthOf, type WholeBody } from '../call';

interface Holding {
  bytes: number;
  holders: number;
  /** Whether its memory may be freed as soon as nobody holds it. */
  isPinned: boolean;
}

const EXEMPT: Holding = { bytes: 0, holders: Infinity, isPinned: true };

/**
 * Who still has which bytes. They are told by the memory that they are in, so that whoever passes parts of an answer on
 * need not pass on whose they are. What is forgotten all the same is given back when the collector finds it.
 */
export class Holdings {
  readonly #of = new WeakMap<ArrayBufferLike, Holding>();
  readonly #lost: FinalizationRegistry<Holding>;

  /** @param onFreed told of bytes that nobody has any more */
  constructor(private readonly onFreed: (bytes: number) => void) {
    this.#lost = new FinalizationRegistry((holding) => {
      if (holding.holders > 0) onFreed(holding.bytes);
    });
  }

  /** One has these bytes, which are all of their memory. */
  hold({ buffer, byteLength }: Uint8Array): void {
    const holding = { bytes: byteLength, holders: 1, isPinned: false };
    this.#of.set(buffer, holding);
    this.#lost.register(buffer, holding, holding);
  }

  exempt({ buffer }: Uint8Array): void {
    this.#of.set(buffer, EXEMPT);
  }

  pin(body: WholeBody): void {
    for (const buffer of buffersOf(body)) {
      const holding = this.#of.get(buffer);
      if (holding) holding.isPinned = true;
    }
  }

  share({ buffer }: Uint8Array, more: number): void {
    const holding = this.#of.get(buffer);
    if (holding) holding.holders += more;
  }

  release(body: WholeBody): void {
    for (const buffer of buffersOf(body)) this.#release(buffer);
  }

  /** How large a body is, and how much of it is counted by nobody yet. */
  measure(body: WholeBody): { bytes: number; uncounted: number } {
    const bytes = byteLengthOf(body);
    for (const buffer of buffersOf(body)) if (this.#of.has(buffer)) return { bytes, uncounted: 0 };
    return { bytes, uncounted: bytes };
  }

  #release(buffer: ArrayBufferLike): void {
    const holding = this.#of.get(buffer);
    if (!holding || --holding.holders > 0) return;
    this.#of.delete(buffer);
    this.#lost.unregister(holding);
    if (!holding.isPinned) freeMemory(buffer);
    this.onFreed(holding.bytes);
  }
}

function buffersOf(body: WholeBody): Set<ArrayBufferLike> {
  if (typeof body === 'string') return new Set();
  return new Set(body instanceof Uint8Array ? [body.buffer] : body.map(({ buffer }) => buffer));
}

/**
 * Gives memory back to the system now: the collector sees a small object in front of it, and is in no hurry. Whoever
 * still has a view of it sees no bytes, never those of somebody else.
 */
export function freeMemory(buffer: ArrayBufferLike): void {
  // ES2024, which Node 22 has.
  (buffer as ArrayBuffer & { transfer?(newLength: number): ArrayBuffer }).transfer?.(0);
}
