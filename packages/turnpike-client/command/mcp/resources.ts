import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { listNetworks } from '@/lib/client/network-health';
import { withTypedErrors } from '../../src/turnpike-error';
import { speechModels } from '../../src/speech';
import { videoModels } from '../../src/video';
import { listChatModels } from '@/lib/client/chat-models';
import { askSettings } from '@/lib/client/gateway-settings';
import type { McpParts } from './mcp-server';

/** What an agent reads before it calls: networks, models, prices. */
export function addResources(server: McpServer, { customer }: McpParts): void {
  const { connection } = customer;
  const add = (name: string, description: string, read: () => Promise<object>): void => {
    const uri = `turnpike://${name}`;
    server.registerResource(name, uri, { title: name, description, mimeType: 'application/json' }, async () => ({ contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(await withTypedErrors(read), null, 2) }] }));
  };
  add('networks', 'Names of the blockchain networks that can be called', async () => ({ networks: await listNetworks(connection) }));
  add('models', 'Models for chats, speech and video, and what each can do', async () => {
    const [chat, speech, video] = await Promise.all([listChatModels(connection), speechModels(customer), videoModels(customer)]);
    return { chat, speech, video };
  });
  add('prices', 'What a credit and each model cost, in USD', async () => {
    const [chat, speech, video, settings] = await Promise.all([listChatModels(connection), speechModels(customer), videoModels(customer), askSettings(connection)]);
    return {
      rpc: { pricePerCreditUsd: settings.pricePerCreditUsd },
      chat: chat.map(({ id, price }) => ({ id, price })),
      speech: speech.map(({ id, usdPerMillionCharacters }) => ({ id, usdPerMillionCharacters })),
      video: video.map(({ id, usdPerSecond }) => ({ id, usdPerSecond })),
    };
  });
}
