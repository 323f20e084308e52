import { recordOf } from '@/lib/protocol/json-record';

/**
 * Returns the entries of a model list: OpenAI's `{ data }`, a bare array (Together), or `{ models }`. Returns null for
 * any other form.
 */
export function modelEntriesOf(json: unknown): readonly unknown[] | null {
  const { data, models } = recordOf(json);
  return [json, data, models].find((each): each is unknown[] => Array.isArray(each)) ?? null;
}
