/** What an entry costs beside its key and bytes, roughly. */
const ENTRY_BYTES = 200;
/** No single answer may take more than this part of the whole. */
const LARGEST_SHARE = 1 / 16;

interface Entry {
  bytes: Buffer;
  size: number;
  /** Of `performance.now()`; Infinity for what never changes. */
  expiresAt: number;
}

/** Results that cannot change, by key, least recently used first to go, bounded in bytes. */
export class ImmutableCache {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** @param onKept told of the memory of each entry, which is the cache's own */
  constructor(
    private readonly bytesMax: number,
    private readonly onKept: (bytes: Uint8Array) => void = () => undefined,
  ) {}

  /** Memory in use, as accounted. */
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

  /** Keeps a copy: the bytes given may be a small part of a large answer. */
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
