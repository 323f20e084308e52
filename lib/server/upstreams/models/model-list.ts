import { recordOf } from '@/lib/protocol/json-record';

/** HTTP statuses that a server without a model list may return. */
export const NO_LIST_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Returns the entries of a model list. It may be OpenAI's `{ data }`, a plain array (Together), or `{ models }`.
 * Returns null for any other form.
 */
export function modelEntriesOf(json: unknown): readonly unknown[] | null {
  const { data, models } = recordOf(json);
  return [json, data, models].find((each): each is unknown[] => Array.isArray(each)) ?? null;
}
