import { z } from 'zod';
import { type ErrorTree, requestError, apiError } from '../errors';
import { kindOfValue, scanArray, scanObject, skipWhitespace, TOO_DEEP } from '../json-scan';
import { isRefusal, lookUpMethod, type Refusal, refusalSentence, type RpcMethod } from '../rpc-methods';
import { readPlainRequest } from './plain-json';
import type { RpcRequest, RpcRequestBody } from './messages';

/** Maximum nesting depth of a request body. Real requests need about ten levels. */
export const REQUEST_DEPTH_MAX = 128;
export const BATCH_ITEMS_MAX = 100;

/** JSON-RPC request item (spec). The API description uses this schema too. */
export const rpcRequestSchema = z
  .object({
    jsonrpc: z.literal('2.0').optional().describe('Only value: 2.0'),
    method: z.string().min(1).max(256).describe('Method name; must be on the supported list'),
    params: z
      .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .nullish()
      .describe(
        'Parameters of the method, as an array. Starknet methods also accept an object of named parameters. Absent or null means an empty array',
      ),
    id: z
      .union([z.string(), z.bigint(), z.null()])
      .optional()
      .describe('Integer of any length, or string; returned unchanged. If absent or null, the answer has null'),
  })
  .meta({ id: 'RpcRequest', description: 'A JSON-RPC 2.0 request' });

const INTEGER = /^-?(0|[1-9][0-9]*)$/;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the body of POST /crypto/rpc/{network}: one JSON-RPC request, or an array of 1 to 100.
 *
 * @param extra methods that the operator added to the list
 * @throws {ApiError} 400 with details: EMPTY_BODY, INVALID_ENCODING, INVALID_JSON, NESTING_TOO_DEEP, BATCH_TOO_LARGE,
 * or INVALID_REQUEST with a tree of each item's invalid fields
 */
export function parseRpcBody(bytes: Uint8Array, extra?: ReadonlyMap<string, RpcMethod>): RpcRequestBody {
  const text = decode(bytes);
  const plain = readPlainRequest(bytes, text, BATCH_ITEMS_MAX);
  if (plain) return plain;
  const start = skipWhitespace(bytes, 0);
  if (start === bytes.length) throw requestError('EMPTY_BODY');
  const spans = scanItems(bytes, start);
  const parsed = parseJson(text);
  if (kindOfValue(bytes, start) === 'array') {
    const items = parsed as unknown[];
    refuseBatchSize(items.length);
    return { batch: true, items: readItems(cutter(bytes, text), items, spans, { single: false, extra }) };
  }
  if (kindOfValue(bytes, start) === 'scalar') {
    throw requestError('INVALID_REQUEST', 'The body must be a JSON-RPC request object or an array of them.');
  }
  return { batch: false, items: readItems(cutter(bytes, text), [parsed], spans, { single: true, extra }) };
}

interface Span {
  idStart: number;
  idEnd: number;
  paramsStart: number;
  paramsEnd: number;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw requestError('INVALID_ENCODING');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The parser's message would show the byte order mark, which is invisible.
    const fault = text.startsWith('\ufeff')
      ? 'it starts with a byte order mark, which JSON does not allow'
      : (error as Error).message;
    throw requestError('INVALID_JSON', `The request body is not valid JSON: ${fault}.`);
  }
}

/**
 * Finds the byte ranges of each item's id and params. For malformed JSON, returns an incomplete list; the parser then
 * refuses the body.
 */
function scanItems(bytes: Uint8Array, start: number): Span[] {
  const spans: Span[] = [];
  const end =
    kindOfValue(bytes, start) === 'array'
      ? scanArray(bytes, start, REQUEST_DEPTH_MAX, (_key, itemStart) => {
          if (spans.length <= BATCH_ITEMS_MAX) spans.push(scanItem(bytes, itemStart).span);
        })
      : pushItem(bytes, start, spans);
  if (end === TOO_DEEP) throw requestError('NESTING_TOO_DEEP');
  return spans;
}

function pushItem(bytes: Uint8Array, start: number, spans: Span[]): number {
  const { span, end } = scanItem(bytes, start);
  spans.push(span);
  return end;
}

function scanItem(bytes: Uint8Array, start: number): { span: Span; end: number } {
  const span: Span = { idStart: -1, idEnd: -1, paramsStart: -1, paramsEnd: -1 };
  const end = scanObject(bytes, start, REQUEST_DEPTH_MAX, (key, valueStart, valueEnd) => {
    if (key === 'id') {
      span.idStart = valueStart;
      span.idEnd = valueEnd;
    } else if (key === 'params') {
      span.paramsStart = valueStart;
      span.paramsEnd = valueEnd;
    }
  });
  return { span, end };
}

function refuseBatchSize(count: number): void {
  if (count === 0) throw requestError('INVALID_REQUEST', 'The batch is empty; it must contain 1 to 100 items.');
  if (count > BATCH_ITEMS_MAX) {
    throw requestError('BATCH_TOO_LARGE', `The batch contains ${count} items; at most ${BATCH_ITEMS_MAX} are allowed.`);
  }
}

type Cut = (start: number, end: number) => string;

function cutter(bytes: Uint8Array, text: string): Cut {
  if (text.length === bytes.length) return (start, end) => text.slice(start, end);
  return (start, end) => decoder.decode(bytes.subarray(start, end));
}

function readItems(
  cut: Cut,
  parsed: unknown[],
  spans: Span[],
  { single, extra }: { single: boolean; extra: ReadonlyMap<string, RpcMethod> | undefined },
): RpcRequest[] {
  const items: RpcRequest[] = [];
  const faults: ErrorTree = { _errors: [] };
  parsed.forEach((value, index) => {
    const span = spans[index] as Span;
    const id = span.idStart < 0 ? 'null' : cut(span.idStart, span.idEnd);
    if (isRpcRequest(value, id)) {
      items.push({
        method: value.method,
        params: value.params == null ? '[]' : cut(span.paramsStart, span.paramsEnd),
        paramsByName: value.params != null && !Array.isArray(value.params),
        id,
      });
    } else if (single) {
      Object.assign(faults, describeFaults(value, id));
    } else {
      faults[String(index)] = describeFaults(value, id);
    }
  });
  if (items.length < parsed.length) throw invalidRequest(faults, single, refusalsOf(items, extra));
  return items;
}

/** Applies the schema's rules without zod, because zod is slower. Only invalid requests need zod's errors. */
function isRpcRequest(value: unknown, id: string): value is { method: string; params?: unknown[] | object | null } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const item = value as Record<string, unknown>;
  const { method, params } = item;
  return (
    typeof method === 'string' &&
    method.length > 0 &&
    method.length <= 256 &&
    (item.jsonrpc === undefined || item.jsonrpc === '2.0') &&
    (params === undefined || typeof params === 'object') &&
    isIdText(id)
  );
}

function isIdText(id: string): boolean {
  return id === 'null' || id.charCodeAt(0) === 0x22 || INTEGER.test(id);
}

function describeFaults(value: unknown, id: string): ErrorTree {
  const withExactId =
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { id?: unknown }).id === 'number' &&
    INTEGER.test(id)
      ? { ...value, id: 0n }
      : value;
  const verdict = rpcRequestSchema.safeParse(withExactId);
  if (verdict.success) throw new Error('The schema accepts an item that the quick check refused.');
  const tree: ErrorTree = { _errors: [] };
  for (const { path } of verdict.error.issues) {
    const field = String(path[0] ?? '');
    const fault = FAULTS[field];
    if (fault) tree[field] = { _errors: [fault] };
    else tree._errors = ['Must be a JSON-RPC request object'];
  }
  return tree;
}

const FAULTS: Readonly<Record<string, string>> = {
  jsonrpc: 'Must be "2.0" if present',
  method: 'Must be a string of 1 to 256 characters',
  params: 'Must be an array if present; Starknet methods also accept an object',
  id: 'Must be an integer, a string or null if present',
};

function refusalsOf(items: readonly RpcRequest[], extra: ReadonlyMap<string, RpcMethod> | undefined): Refusal[] {
  return items.map(({ method }) => lookUpMethod(method, extra)).filter(isRefusal);
}

function invalidRequest(
  details: ErrorTree,
  single: boolean,
  refusals: readonly Refusal[],
): ReturnType<typeof apiError> {
  const [first = '', ...others] = sentencesOf(details, single);
  const more =
    others.length > 0 ? ` ${others.length} more ${others.length === 1 ? 'fault' : 'faults'} in "details".` : '';
  const refused = refusals.length > 0 ? ` ${refusalSentence(refusals)}` : '';
  return apiError('INVALID_REQUEST', { message: `The request is not valid: ${first}.${more}${refused}`, details });
}

function sentencesOf(tree: ErrorTree, single: boolean): string[] {
  const own = tree._errors.map((fault) => `the body ${lowerFirst(fault)}`);
  const nested = Object.entries(tree).flatMap(([key, branch]) => {
    if (Array.isArray(branch)) return [];
    if (single) return branch._errors.map((fault) => `"${key}" ${lowerFirst(fault)}`);
    const where = `item ${key}`;
    return sentencesOf(branch, true).map((sentence) =>
      sentence.replace(/^the body /, `${where} `).replace(/^"/, `${where}, "`),
    );
  });
  return [...own, ...nested];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
