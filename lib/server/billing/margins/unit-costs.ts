import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import { parseUsd } from '@/lib/protocol/parse-usd';
import type { SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { Config } from '../../config/load';
import type { UnitCosts } from './cost-bounds';

export type CostsOf = (product: string, name: string) => UnitCosts | null;

const MILLION = 1_000_000;

/** Unit of `charge_days.units` for each product. */
export const UNITS: Readonly<Record<string, string>> = {
  rpc: 'credits',
  chat: 'tokens',
  embeddings: 'tokens',
  speech: 'characters',
  transcriptions: 'seconds',
  images: 'pictures',
  video: 'seconds',
};

export function costsOf(
  config: Pick<Config, 'networks' | 'inference' | 'embeddings' | 'speech' | 'transcriptions' | 'images' | 'video'>,
): CostsOf {
  const { inference, embeddings, speech, transcriptions, images, video, networks } = config;
  const byProduct: Readonly<Record<string, (name: string) => UnitCosts | null>> = {
    rpc: (slug) => oneKind(Object.hasOwn(networks, slug) ? networks[slug]?.costs?.usdPerCredit : undefined, 1),
    chat: (id) => {
      const { price, cost } = inference.models.get(id) ?? {};
      return cost ? tokenCosts(price ?? inference.price, cost) : null;
    },
    embeddings: (id) => oneKind(embeddings.models.get(id)?.costs?.usdPerMillionTokens, MILLION),
    speech: (id) => oneKind(speech.models.get(id as SpeechModelId)?.costs?.usdPerMillionCharacters, MILLION),
    transcriptions: (id) => oneKind(transcriptions.models.get(id)?.costs?.usdPerSecond, 1),
    images: (id) => {
      const { nanoUsdPerImage, costs } = images.models.get(id) ?? {};
      if (!nanoUsdPerImage || !costs) return null;
      const kinds = [...nanoUsdPerImage].map(([size, price]) => ({
        price,
        cost: parseUsd(costs.usdPerImage[size] as string),
      }));
      return { per: 1, kinds };
    },
    video: (id) => oneKind(video.models.get(id)?.costs?.usdPerSecond, 1),
  };
  return (product, name) => (Object.hasOwn(byProduct, product) ? (byProduct[product]?.(name) ?? null) : null);
}

function oneKind(usd: string | undefined, per: number): UnitCosts | null {
  return usd === undefined ? null : { per, kinds: [{ price: 0, cost: parseUsd(usd) }] };
}

/**
 * Returns the kinds of tokens with their price and cost. Leaves out a kind with the same price and cost as input
 * tokens.
 */
function tokenCosts(price: TokenPrice, cost: TokenPrice): UnitCosts {
  const input = { price: price.inputNanoUsdPerMillion, cost: cost.inputNanoUsdPerMillion };
  const kinds = [
    input,
    { price: price.outputNanoUsdPerMillion, cost: cost.outputNanoUsdPerMillion },
    ...(['cachedInputNanoUsdPerMillion', 'cacheWriteNanoUsdPerMillion'] as const)
      .filter((kind) => price[kind] !== undefined || cost[kind] !== undefined)
      .map((kind) => ({ price: price[kind] ?? input.price, cost: cost[kind] ?? input.cost })),
  ];
  return { per: MILLION, kinds };
}
