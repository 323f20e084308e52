import { record } from '@/lib/protocol/translation/chat-turns';

const KEPT_MS = 3_600_000;
const BYTES_MAX = 32 * 1_024 * 1_024;

type Json = Readonly<Record<string, unknown>>;

interface Kept {
  item: Json;
  bytes: number;
  untilMs: number;
}

/**
 * Keeps the newest 32 MiB of answer items in memory for an hour, for programs that reference an item
 * (`item_reference`). A proxy has one customer, so no other customer can read the items.
 */
export class KeptItems {
  readonly #items = new Map<string, Kept>();
  #bytes = 0;

  constructor(private readonly bytesMax = BYTES_MAX) {}

  /** Stores the output items of a completed response. Ignores other values. */
  keep(response: unknown): void {
    const { output } = record(response);
    for (const value of Array.isArray(output) ? output : []) this.#add(record(value));
  }

  find(id: string): Json | null {
    this.#dropOld();
    return this.#items.get(id)?.item ?? null;
  }

  #add(item: Json): void {
    const { id } = item;
    if (typeof id !== 'string' || id === '') return;
    this.#drop(id);
    const bytes = JSON.stringify(item).length;
    this.#items.set(id, { item, bytes, untilMs: performance.now() + KEPT_MS });
    this.#bytes += bytes;
    this.#dropOld();
  }

  #dropOld(): void {
    for (const [id, { untilMs }] of this.#items) {
      if (untilMs > performance.now() && this.#bytes <= this.bytesMax) return;
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    this.#bytes -= this.#items.get(id)?.bytes ?? 0;
    this.#items.delete(id);
  }
}
