import { byteLengthOf, type WholeBody } from '../call';

interface Holding {
  bytes: number;
  holders: number;
  isPinned: boolean;
}

const EXEMPT: Holding = { bytes: 0, holders: Infinity, isPinned: true };

/**
 * Counts the holders of each buffer in memory. The count can be found through any view of the buffer. If holders never
 * release a buffer, the garbage collector frees it.
 */
export class Holdings {
  readonly #of = new WeakMap<ArrayBufferLike, Holding>();
  readonly #lost: FinalizationRegistry<Holding>;

  /** @param onFreed called with the number of bytes freed */
  constructor(private readonly onFreed: (bytes: number) => void) {
    this.#lost = new FinalizationRegistry((holding) => {
      if (holding.holders > 0) onFreed(holding.bytes);
    });
  }

  /** Adds the first holder of these bytes. The view must cover its whole buffer. */
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
 * Frees memory immediately, because the garbage collector may free it much later. Other views of the memory become
 * empty and never show another caller's bytes.
 */
export function freeMemory(buffer: ArrayBufferLike): void {
  (buffer as ArrayBuffer & { transfer?(newLength: number): ArrayBuffer }).transfer?.(0);
}
