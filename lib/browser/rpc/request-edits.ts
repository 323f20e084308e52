import { type JsonNode, parseJsonDocument } from '../json-document';
import { formatRequest } from './request-text';

/** The text with param `index` of its single call replaced; the rest keeps its values exactly. */
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

/** A single request as a batch of one, a batch with `call` added at its end. */
export function appendCall(document: JsonNode, method: string, params: readonly unknown[]): string {
  const items = document.kind === 'array' ? document.items : [document];
  const added = parseJsonDocument(JSON.stringify({ jsonrpc: '2.0', id: items.length + 1, method, params }));
  return formatRequest({ kind: 'array', items: [...items, added] });
}

/** The batch without item `index`. */
export function removeCall(document: JsonNode, index: number): string {
  if (document.kind !== 'array') return formatRequest(document);
  return formatRequest({ kind: 'array', items: document.items.filter((_item, at) => at !== index) });
}

/** A single request wrapped in an array, or the first item of a batch alone. */
export function toggleBatch(document: JsonNode): string {
  if (document.kind !== 'array') return formatRequest({ kind: 'array', items: [document] });
  return formatRequest(document.items[0] ?? document);
}

/** Param at `index` set, with null in any gap; with `value` null the param and those after it are dropped. */
function replaceItem(items: readonly JsonNode[], index: number, value: JsonNode | null): JsonNode[] {
  if (value === null) return items.slice(0, index);
  const filled = Array.from(
    { length: Math.max(items.length, index + 1) },
    (_unused, at): JsonNode => items[at] ?? { kind: 'literal', value: null },
  );
  filled[index] = value;
  return filled;
}
