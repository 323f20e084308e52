import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import type { Config } from '../../config/load';
import type { Route } from '../../http/endpoint';

type Stock = Pick<Config, 'inference' | 'speech' | 'transcriptions' | 'embeddings' | 'images' | 'video'>;

/**
 * Marks endpoints without a configured model as not for sale, with a sentence that says why. All documents about what
 * the gateway sells use the result.
 */
export function offeredRoutes(routes: readonly Route[], stock: Stock): readonly Route[] {
  return routes.map((route) => {
    const { sale, ...operation } = route.docs?.POST ?? {};
    if (sale === undefined || hasModels(sale.product, stock)) return route;
    return { ...route, docs: { ...route.docs, POST: { ...operation, missing: MISSING[sale.product] } } } as Route;
  });
}

const missing = (kind: string) =>
  `This gateway has no ${kind} model, so every request is refused (404 MODEL_NOT_FOUND) and no payment is taken.`;

const MISSING: Readonly<Record<Sold, string>> = {
  rpc: '',
  chat: missing('chat'),
  speech: missing('speech'),
  transcriptions: missing('transcription'),
  embeddings: missing('embedding'),
  images: missing('image'),
  video: missing('video'),
};

const isStocked = ({ upstreams, models }: Stock['embeddings' | 'images' | 'transcriptions']): boolean =>
  upstreams.length > 0 && models.size > 0;

function hasModels(product: Sold, stock: Stock): boolean {
  switch (product) {
    case 'rpc':
      return true;
    case 'chat':
      return stock.inference.upstreams.length > 0;
    case 'speech':
    case 'video':
      return stock[product].upstreams.length > 0;
    case 'transcriptions':
    case 'images':
      return isStocked(stock[product]);
    case 'embeddings':
      return (
        isStocked(stock.embeddings) ||
        stock.inference.upstreams.some(({ isEnclave, encryption }) => isEnclave && encryption === 'ehbp')
      );
  }
}
