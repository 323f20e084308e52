import { type JsonNode, parseJsonDocument } from '@/lib/browser/text/json-document';
import { formatRequest } from './request-text';

/** Replaces the param at `index` of a single call. Other values keep their exact text. */
export function replaceParam(document: JsonNode, index: number, value: JsonNode | null): string {
  if (document.kind !== 'object') return formatRequest(document);
  const hasParams = document.members.some(([key]) => key === 'params');
  const members = hasParams
    ? document.members
    : [...document.members, ['params', { kind: 'array', items: [] } satisfies JsonNode] as const];
  return formatRequest({
    kind: 'object',
    members: members.map(([key, node]) =>
      key === 'params' && node.kind === 'array'
        ? [key, { kind: 'array', items: replaceItem(node.items, index, value) }]
        : [key, node],
    ),
  });
}

/** Appends a call to a batch; turns a single request into a batch first. */
export function appendCall(document: JsonNode, method: string, params: readonly unknown[]): string {
  const items = document.kind === 'array' ? document.items : [document];
  const added = parseJsonDocument(JSON.stringify({ jsonrpc: '2.0', id: items.length + 1, method, params }));
  return formatRequest({ kind: 'array', items: [...items, added] });
}

export function removeCall(document: JsonNode, index: number): string {
  if (document.kind !== 'array') return formatRequest(document);
  return formatRequest({ kind: 'array', items: document.items.filter((_item, at) => at !== index) });
}

/** Wraps a single request in an array, or unwraps the first item of a batch. */
export function toggleBatch(document: JsonNode): string {
  if (document.kind !== 'array') return formatRequest({ kind: 'array', items: [document] });
  return formatRequest(document.items[0] ?? document);
}

/** Sets the param at `index` and fills gaps with null. A null `value` removes this param and all later params. */
function replaceItem(items: readonly JsonNode[], index: number, value: JsonNode | null): JsonNode[] {
  if (value === null) return items.slice(0, index);
  const filled = Array.from(
    { length: Math.max(items.length, index + 1) },
    (_unused, at): JsonNode => items[at] ?? { kind: 'literal', value: null },
  );
  filled[index] = value;
  return filled;
}
