import {
  type CallOptions,
  listEmbeddingModels,
  listImageModels,
  listSpeechModels,
  listTranscriptionModels,
  listVideoModels,
  type TurnpikeClientOptions,
} from '@/lib/client';
import { listChatModels } from '@/lib/client/chat-models';

export interface OfferedModel {
  kind: 'chat' | 'speech' | 'transcriptions' | 'embeddings' | 'images' | 'video';
  id: string;
  name: string;
  isOffline: boolean;
  prices: readonly { usd: number; unit: string }[];
}

export const OFFERED_MODELS_KEY = ['models', 'every'] as const;

/** Reads all models, chat models first. Also works during server rendering. @throws GatewayError, UnreachableError */
export async function askOfferedModels(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<readonly OfferedModel[]> {
  const [chat, speech, transcriptions, embeddings, images, video] = await Promise.all([
    listChatModels(options, callOptions),
    listSpeechModels(options, callOptions),
    listTranscriptionModels(options, callOptions),
    listEmbeddingModels(options, callOptions),
    listImageModels(options, callOptions),
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
    ...transcriptions.map(({ id, name, isOffline, usdPerSecond }): OfferedModel => ({
      kind: 'transcriptions',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerSecond, unit: 'a second' }],
    })),
    ...embeddings.map(({ id, name, isOffline, usdPerMillionTokens }): OfferedModel => ({
      kind: 'embeddings',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerMillionTokens, unit: 'per million tokens' }],
    })),
    ...images.map(({ id, name, isOffline, usdPerImage }): OfferedModel => ({
      kind: 'images',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerImage, unit: 'a picture' }],
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
