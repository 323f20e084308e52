import type { Brand } from '@/lib/protocol/brand';
import type { Route } from '../../http/endpoint';
import { soldEndpoints } from './sold-endpoints';

/** What discovery documents need to know about a gateway. */
export interface Listing {
  routes: readonly Route[];
  origin: string;
  /** Slugs of the configured networks. */
  networks: readonly string[];
  /** True if a call may carry its own payment. Otherwise the only payable endpoint is the top-up. */
  takesCallPayments: boolean;
  brand: Pick<Brand, 'name' | 'links'>;
}

/**
 * Returns the URLs that accept an x402 payment: the sold endpoints and the top-up. An endpoint with a `{network}`
 * parameter has a URL for each network.
 */
export function payableUrls({ routes, origin, networks, takesCallPayments }: Listing): string[] {
  const sold = takesCallPayments
    ? soldEndpoints(routes).flatMap(({ path }) =>
        path.includes('{network}') ? networks.map((slug) => path.replace('{network}', slug)) : [path],
      )
    : [];
  return [...sold, '/api/v1/x402/top-up'].map((path) => origin + path);
}
