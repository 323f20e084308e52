import { getHeapStatistics } from 'node:v8';

/** What one caller takes in all maps of a gateway together. */
const CALLER_BYTES = 1_024;
/** Part of the heap that these maps may take. */
const PART_OF_HEAP = 16;

/** Entries of one map: as many callers as the heap of this process has room for. */
const ENTRIES_MAX = Math.floor(getHeapStatistics().heap_size_limit / PART_OF_HEAP / CALLER_BYTES);

/** Sets an entry, and deletes the longest unused one if there are too many. */
export function rememberNewest<K, V>(entries: Map<K, V>, key: K, value: V, entriesMax = ENTRIES_MAX): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= entriesMax) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

/** Notes that an entry was used. Only a full map needs the order of use, and keeping it costs time. */
export function touch<K, V>(entries: Map<K, V>, key: K, value: V, entriesMax = ENTRIES_MAX): void {
  if (entries.size < entriesMax) return;
  entries.delete(key);
  entries.set(key, value);
}
