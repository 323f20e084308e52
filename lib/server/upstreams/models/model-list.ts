import { recordOf } from '@/lib/protocol/json-record';

/** The entries of a list of models: OpenAI's `{ data }`, a bare array (Together), or `{ models }`. Null for another form. */
export function modelEntriesOf(json: unknown): readonly unknown[] | null {
  const { data, models } = recordOf(json);
  return [json, data, models].find((each): each is unknown[] => Array.isArray(each)) ?? null;
}
