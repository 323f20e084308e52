import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { askedOrigin, type GatewayRules } from '../auth/sign-in-rules';
import type { Endpoint, Route } from '../http/endpoint';
import { type DocumentOptions, openApiDocument } from './openapi/document';

export const openapiRoute: Route = { path: '/api/v1/openapi.json' };

/** GET /openapi.json: OpenAPI description of this gateway. Public. */
export function openapi({ description, rules }: { description: Description; rules: GatewayRules }): Endpoint {
  return {
    ...openapiRoute,
    GET: (call) => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', vary: 'Host' },
      body: description(askedOrigin(call, rules), 'api'),
    }),
  };
}

/** Returns the API description as JSON text, for an origin of the gateway. */
export type Description = (origin: string, relativeTo: DocumentOptions['relativeTo']) => string;

/** Returns a function that builds the description for an origin, and caches it. */
export function apiDescription(
  routes: readonly Route[],
  facts: Omit<DocumentOptions, 'origin' | 'relativeTo'>,
): Description {
  const kept = new Map<string, string>();
  return (origin, relativeTo) => {
    const name = `${relativeTo} ${origin}`;
    const text =
      kept.get(name) ??
      JSON.stringify(openApiDocument(routes, { ...facts, origin, relativeTo }), inExamples(facts.brand?.slug));
    kept.set(name, text);
    return text;
  };
}

function inExamples(slug: string = DEFAULT_BRAND.slug): ((key: string, value: unknown) => unknown) | undefined {
  if (slug === DEFAULT_BRAND.slug) return undefined;
  const example = new RegExp(`^(https://example\\.org/)?${DEFAULT_BRAND.slug}$`);
  return (_key, value) => (typeof value === 'string' ? value.replace(example, `$1${slug}`) : value);
}
