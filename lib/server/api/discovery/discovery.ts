import type { ReceiptKey } from '@/lib/protocol/receipts/receipt';
import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import type { Call, Reply } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Description } from '../openapi/described';
import { API_CATALOG_PATH, API_CATALOG_TYPE, apiCatalog } from './api-catalog';
import { llmsText } from './llms-text';
import { type Listing, payableUrls } from './payable-urls';

interface DiscoveryParts {
  rules: GatewayRules;
  description: Description;
  receiptKeys: readonly ReceiptKey[];
  /** Listing without an origin. Each answer adds the origin that the client requested. */
  listing: Omit<Listing, 'origin'>;
}

type Document = (parts: DiscoveryParts, origin: string) => string;

/** Documents for programs that know only the gateway's origin. */
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
    path: '/.well-known/jwks.json',
    type: 'application/json',
    text: ({ receiptKeys }) =>
      JSON.stringify({ keys: receiptKeys.map((key) => ({ ...key, alg: 'EdDSA', use: 'sig' })) }),
  },
  {
    path: API_CATALOG_PATH,
    type: API_CATALOG_TYPE,
    text: ({ listing }, origin) => JSON.stringify(apiCatalog(origin, listing.brand.links)),
    headers: (origin) => ({ link: `<${origin}${API_CATALOG_PATH}>; rel="api-catalog"` }),
  },
];

export const discoveryRoutes: readonly Route[] = DOCUMENTS.map(({ path }) => ({ path }));

/** Returns the endpoints of public documents about the gateway. Each document depends only on the origin. */
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
