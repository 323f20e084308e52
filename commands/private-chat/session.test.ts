import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { attestationPolicy, type ChatMessage, type PrivateChatEvent, type PrivateChatOptions, PrivateChatSession, streamChat } from '@/lib/client/private-chat';
import { startTestGateway } from './testing/test-gateway';

// Cryptography in plain JavaScript takes its time on a machine that is busy with others.
vi.setConfig({ testTimeout: 60_000 });

const question: ChatMessage[] = [{ role: 'user', content: 'How does staking work?' }];
let gateway: Awaited<ReturnType<typeof startTestGateway>>;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.close());

const optionsOf = (change: Partial<PrivateChatOptions> = {}): PrivateChatOptions => ({
  connection: { baseUrl: gateway.url, apiKey: 'key' },
  model: 'e2ee-guide',
  encrypted: true,
  policy: attestationPolicy({ simulatedRoot: gateway.simulatedRoot }),
  accepted: ['simulated'],
  signatureRetryDelaysMs: [1, 1],
  ...change,
});
const sessionOf = (change?: Partial<PrivateChatOptions>) => new PrivateChatSession(optionsOf(change));
async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}
const textOf = (events: readonly PrivateChatEvent[]) => events.map((event) => (event.type === 'delta' ? event.text : '')).join('');

describe('a private chat', () => {
  it('attests, encrypts, decrypts, and verifies the signature over the bytes', async () => {
    const events = await collect(sessionOf().send(question));
    expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual(['attested', 'sent', 'began', 'delta', 'usage', 'signature', 'done']);
    expect(textOf(events)).toContain('daily allocation');
    expect(events.at(-1)).toMatchObject({ type: 'done', signature: { outcome: 'verified', reason: null }, answer: { finishReason: 'stop' } });
  });

  it('with an ordinary model needs no attestation', async () => {
    const events = await collect(streamChat({ connection: { baseUrl: gateway.url }, model: 'guide', messages: question }));
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  });
});
