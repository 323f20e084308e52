import { readTree } from '../json-document';
import type { RpcDraft } from './request-href';
import { formatRequest, requestDocument } from './request-text';

/** Longer addresses are nobody's request: checking, laying out and keeping one would hold up the page. In UTF-16 units. */
export const LINK_CHARACTERS_MAX = 128 * 1024;

/** Tells the parameters of a method's example. */
type ExampleParams = (method: string) => readonly unknown[];

/**
 * The draft in an address, or null where it names none, or is too long to be opened. A method without `params` gets
 * those of its example; `params` that are not a JSON array are kept as text to mend.
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

/** Whether an address leaves the parameters of its method to the method's example. */
export function lacksParams(search: string, hash: string): boolean {
  if (isLinkTooLong(search, hash)) return false;
  const values = new URLSearchParams(given(search, hash));
  return values.has('method') && !values.has('params') && !values.has('body');
}

/** Whether an address holds more than can be opened. */
export function isLinkTooLong(search: string, hash: string): boolean {
  return given(search, hash).length > LINK_CHARACTERS_MAX;
}

function given(search: string, hash: string): string {
  return search.replace(/^\?/, '') || hash.replace(/^#/, '');
}

function composeFromLink(method: string, paramsJson: string): string {
  const params = readTree(paramsJson);
  if (params?.kind === 'array') return formatRequest(requestDocument(method, params));
  // The editor says what is wrong with it.
  return `{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": ${JSON.stringify(method)},\n  "params": ${paramsJson}\n}`;
}
