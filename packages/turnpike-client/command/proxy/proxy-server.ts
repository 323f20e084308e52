import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrokenAnswers } from '@/lib/protocol/translation/broken-answers';
import { EncryptedEmbeddings } from '../../src/private-embeddings';
import { createPrivateFetch, type PrivateFetchOptions } from '../../src/private-fetch';
import { sdkFetch } from '../../src/sdk-fetch';
import { attestedFetch } from './attested-fetch';
import { KeptItems } from './kept-items';
import { PicturedChats } from './pictured-chats';
import { ProxiedRequest, type ProxiedRequestParts } from './proxied-request';

const HEADERS_TIMEOUT_MS = 30_000;

/**
 * Handling of chats: `encrypted` and signed; `attested`, sent to a verified enclave but readable by the gateway; or
 * `plain`.
 */
export type Privacy = 'encrypted' | 'attested' | 'plain';

export interface ProxyOptions extends Omit<
  ProxiedRequestParts,
  'chats' | 'embeddings' | 'pictured' | 'broken' | 'kept'
> {
  privacy: Privacy;
  privately: PrivateFetchOptions;
  /** 0 for any free port. */
  port: number;
}

export interface RunningProxy {
  port: number;
  /** Stops the proxy. Resolves when every call has been reported. */
  close(): Promise<void>;
}

/**
 * Starts a loopback endpoint for programs without wallets. Serves JSON-RPC and OpenAI's APIs for chats, models,
 * embeddings, images, speech and transcriptions. Translates OpenAI's Responses API and Anthropic's Messages API. The
 * customer signs in and pays for calls.
 * @throws if another process uses the port
 */
export async function startProxy({ privacy, privately, port: chosen, ...rest }: ProxyOptions): Promise<RunningProxy> {
  const chats = chatFetch(rest, privacy, privately);
  const embeddings = privacy === 'plain' ? null : new EncryptedEmbeddings(rest.customer, privately);
  const parts: ProxiedRequestParts = {
    ...rest,
    chats,
    embeddings,
    pictured: new PicturedChats(rest.customer, chats),
    broken: new BrokenAnswers(),
    kept: new KeptItems(),
  };
  const running = new Set<Promise<void>>();
  const server: Server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    const serving = new ProxiedRequest(request, response, parts).serve((server.address() as AddressInfo).port);
    running.add(serving);
    void serving.finally(() => running.delete(serving));
  });
  server.listen(chosen, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, ...running]);
    },
  };
}

function chatFetch(
  { customer }: Pick<ProxiedRequestParts, 'customer'>,
  privacy: Privacy,
  privately: PrivateFetchOptions,
): typeof fetch {
  if (privacy === 'encrypted') return createPrivateFetch(customer, privately);
  return privacy === 'attested' ? attestedFetch(customer, privately) : sdkFetch(customer.fetch);
}
