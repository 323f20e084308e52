import { getHeapStatistics } from 'node:v8';

/** Estimated bytes per caller in all maps that use this module. */
const CALLER_BYTES = 1_024;
/** These maps together may use 1/16 of the heap. */
const PART_OF_HEAP = 16;

const ENTRIES_MAX = Math.floor(getHeapStatistics().heap_size_limit / PART_OF_HEAP / CALLER_BYTES);

/** Sets an entry, and deletes the least recently used one if there are too many. */
export function rememberNewest<K, V>(entries: Map<K, V>, key: K, value: V, entriesMax = ENTRIES_MAX): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= entriesMax) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

/** Marks an entry as recently used. Does nothing until the map is full, to save time. */
export function touch<K, V>(entries: Map<K, V>, key: K, value: V, entriesMax = ENTRIES_MAX): void {
  if (entries.size < entriesMax) return;
  entries.delete(key);
  entries.set(key, value);
}
