import { exampleParams } from '@/lib/protocol/rpc-methods/examples';
import { checkRequest, composeRequest } from './request-text';

/** What the RPC page asks: a network and a request text. */
export interface RpcDraft {
  network: string;
  text: string;
  /** Further networks to send the same request to, side by side. */
  compared?: readonly string[];
}

/** Longer queries go into the fragment, which servers do not see: request lines are limited to about 16 KB. */
const QUERY_CHARACTERS_MAX = 6000;

/** The address of the RPC page with this draft in it. It holds no credential. */
export function requestHref({ network, text, compared = [] }: RpcDraft): string {
  const check = checkRequest(text);
  const single = check.ok && !check.isBatch ? check.calls[0] : undefined;
  const search = new URLSearchParams({ network });
  const params = single ? paramsText(text) : null;
  if (single && params !== null && isCanonical(text, single.method, params)) {
    search.set('method', single.method);
    if (params !== '[]' || exampleParams(single.method).length > 0) search.set('params', params);
  } else {
    search.set('body', text);
  }
  if (compared.length > 0) search.set('compare', compared.join(' '));
  const query = search.toString();
  return query.length <= QUERY_CHARACTERS_MAX ? `/rpc?${query}` : `/rpc#${query}`;
}

/** The draft in an address, or null where it names none. A method without `params` gets those of its template; `params` that are not a JSON array are kept as text to mend. */
export function readRequestLink(search: string, hash: string): Partial<RpcDraft> | null {
  const values = new URLSearchParams(search.replace(/^\?/, '') || hash.replace(/^#/, ''));
  const network = values.get('network') ?? undefined;
  const body = values.get('body');
  const method = values.get('method');
  const text = body ?? (method === null ? undefined : composeFromLink(method, values.get('params') ?? JSON.stringify(exampleParams(method))));
  const compared = values.get('compare')?.split(/[\s,]+/).filter((slug) => slug !== '') ?? [];
  if (network === undefined && text === undefined) return null;
  return { ...(network === undefined ? {} : { network }), ...(text === undefined ? {} : { text }), ...(compared.length === 0 ? {} : { compared }) };
}

function composeFromLink(method: string, paramsJson: string): string {
  try {
    const params: unknown = JSON.parse(paramsJson);
    if (Array.isArray(params)) return composeRequest(method, params);
  } catch {
    // Shown as it came, below: the editor says what is wrong with it.
  }
  return `{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": ${JSON.stringify(method)},\n  "params": ${paramsJson}\n}`;
}

function paramsText(text: string): string | null {
  const { params = [] } = JSON.parse(text) as { params?: unknown[] };
  return JSON.stringify(params);
}

/** Whether method and params alone bring back the same request, to the last digit. */
function isCanonical(text: string, method: string, params: string): boolean {
  const squeeze = (json: string) => json.replace(/\s+/g, '');
  return squeeze(composeFromLink(method, params)) === squeeze(text);
}
