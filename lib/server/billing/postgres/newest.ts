const ENTRIES_MAX = 50_000;

export function rememberNewest<K, V>(entries: Map<K, V>, key: K, value: V): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= ENTRIES_MAX) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}
