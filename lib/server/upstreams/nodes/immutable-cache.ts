const ENTRY_BYTES = 200;
const LARGEST_SHARE = 1 / 16;

interface Entry {
  bytes: Buffer;
  size: number;
  /** Expiry (`performance.now()`); Infinity for an immutable answer. */
  expiresAt: number;
}

/** LRU cache of immutable results, bounded in bytes. */
export class ImmutableCache {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** @param onKept called with the bytes of each new entry */
  constructor(
    private readonly bytesMax: number,
    private readonly onKept: (bytes: Uint8Array) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string, now: number): Buffer | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    if (now >= entry.expiresAt) {
      this.#drop(key, entry);
      return null;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.bytes;
  }

  /** Stores a copy, because the bytes may be a view that would keep a large answer in memory. */
  set(key: string, value: Buffer, expiresAt = Infinity): void {
    const size = key.length + value.length + ENTRY_BYTES;
    if (size > this.bytesMax * LARGEST_SHARE) return;
    const present = this.#entries.get(key);
    if (present) this.#drop(key, present);
    const bytes = Buffer.allocUnsafeSlow(value.length);
    value.copy(bytes);
    this.onKept(bytes);
    this.#entries.set(key, { bytes, size, expiresAt });
    this.#bytes += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.bytesMax) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}
