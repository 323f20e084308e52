import { formatJson, type JsonNode, JsonSyntaxError, parseJsonDocument } from '@/lib/browser/text/json-document';
import { rpcWords } from './words';

const words = rpcWords.problems;

export const BATCH_ITEMS_MAX = 100;

export interface RequestCall {
  method: string;
  /** Positional params; empty if params are absent or named. */
  params: readonly JsonNode[];
  /** True if `params` is an object. Starknet's methods accept objects. */
  paramsByName: boolean;
}

export type RequestCheck =
  | { ok: true; calls: readonly RequestCall[]; isBatch: boolean; document: JsonNode }
  | { ok: false; problem: RequestProblem };

/** Reason why the page does not send a text. `offset` is null if unknown. */
export interface RequestProblem {
  sentence: string;
  offset: number | null;
}

/**
 * Checks a request text by the gateway's rules (spec, "JSON-RPC request item"), except whether the gateway offers the
 * method.
 */
export function checkRequest(text: string): RequestCheck {
  if (text.trim() === '') return refuse(words.empty);
  const document = parse(text);
  if ('sentence' in document) return { ok: false, problem: document };
  if (document.kind === 'array') return checkBatch(document);
  const call = readCall(document);
  return typeof call === 'string'
    ? refuse(words.ofRequest(call))
    : { ok: true, calls: [call], isBatch: false, document };
}

/** Composes a formatted request text for one call. `params` are plain JSON values. */
export function composeRequest(method: string, params: readonly unknown[], id = 1): string {
  return formatRequest(parseJsonDocument(JSON.stringify({ jsonrpc: '2.0', id, method, params })));
}

export function requestDocument(method: string, params: JsonNode): JsonNode {
  return {
    kind: 'object',
    members: [
      ['jsonrpc', { kind: 'string', value: '2.0' }],
      ['id', { kind: 'number', source: '1' }],
      ['method', { kind: 'string', value: method }],
      ['params', params],
    ],
  };
}

/** Formats a request with one member or batch item per line. Breaks only values that are too wide for a line. */
export function formatRequest(document: JsonNode): string {
  if (document.kind === 'array') {
    const items = document.items.map((item) => formatJson(item, { widthColumns: 88, marginColumns: 2 }));
    return items.length === 0 ? '[]' : `[\n  ${items.join(',\n  ')}\n]`;
  }
  if (document.kind !== 'object' || document.members.length === 0) return formatJson(document);
  const members = document.members.map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${formatJson(value, { widthColumns: 88, marginColumns: 2 })}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

function parse(text: string): JsonNode | RequestProblem {
  try {
    return parseJsonDocument(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { sentence: words.notJson(error.message), offset: error.offset };
  }
}

function checkBatch(document: Extract<JsonNode, { kind: 'array' }>): RequestCheck {
  if (document.items.length === 0) return refuse(words.emptyBatch);
  if (document.items.length > BATCH_ITEMS_MAX) return refuse(words.longBatch(document.items.length, BATCH_ITEMS_MAX));
  const calls: RequestCall[] = [];
  for (const [index, item] of document.items.entries()) {
    const call = readCall(item);
    if (typeof call === 'string') return refuse(words.ofCall(index + 1, call));
    calls.push(call);
  }
  return { ok: true, calls, isBatch: true, document };
}

/** Parses a call. For an invalid call, returns the end of the error sentence. */
function readCall(node: JsonNode): RequestCall | string {
  if (node.kind !== 'object') return words.needsObject;
  const member = (name: string) => node.members.findLast(([key]) => key === name)?.[1];
  const method = member('method');
  const params = member('params') ?? { kind: 'array', items: [] };
  const version = member('jsonrpc');
  if (method === undefined) return words.noMethod;
  if (method.kind !== 'string' || method.value === '') return words.badMethod;
  const paramsByName = params.kind === 'object' && method.value.startsWith('starknet_');
  if (params.kind !== 'array' && !paramsByName) return words.badParams;
  if (version !== undefined && !(version.kind === 'string' && version.value === '2.0')) return words.badVersion;
  if (!isId(member('id'))) return words.badId;
  return { method: method.value, params: params.kind === 'array' ? params.items : [], paramsByName };
}

function isId(node: JsonNode | undefined): boolean {
  if (node === undefined || node.kind === 'string') return true;
  if (node.kind === 'literal') return node.value === null;
  return node.kind === 'number' && /^-?\d+$/.test(node.source);
}

function refuse(sentence: string): RequestCheck {
  return { ok: false, problem: { sentence, offset: null } };
}
