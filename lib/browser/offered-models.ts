'use client';

import { listSpeechModels, listVideoModels } from '@/lib/client';
import { listChatModels } from '@/lib/client/chat-models';
import { useQuery } from '@tanstack/react-query';
import { gatewayOptions } from './gateway';

/** A model of this gateway, whatever it does. */
export interface OfferedModel {
  kind: 'chat' | 'speech' | 'video';
  id: string;
  name: string;
  isOffline: boolean;
  prices: readonly { usd: number; unit: string }[];
}

/** Every model, chat first. null until they are known. */
export function useOfferedModels(): { models: readonly OfferedModel[] | null; error: Error | null; refetch: () => void } {
  const query = useQuery({
    queryKey: ['models', 'every'],
    queryFn: async ({ signal }) => {
      const options = gatewayOptions();
      const [chat, speech, video] = await Promise.all([listChatModels(options, { signal }), listSpeechModels(options, { signal }), listVideoModels(options, { signal })]);
      return [
        ...chat.map(({ id, name, isOffline, price }): OfferedModel => {
          const prices = price === null ? [] : [{ usd: price.inputNanoUsdPerMillion / 1e9, unit: 'in' }, { usd: price.outputNanoUsdPerMillion / 1e9, unit: 'out per million tokens' }];
          return { kind: 'chat', id, name, isOffline, prices };
        }),
        ...speech.map(({ id, name, isOffline, usdPerMillionCharacters }): OfferedModel => ({ kind: 'speech', id, name, isOffline, prices: [{ usd: usdPerMillionCharacters, unit: 'per million characters' }] })),
        ...video.map(({ id, name, isOffline, usdPerSecond }): OfferedModel => ({ kind: 'video', id, name, isOffline, prices: [{ usd: usdPerSecond, unit: 'a second' }] })),
      ];
    },
    refetchInterval: 60_000,
  });
  return { models: query.data ?? null, error: query.error, refetch: () => void query.refetch() };
}

/** Characters that a voice speaks in a minute at speed 1: 150 words. */
export const CHARACTERS_PER_MINUTE = 900;

/** What a dollar buys of models: the cheapest price of each kind, null where none is offered or it is free. */
export function dollarOfModels(models: readonly OfferedModel[]): { speechMinutes: number | null; chatTokens: number | null; videoSeconds: number | null } {
  const cheapest = (kind: OfferedModel['kind'], priceOf: (model: OfferedModel) => number | undefined) => {
    const prices = models.filter((model) => model.kind === kind).flatMap((model) => priceOf(model) ?? []).filter((usd) => usd > 0);
    return prices.length === 0 ? null : Math.min(...prices);
  };
  const per = (usd: number | null, units: number) => (usd === null ? null : Math.floor(units / usd));
  return {
    chatTokens: per(cheapest('chat', ({ prices }) => prices[1]?.usd), 1_000_000),
    speechMinutes: per(cheapest('speech', ({ prices }) => prices[0]?.usd), 1_000_000 / CHARACTERS_PER_MINUTE),
    videoSeconds: per(cheapest('video', ({ prices }) => prices[0]?.usd), 1),
  };
}
