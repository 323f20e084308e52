import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CancelSignal } from '../upstreams/nodes/asker';
import { ChatRelay } from './chat-relay';
import { ModelUpstream } from '../upstreams/models/model-upstream';

/**
 * Tests clients that leave before an answer begins. A request that was already sent is charged; an unsent one is not.
 */

const TIMEOUTS = { connectTimeoutMs: 5_000, firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000 };

/**
 * Starts a server that accepts connections and sends nothing. Over TLS no handshake completes; without TLS each request
 * arrives.
 */
async function silentUpstream(
  protocol: 'http' | 'https',
): Promise<{ upstream: ModelUpstream; connected: Promise<unknown>; received: Promise<unknown> }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => server.emit('received'));
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const upstream = new ModelUpstream({ name: 'silent', url, key: null, headers: {}, isEnclave: false }, TIMEOUTS);
  onTestFinished(() => upstream.close());
  return { upstream, connected: once(server, 'connection'), received: once(server, 'received') };
}

const QUESTION = { method: 'POST', path: '/chat/completions', body: '{}' } as const;

describe('a client that disconnects before an answer', () => {
  it.each([
    ['https', 'while the connection is being made: nothing was sent', true],
    ['http', 'once the request has left: the model has it', false],
  ] as const)('over %s, %s', async (protocol, _what, isUnsent) => {
    const { upstream, connected, received } = await silentUpstream(protocol);
    const client = new CancelSignal();
    const asked = upstream.ask(QUESTION, 1_000, client.whenGone);
    asked.catch(() => undefined);
    await (isUnsent ? connected : received);
    client.cancel();
    await expect(asked).rejects.toMatchObject({ name: 'UpstreamFailed', reason: 'gone', isUnsent });
  });

  it.each([
    ['https', true],
    ['http', false],
  ] as const)('of a stream, over %s, the same', async (protocol, isUnsent) => {
    const { upstream, connected, received } = await silentUpstream(protocol);
    const client = new CancelSignal();
    const opened = new Promise((resolve, reject) => {
      const chat = {
        paid: { keptStream: () => null, call: { whenGone: client.whenGone, requestId: 'r' } },
        isEncrypted: false,
        model: { upstream, capabilities: {} },
        body: { request: {} },
        budget: {},
      };
      const relay = new ChatRelay(
        chat as unknown as ConstructorParameters<typeof ChatRelay>[0],
        {} as ConstructorParameters<typeof ChatRelay>[1],
        5_000,
        { resolve, reject },
      );
      upstream.dispatch(QUESTION, relay);
    });
    opened.catch(() => undefined);
    await (isUnsent ? connected : received);
    client.cancel();
    await expect(opened).rejects.toMatchObject({ reason: 'gone', isUnsent });
  });

  it('of a stream, before it was begun: nothing is sent', async () => {
    const { upstream, received } = await silentUpstream('http');
    const client = new CancelSignal();
    client.cancel();
    let isReceived = false;
    void received.then(() => (isReceived = true));
    const opened = new Promise((resolve, reject) => {
      const chat = {
        paid: { keptStream: () => null, call: { whenGone: client.whenGone, requestId: 'r' } },
        isEncrypted: false,
        model: { upstream, capabilities: {} },
        body: { request: {} },
        budget: {},
      };
      const relay = new ChatRelay(
        chat as unknown as ConstructorParameters<typeof ChatRelay>[0],
        {} as ConstructorParameters<typeof ChatRelay>[1],
        5_000,
        { resolve, reject },
      );
      upstream.dispatch(QUESTION, relay);
    });
    await expect(opened).rejects.toMatchObject({ reason: 'gone', isUnsent: true });
    await sleep(50);
    expect(isReceived).toBe(false);
  });
});
