import { rpcHref } from '@/lib/browser/page/console-pages';
import { checkRequest, composeRequest } from './request-text';

export interface RpcDraft {
  network: string;
  text: string;
  /** Other networks that get the same request, for comparison. */
  compared?: readonly string[];
}

/** Returns the URL of the RPC page with this draft, without a credential. */
export function requestHref({ network, text, compared = [] }: RpcDraft): string {
  const check = checkRequest(text);
  const single = check.ok && !check.isBatch ? check.calls[0] : undefined;
  const search = new URLSearchParams({ network });
  const params = single ? paramsText(text) : null;
  if (single && params !== null && isCanonical(text, single.method, params)) {
    search.set('method', single.method);
    search.set('params', params);
  } else {
    search.set('body', text);
  }
  if (compared.length > 0) search.set('compare', compared.join(' '));
  return rpcHref(search);
}

function paramsText(text: string): string | null {
  const { params = [] } = JSON.parse(text) as { params?: unknown[] };
  return JSON.stringify(params);
}

/** Returns whether method and params alone restore the same request, digit for digit. */
function isCanonical(text: string, method: string, params: string): boolean {
  const squeeze = (json: string) => json.replace(/\s+/g, '');
  return squeeze(composeRequest(method, JSON.parse(params) as unknown[])) === squeeze(text);
}
