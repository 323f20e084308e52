import { PLAIN_INTEGER, PLAIN_LENGTH_MAX, PLAIN_STRING, plainArray } from './plain-json';
import { lookUpMethod } from '../rpc-methods';
import type { RpcRequest, RpcRequestBody } from './rpc-request';

const METHOD = '"method":"([A-Za-z0-9_]{1,256})"';
const PARAMS = `"params":(${plainArray(4)})`;
const ID = `"id":(${PLAIN_STRING}|${PLAIN_INTEGER})`;
const VERSION = '"jsonrpc":"2\\.0"';

/** Member order of common clients. */
const VERSION_FIRST = new RegExp(`\\{${VERSION},${ID},${METHOD}(?:,${PARAMS})?\\}`, 'y');
const METHOD_FIRST = new RegExp(`\\{${METHOD},${PARAMS},${ID},${VERSION}\\}`, 'y');

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Reads the most common bodies: plain JSON with members in a usual order.
 *
 * @returns null for other bodies, which the general reader handles
 */
export function readPlainRequest(text: string, itemsMax: number): RpcRequestBody | null {
  if (text.length > PLAIN_LENGTH_MAX) return null;
  const first = text.charCodeAt(0);
  if (first === OPEN_BRACE) {
    const { item, end } = readItem(text, 0);
    return item && end === text.length ? { batch: false, items: [item] } : null;
  }
  return first === OPEN_BRACKET ? readItems(text, itemsMax) : null;
}

function readItems(text: string, itemsMax: number): RpcRequestBody | null {
  const items: RpcRequest[] = [];
  let at = 1;
  let method = '';
  for (;;) {
    const { item, end } = readItem(text, at);
    if (!item || items.length === itemsMax) return null;
    // Makes equal methods share one string, if possible the one in the method list, because the engine compares
    // identical strings by address.
    if (item.method === method) item.method = method;
    else item.method = method = lookUpMethod(item.method).name;
    items.push(item);
    const next = text.charCodeAt(end);
    if (next === CLOSE_BRACKET) return end + 1 === text.length ? { batch: true, items } : null;
    if (next !== COMMA) return null;
    at = end + 1;
  }
}

function readItem(text: string, at: number): { item: RpcRequest | null; end: number } {
  VERSION_FIRST.lastIndex = at;
  const found = VERSION_FIRST.exec(text);
  if (found) return { item: itemOf(found[2], found[3], found[1]), end: VERSION_FIRST.lastIndex };
  METHOD_FIRST.lastIndex = at;
  const other = METHOD_FIRST.exec(text);
  return { item: other && itemOf(other[1], other[2], other[3]), end: METHOD_FIRST.lastIndex };
}

function itemOf(method = '', params = '[]', id = 'null'): RpcRequest {
  return { method, params, paramsByName: false, id };
}
