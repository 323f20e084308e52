import type { JsonNode } from './json-document';

/** Notation: JSON, or a Python literal of the same value. */
export type LiteralStyle = 'json' | 'python';

export interface FormatOptions {
  style?: LiteralStyle;
  /** Column up to which a container stays on one line; 0 breaks every non-empty container. */
  widthColumns?: number;
  marginColumns?: number;
}

/** Formats a document with two spaces of indent. Numbers stay as written, so nothing is rounded. */
export function formatJson(
  node: JsonNode,
  { style = 'json', widthColumns = 72, marginColumns = 0 }: FormatOptions = {},
): string {
  return write(node, { style, widthColumns }, marginColumns);
}

interface Layout {
  style: LiteralStyle;
  widthColumns: number;
}

function write(node: JsonNode, layout: Layout, indent: number): string {
  if (node.kind === 'string') return JSON.stringify(node.value);
  if (node.kind === 'number') return node.source;
  if (node.kind === 'literal') return writeLiteral(node.value, layout.style);
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const parts = partsOf(node, layout, indent + 2);
  if (parts.length === 0) return open + close;
  const pad = node.kind === 'object' ? ' ' : '';
  const oneLine = open + pad + parts.join(', ') + pad + close;
  if (indent + oneLine.length <= layout.widthColumns && !oneLine.includes('\n')) return oneLine;
  const margin = ' '.repeat(indent);
  return `${open}\n${parts.map((part) => `${margin}  ${part}`).join(',\n')}\n${margin}${close}`;
}

function partsOf(node: Extract<JsonNode, { kind: 'object' | 'array' }>, layout: Layout, indent: number): string[] {
  if (node.kind === 'array') return node.items.map((item) => write(item, layout, indent));
  return node.members.map(([key, value]) => `${JSON.stringify(key)}: ${write(value, layout, indent)}`);
}

function writeLiteral(value: true | false | null, style: LiteralStyle): string {
  if (style === 'json') return String(value);
  if (value === null) return 'None';
  return value ? 'True' : 'False';
}
