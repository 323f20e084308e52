'use client';

import { askOfferedModels, CHARACTERS_PER_MINUTE, OFFERED_MODELS_KEY, type OfferedModel } from './ask-offered-models';
import { gatewayOptions } from './gateway';
import { useRead } from './use-read';

export type { OfferedModel } from './ask-offered-models';

/** Returns all models, chat models first; null until known. */
export function useOfferedModels(): {
  models: readonly OfferedModel[] | null;
  error: Error | null;
  refetch: () => void;
} {
  const { data, error, refetch } = useRead({
    key: OFFERED_MODELS_KEY,
    read: (signal) => askOfferedModels(gatewayOptions(), { signal }),
    everyMs: 60_000,
  });
  return { models: data ?? null, error, refetch: () => void refetch() };
}

export { CHARACTERS_PER_MINUTE };

/**
 * Returns how many output tokens, speech minutes and video seconds a dollar buys at the cheapest price above zero. A
 * field is null if there is no such price.
 */
export function dollarOfModels(models: readonly OfferedModel[]): {
  speechMinutes: number | null;
  chatTokens: number | null;
  videoSeconds: number | null;
} {
  const cheapest = (kind: OfferedModel['kind'], priceOf: (model: OfferedModel) => number | undefined) => {
    const prices = models
      .filter((model) => model.kind === kind)
      .flatMap((model) => priceOf(model) ?? [])
      .filter((usd) => usd > 0);
    return prices.length === 0 ? null : Math.min(...prices);
  };
  const per = (usd: number | null, units: number) => (usd === null ? null : units / usd);
  return {
    chatTokens: per(
      cheapest('chat', ({ prices }) => prices[1]?.usd),
      1_000_000,
    ),
    speechMinutes: per(
      cheapest('speech', ({ prices }) => prices[0]?.usd),
      1_000_000 / CHARACTERS_PER_MINUTE,
    ),
    videoSeconds: per(
      cheapest('video', ({ prices }) => prices[0]?.usd),
      1,
    ),
  };
}
