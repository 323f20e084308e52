import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import type { Call, Reply } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Description } from '../openapi/described';
import { API_CATALOG_PATH, API_CATALOG_TYPE, apiCatalog } from './api-catalog';
import { llmsText } from './llms-text';
import { type Listing, payableUrls } from './payable-urls';

/** What finding the gateway takes. */
export interface DiscoveryParts {
  rules: GatewayRules;
  description: Description;
  /** Everything that is listed but the origin, which is the one that was asked. */
  listing: Omit<Listing, 'origin'>;
}

type Document = (parts: DiscoveryParts, origin: string) => string;

/** Each document by which programs find a gateway that know nothing but its origin, all made from the one table of endpoints. */
const DOCUMENTS: readonly {
  path: string;
  type: string;
  text: Document;
  headers?: (origin: string) => Record<string, string>;
}[] = [
  { path: '/openapi.json', type: 'application/json', text: ({ description }, origin) => description(origin, 'origin') },
  {
    path: '/llms.txt',
    type: 'text/markdown; charset=utf-8',
    text: ({ listing }, origin) => llmsText({ ...listing, origin }),
  },
  {
    path: '/.well-known/x402',
    type: 'application/json',
    text: ({ listing }, origin) => JSON.stringify({ version: 1, resources: payableUrls({ ...listing, origin }) }),
  },
  {
    path: API_CATALOG_PATH,
    type: API_CATALOG_TYPE,
    text: (_parts, origin) => JSON.stringify(apiCatalog(origin)),
    headers: (origin) => ({ link: `<${origin}${API_CATALOG_PATH}>; rel="api-catalog"` }),
  },
];

export const discoveryRoutes: readonly Route[] = DOCUMENTS.map(({ path }) => ({ path }));

/** The documents by which the gateway is found. Public, and the same for everybody under one origin. */
export function discovery(parts: DiscoveryParts): readonly Endpoint[] {
  return DOCUMENTS.map(({ path, type, text, headers }) => ({
    path,
    GET: (call: Call): Reply => {
      const origin = askedOrigin(call, parts.rules);
      return {
        status: 200,
        headers: { 'content-type': type, 'cache-control': 'public, max-age=300', vary: 'Host', ...headers?.(origin) },
        body: text(parts, origin),
      };
    },
  }));
}
