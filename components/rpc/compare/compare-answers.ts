import { formatJson, type JsonNode, readTree } from '@/lib/browser/text/json-document';

/** Path that occurs in at least one answer, and its value in each answer. */
export interface ComparedField {
  path: string;
  cells: readonly ComparedCell[];
  differs: boolean;
}

export interface ComparedCell {
  /** JSON text with numbers as written; null if this answer lacks the path. */
  text: string | null;
  /** True if the value differs from the majority, or if there is no majority. */
  isOdd: boolean;
}

const FIELDS_MAX = 5_000;
/** Depth beyond which a container counts as one value. */
const DEPTH_MAX = 8;

/**
 * Compares JSON-RPC answers to the same request, path by path in order of first occurrence. Leaves out `jsonrpc` and
 * `id`, which do not depend on the network.
 * @param bodyTexts answers' bodies as received; a body that is too deep or too large counts as one value
 */
export function compareAnswers(bodyTexts: readonly string[]): readonly ComparedField[] {
  const answers = bodyTexts.map(readFields);
  const paths = new Set(answers.flatMap((fields) => [...fields.keys()]));
  return [...paths].map((path) =>
    compareField(
      path,
      answers.map((fields) => fields.get(path) ?? null),
    ),
  );
}

/** Returns the last member name of a path (null for a list item), and the index of the answer in a batch. */
export function placeOf(path: string): { name: string | null; item: number } {
  return { name: /(?:^|\.)([^.[\]]+)$/.exec(path)?.[1] ?? null, item: Number(/^\[(\d+)\]/.exec(path)?.[1] ?? 0) };
}

function compareField(path: string, texts: readonly (string | null)[]): ComparedField {
  const counts = new Map<string | null, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const majority = [...counts].find(([, count]) => count * 2 > texts.length);
  const differs = counts.size > 1;
  return {
    path,
    differs,
    cells: texts.map((text) => ({ text, isOdd: differs && (majority === undefined || text !== majority[0]) })),
  };
}

function readFields(bodyText: string): Map<string, string> {
  const fields = new Map<string, string>();
  const document = readTree(bodyText);
  if (document === null) return fields.set('answer', bodyText);
  if (document.kind === 'array') document.items.forEach((item, index) => readItem(item, `[${index}].`, fields));
  else readItem(document, '', fields);
  return fields;
}

function readItem(item: JsonNode, prefix: string, fields: Map<string, string>): void {
  if (item.kind !== 'object') return collect(item, `${prefix}result`, 0, fields);
  for (const [key, value] of item.members)
    if (key !== 'jsonrpc' && key !== 'id') collect(value, prefix + key, 0, fields);
}

function collect(node: JsonNode, path: string, depth: number, fields: Map<string, string>): void {
  if (fields.size >= FIELDS_MAX) return;
  if (depth < DEPTH_MAX && node.kind === 'object' && node.members.length > 0) {
    for (const [key, value] of node.members) collect(value, `${path}.${key}`, depth + 1, fields);
  } else if (depth < DEPTH_MAX && node.kind === 'array' && node.items.length > 0) {
    node.items.forEach((value, index) => collect(value, `${path}[${index}]`, depth + 1, fields));
  } else {
    fields.set(path, formatJson(node, { widthColumns: Infinity }));
  }
}
