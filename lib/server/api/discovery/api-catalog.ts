import type { BrandLinks } from '@/lib/protocol/brand';

/** Media type of an API catalogue (RFC 9727, section 4). */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const API_CATALOG_PATH = '/.well-known/api-catalog';

/**
 * Returns the catalogue of APIs at an origin (RFC 9727). The catalogue lists one API with its description, reference
 * and health.
 *
 * @param links the operator's pages, with the relations of RFC 6903 and RFC 8631
 */
export function apiCatalog(origin: string, { terms, privacy, status }: BrandLinks = {}): object {
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
