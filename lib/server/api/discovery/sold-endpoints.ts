import type { Brand } from '@/lib/protocol/brand';
import type { Route } from '../../http/endpoint';
import type { Operation, Sale } from '../../http/operation';

export interface SoldEndpoint {
  /** Path with parameters in braces. */
  path: string;
  operation: Operation & { sale: Sale };
}

/** Returns the endpoints that charge for each call. All use POST. */
export function soldEndpoints(routes: readonly Route[]): SoldEndpoint[] {
  return routes.flatMap(({ path, docs }) => {
    const operation = docs?.POST;
    return operation?.sale ? [{ path, operation: { ...operation, sale: operation.sale } }] : [];
  });
}

/** Facts that discovery documents show. */
export interface Listing {
  routes: readonly Route[];
  origin: string;
  /** Slugs of the configured networks. */
  networks: readonly string[];
  /** True if a call may carry its own payment. Otherwise, only the top-up accepts payments. */
  takesCallPayments: boolean;
  brand: Pick<Brand, 'name' | 'links'>;
}

/** Returns the URLs that accept an x402 payment: sold endpoints, with one URL for each network, and the top-up. */
export function payableUrls({ routes, origin, networks, takesCallPayments }: Listing): string[] {
  const sold = takesCallPayments
    ? soldEndpoints(routes).flatMap(({ path }) =>
        path.includes('{network}') ? networks.map((slug) => path.replace('{network}', slug)) : [path],
      )
    : [];
  return [...sold, '/api/v1/x402/top-up'].map((path) => origin + path);
}
