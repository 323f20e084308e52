import type { Route } from '../../http/endpoint';
import { soldEndpoints } from './sold-endpoints';

/** What is listed of a gateway, as it is reached under one of its origins. */
export interface Listing {
  routes: readonly Route[];
  origin: string;
  /** Slugs of the networks that can be called. */
  networks: readonly string[];
  /** Whether calls are paid for with the call; otherwise only a top-up is paid for. */
  takesCallPayments: boolean;
}

/** Where an x402 payment is taken, each as a whole URL: a path for each network, and the top-up. */
export function payableUrls({ routes, origin, networks, takesCallPayments }: Listing): string[] {
  const sold = takesCallPayments
    ? soldEndpoints(routes).flatMap(({ path }) =>
        path.includes('{network}') ? networks.map((slug) => path.replace('{network}', slug)) : [path],
      )
    : [];
  return [...sold, '/api/v1/x402/top-up'].map((path) => origin + path);
}
