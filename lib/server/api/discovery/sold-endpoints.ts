import type { Sold } from '@/lib/protocol/api-keys/key-scope';
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

const OFFERS: Readonly<Record<Sold, string>> = {
  rpc: 'Blockchain JSON-RPC',
  chat: 'private chat',
  embeddings: 'embeddings',
  images: 'images',
  speech: 'speech',
  transcriptions: 'transcripts',
  video: 'video',
};

/** Returns a phrase that lists what the endpoints sell, such as "Blockchain JSON-RPC, private chat and video". */
export function offerOf(routes: readonly Route[]): string {
  const sold = new Set<string>(soldEndpoints(routes).map(({ operation }) => operation.sale.product));
  const words = Object.entries(OFFERS).flatMap(([product, word]) => (sold.has(product) ? [word] : []));
  return new Intl.ListFormat('en-GB').format(words);
}

/** Data for discovery documents. */
export interface Listing {
  routes: readonly Route[];
  origin: string;
  /** Slugs of the known networks. */
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
