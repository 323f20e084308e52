import type { BrandLinks } from '@/lib/protocol/brand';
import type { ReceiptKey } from '@/lib/protocol/receipts/receipt';
import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import type { Call, Reply } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import type { Description } from '../openapi';
import { TAGS } from '../openapi/document';
import { type Listing, offerOf, payableUrls } from './sold-endpoints';

/** Media type of an API catalogue (RFC 9727, section 4). */
const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const API_CATALOG_PATH = '/.well-known/api-catalog';

/**
 * Returns an origin's API catalogue (RFC 9727). The catalogue lists this API with its description, reference and
 * health.
 * @param links URLs of the operator's pages, which get the link relations of RFC 6903 and RFC 8631
 */
function apiCatalog(origin: string, { terms, privacy, status }: BrandLinks = {}): object {
  return {
    linkset: [
      { anchor: origin + API_CATALOG_PATH, item: [{ href: `${origin}/api/v1` }] },
      {
        anchor: `${origin}/api/v1`,
        'service-desc': [{ href: `${origin}/api/v1/openapi.json`, type: 'application/json' }],
        'service-doc': [
          { href: `${origin}/reference`, type: 'text/html' },
          { href: `${origin}/llms.txt`, type: 'text/markdown' },
        ],
        'service-meta': [{ href: `${origin}/.well-known/x402`, type: 'application/json' }],
        status: [
          { href: `${origin}/api/health`, type: 'application/json' },
          ...(status === undefined ? [] : [{ href: status }]),
        ],
        ...(terms !== undefined && { 'terms-of-service': [{ href: terms }] }),
        ...(privacy !== undefined && { 'privacy-policy': [{ href: privacy }] }),
      },
    ],
  };
}

/** Renders llms.txt (llmstxt.org): what the gateway is, how to pay, and each endpoint with its price. */
export function llmsText({ routes, origin, networks, takesCallPayments, brand }: Listing): string {
  const pay = takesCallPayments ? PAY_WITH_THE_CALL : PAY_BEFORE;
  return [
    `# ${brand.name}`,
    `> ${offerOf(routes)} over HTTP, paid by the call in USDC. A wallet is the identity: no account is needed.`,
    [
      `- Base URL: ${origin}/api/v1. Chats use the form of the OpenAI API.`,
      `- Full description (OpenAPI 3.1): ${origin}/openapi.json`,
      ...pay.map((sentence) => `- ${sentence}`),
      '- Errors are JSON: `error` says what happened and what to do, `code` is stable.',
    ].join('\n'),
    ...Object.entries(TAGS).flatMap(([tag, description]) => sectionOf(tag, description, routes, origin)),
    `## Networks\n\n${networks.length > 0 ? networks.map((slug) => `\`${slug}\``).join(', ') : 'None is configured.'}`,
    `## Optional\n\n- [API reference](${origin}/reference): for people, with examples\n- [Payable URLs](${origin}/.well-known/x402)\n- [API catalogue](${origin}/.well-known/api-catalog)${linksOf(brand.links)}`,
    '',
  ].join('\n\n');
}

const PAY_WITH_THE_CALL = [
  'To pay by the call (x402): send the request without a credential, sign one of the "accepts" of the 402, and send the same request again with the payment in the header PAYMENT-SIGNATURE. The unused part is credited to the wallet.',
  'A wallet sign-in spends that balance (header SIGN-IN-WITH-X; the challenge is under "extensions" of the 402). Wallets that stake can mint API keys instead.',
];

const PAY_BEFORE = [
  'To pay: prepay USDC with POST /api/v1/x402/top-up (x402), then call with a wallet sign-in (header SIGN-IN-WITH-X). Wallets that stake can mint API keys instead.',
];

const LINK_TITLES: Readonly<Record<keyof BrandLinks, string>> = {
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  support: 'Support',
  status: 'Status',
};

function linksOf(links: BrandLinks): string {
  return Object.entries(LINK_TITLES)
    .flatMap(([kind, title]) => {
      const url = links[kind as keyof BrandLinks];
      return url === undefined ? [] : [`\n- [${title}](<${url}>)`];
    })
    .join('');
}

function sectionOf(tag: string, description: string, routes: readonly Route[], origin: string): string[] {
  const lines = routes.flatMap(({ path, docs }) =>
    Object.entries(docs ?? {}).flatMap(([verb, operation]) =>
      operation.tag === tag ? [lineOf(verb, path, operation, origin)] : [],
    ),
  );
  return lines.length === 0 ? [] : [`## ${tag}`, description, lines.join('\n')];
}

function lineOf(
  verb: string,
  path: string,
  { id, summary, credentials, sale, missing }: Operation,
  origin: string,
): string {
  const price = sale?.price ?? missing ?? (credentials.length === 0 ? 'Public.' : 'Free of charge.');
  return `- [${verb} ${path}](${origin}/reference#${id}): ${summary}. ${price}`;
}

interface DiscoveryParts {
  rules: GatewayRules;
  description: Description;
  receiptKeys: readonly ReceiptKey[];
  /** The origin is left out, because each answer uses the origin that the client called. */
  listing: Omit<Listing, 'origin'>;
}

type Document = (parts: DiscoveryParts, origin: string) => string;

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
