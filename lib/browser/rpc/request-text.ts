import { type JsonNode, JsonSyntaxError, parseJsonDocument } from '../json-document';
import { formatJson } from '../json-format';
import { rpcWords } from '../words/rpc';

const words = rpcWords.problems;

/** The most items of a batch (spec, "POST /crypto/rpc/{network}"). */
export const BATCH_ITEMS_MAX = 100;

/** One JSON-RPC call found in a request text. */
export interface RequestCall {
  method: string;
  /** The params in their order; empty where the call has none, or names them. */
  params: readonly JsonNode[];
  /** Whether `params` is an object of named ones, which Starknet's methods take. */
  paramsByName: boolean;
}

/** What a request text is, before it is sent. */
export type RequestCheck =
  | { ok: true; calls: readonly RequestCall[]; isBatch: boolean; document: JsonNode }
  | { ok: false; problem: RequestProblem };

/** Why a text is not sent. `offset` counts characters from the start of the text, where the place is known. */
export interface RequestProblem {
  sentence: string;
  offset: number | null;
}

/**
 * Reads a request text by the rules of the gateway (spec, "JSON-RPC request item"), so that what cannot work is
 * refused in the editor, uncharged. Whether a method is offered is not its concern.
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

/** A request text for one call, laid out for reading. `params` are plain JSON values. */
export function composeRequest(method: string, params: readonly unknown[], id = 1): string {
  return formatRequest(parseJsonDocument(JSON.stringify({ jsonrpc: '2.0', id, method, params })));
}

/** One call as a document, its params as they are written. */
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

/** Lays a request out: its members on lines of their own, what is inside them as compact as it fits. */
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

/** The call, or how the sentence about it ends. */
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
