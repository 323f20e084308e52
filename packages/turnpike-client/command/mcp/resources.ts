import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { listChatModels } from '@/lib/client/chat-models';
import { listEmbeddingModels, listImageModels, listTranscriptionModels } from '@/lib/client/media-models';
import { askSettings } from '@/lib/client/gateway-settings';
import { listNetworks } from '@/lib/client/network-health';
import { speechModels } from '../../src/speech';
import { withTypedErrors } from '../../src/turnpike-error';
import { videoModels } from '../../src/video';
import { jsonText } from '../printable';
import type { McpParts } from './tool-call';

export function addResources(server: McpServer, { customer }: Pick<McpParts, 'customer'>): void {
  const { connection } = customer;
  const add = (name: string, description: string, read: (call: { signal: AbortSignal }) => Promise<object>): void => {
    const uri = `turnpike://${name}`;
    server.registerResource(
      name,
      uri,
      { title: name, description, mimeType: 'application/json' },
      async (_, { signal }) => ({
        contents: [
          { uri, mimeType: 'application/json', text: jsonText(await withTypedErrors(() => read({ signal })), 2) },
        ],
      }),
    );
  };
  const models = (call: { signal: AbortSignal }) =>
    Promise.all([
      listChatModels(connection, call),
      speechModels(customer, call),
      listEmbeddingModels(connection, call),
      listImageModels(connection, call),
      listTranscriptionModels(connection, call),
      videoModels(customer, call),
    ]);
  add('networks', 'Names of the blockchain networks that can be called', async (call) => ({
    networks: await listNetworks(connection, call),
  }));
  add(
    'models',
    'Models for chats, speech, transcripts, embeddings, images and video, and what each can do',
    async (call) => {
      const [chat, speech, embeddings, images, transcriptions, video] = await models(call);
      return { chat: chat.map(({ price: _, ...model }) => model), speech, transcriptions, embeddings, images, video };
    },
  );
  add('prices', 'What a credit and each model cost, in USD', async (call) => {
    const [[chat, speech, embeddings, images, transcriptions, video], settings] = await Promise.all([
      models(call),
      askSettings(connection, call),
    ]);
    return {
      rpc: {
        pricePerCreditUsd: settings.pricePerCreditUsd,
        creditsPerCall:
          '20 on most chains (30 on Solana and zkSync), twice that for traces and debugging, four times for replays; 5 for an error',
      },
      chat: chat.map(({ id, price }) => ({
        id,
        usdPerMillionInputTokens: usd(price?.inputNanoUsdPerMillion),
        usdPerMillionOutputTokens: usd(price?.outputNanoUsdPerMillion),
      })),
      speech: speech.map(({ id, usdPerMillionCharacters }) => ({ id, usdPerMillionCharacters })),
      transcriptions: transcriptions.map(({ id, usdPerSecond }) => ({ id, usdPerSecond })),
      embeddings: embeddings.map(({ id, usdPerMillionTokens }) => ({ id, usdPerMillionTokens })),
      images: images.map(({ id, usdPerImage }) => ({ id, usdPerImage })),
      video: video.map(({ id, usdPerSecond }) => ({ id, usdPerSecond })),
    };
  });
}

const usd = (nanoUsd: number | undefined): number | null => (nanoUsd === undefined ? null : nanoUsd / 1e9);
