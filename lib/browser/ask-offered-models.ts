import { type CallOptions, listSpeechModels, listVideoModels, type TurnpikeClientOptions } from '@/lib/client';
import { listChatModels } from '@/lib/client/chat-models';

/** A model of this gateway, whatever it does. */
export interface OfferedModel {
  kind: 'chat' | 'speech' | 'video';
  id: string;
  name: string;
  isOffline: boolean;
  prices: readonly { usd: number; unit: string }[];
}

/** Of all models in the cache. */
export const OFFERED_MODELS_KEY = ['models', 'every'] as const;

/** Asks for every model, chat first; also for a page that is rendered on the server. @throws GatewayError, UnreachableError */
export async function askOfferedModels(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<readonly OfferedModel[]> {
  const [chat, speech, video] = await Promise.all([
    listChatModels(options, callOptions),
    listSpeechModels(options, callOptions),
    listVideoModels(options, callOptions),
  ]);
  return [
    ...chat.map(({ id, name, isOffline, price }): OfferedModel => {
      const prices =
        price === null
          ? []
          : [
              { usd: price.inputNanoUsdPerMillion / 1e9, unit: 'in' },
              { usd: price.outputNanoUsdPerMillion / 1e9, unit: 'out per million tokens' },
            ];
      return { kind: 'chat', id, name, isOffline, prices };
    }),
    ...speech.map(({ id, name, isOffline, usdPerMillionCharacters }): OfferedModel => ({
      kind: 'speech',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerMillionCharacters, unit: 'per million characters' }],
    })),
    ...video.map(({ id, name, isOffline, usdPerSecond }): OfferedModel => ({
      kind: 'video',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerSecond, unit: 'a second' }],
    })),
  ];
}
