import {
  type CallOptions,
  listEmbeddingModels,
  listImageModels,
  listSpeechModels,
  listTranscriptionModels,
  listVideoModels,
  type TurnpikeClientOptions,
} from '@/lib/client';
import { listChatModels, type ModelAbilities } from '@/lib/client/chat-models';

/** Characters spoken per minute at speed 1: about 150 words. */
export const CHARACTERS_PER_MINUTE = 900;

export interface OfferedModel {
  kind: 'chat' | 'speech' | 'transcriptions' | 'embeddings' | 'images' | 'video';
  id: string;
  name: string;
  isOffline: boolean;
  can: Pick<ModelAbilities, 'encrypt' | 'attest'>;
  /** Null if the model has no context length, or the length is unknown. */
  contextTokens: number | null;
  /** Median time to the first token, measured by this gateway; null if unknown. */
  firstTokenMs: number | null;
  /** `of` names what a price is for if a model has several. */
  prices: readonly { usd: number; of?: string }[];
  unit: string;
}

/** Capabilities of a model without an enclave. */
const RELAYED = { can: { encrypt: false, attest: false }, contextTokens: null, firstTokenMs: null };

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
    ...chat.map(({ id, name, isOffline, price, can, contextTokens, firstTokenMs = null }): OfferedModel => {
      const prices =
        price === null
          ? []
          : [
              { usd: price.inputNanoUsdPerMillion / 1e9, of: 'in' },
              { usd: price.outputNanoUsdPerMillion / 1e9, of: 'out' },
            ];
      return {
        kind: 'chat',
        id,
        name,
        isOffline,
        can,
        contextTokens,
        firstTokenMs,
        prices,
        unit: 'per million tokens',
      };
    }),
    ...speech.map(({ id, name, isOffline, usdPerMillionCharacters }): OfferedModel => ({
      ...RELAYED,
      kind: 'speech',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerMillionCharacters }],
      unit: 'per million characters',
    })),
    ...transcriptions.map(({ id, name, isOffline, usdPerSecond }): OfferedModel => ({
      ...RELAYED,
      kind: 'transcriptions',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerSecond }],
      unit: 'a second',
    })),
    ...embeddings.map(({ id, name, isOffline, isEncrypted, usdPerMillionTokens }): OfferedModel => ({
      ...RELAYED,
      can: { encrypt: isEncrypted, attest: isEncrypted },
      kind: 'embeddings',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerMillionTokens }],
      unit: 'per million tokens',
    })),
    ...images.map(({ id, name, isOffline, usdPerImage }): OfferedModel => ({
      ...RELAYED,
      kind: 'images',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerImage }],
      unit: 'a picture',
    })),
    ...video.map(({ id, name, isOffline, usdPerSecond }): OfferedModel => ({
      ...RELAYED,
      kind: 'video',
      id,
      name,
      isOffline,
      prices: [{ usd: usdPerSecond }],
      unit: 'a second',
    })),
  ];
}
