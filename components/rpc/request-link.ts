import { readTree } from '@/lib/browser/text/json-document';
import type { RpcDraft } from './request-href';
import { formatRequest, requestDocument } from './request-text';

/** Maximum length of a link in UTF-16 units. Checking a longer link would block the page. */
export const LINK_CHARACTERS_MAX = 128 * 1024;

type ExampleParams = (method: string) => readonly unknown[];

/**
 * Parses the draft in a URL. Returns null if the URL has no draft or is too long. Adds example params to a method
 * without `params`. If `params` is not a JSON array, keeps it as text for editing.
 */
export function readRequestLink(
  search: string,
  hash: string,
  exampleParams: ExampleParams = () => [],
): Partial<RpcDraft> | null {
  if (isLinkTooLong(search, hash)) return null;
  const values = new URLSearchParams(given(search, hash));
  const network = values.get('network') ?? undefined;
  const body = values.get('body');
  const method = values.get('method');
  const text =
    body ??
    (method === null
      ? undefined
      : composeFromLink(method, values.get('params') ?? JSON.stringify(exampleParams(method))));
  const compared =
    values
      .get('compare')
      ?.split(/[\s,]+/)
      .filter((slug) => slug !== '') ?? [];
  if (network === undefined && text === undefined) return null;
  return {
    ...(network === undefined ? {} : { network }),
    ...(text === undefined ? {} : { text }),
    ...(compared.length === 0 ? {} : { compared }),
  };
}

/** Returns whether a URL has a method but neither `params` nor `body`. */
export function lacksParams(search: string, hash: string): boolean {
  if (isLinkTooLong(search, hash)) return false;
  const values = new URLSearchParams(given(search, hash));
  return values.has('method') && !values.has('params') && !values.has('body');
}

export function isLinkTooLong(search: string, hash: string): boolean {
  return given(search, hash).length > LINK_CHARACTERS_MAX;
}

function given(search: string, hash: string): string {
  return search.replace(/^\?/, '') || hash.replace(/^#/, '');
}

function composeFromLink(method: string, paramsJson: string): string {
  const params = readTree(paramsJson);
  if (params?.kind === 'array') return formatRequest(requestDocument(method, params));
  return `{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": ${JSON.stringify(method)},\n  "params": ${paramsJson}\n}`;
}
