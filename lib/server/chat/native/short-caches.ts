import { isRecord } from '@/lib/protocol/json-record';

const CACHES: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_options']);
const DEFAULTS: ReadonlySet<unknown> = new Set([undefined, null, '5m', '30m']);
/** The caller's own JSON. */
const FREE: ReadonlySet<string> = new Set(['input_schema', 'input_examples', 'parameters', 'schema']);

/** Removes longer cache lifetimes, because they cost more than ordinary cache writes. */
export function withShortCaches<T>(value: T): T;
export function withShortCaches(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((item) => withShortCaches(item));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (CACHES.has(name) && isRecord(member) && !DEFAULTS.has(member['ttl']))
      return [name, { ...member, ttl: undefined }];
    const isFree = FREE.has(name) || (name === 'input' && /tool_use$/.test(String(value['type'])));
    return [name, isFree ? member : withShortCaches(member)];
  });
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}
