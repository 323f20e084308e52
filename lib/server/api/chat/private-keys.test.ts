import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { scriptedModel } from '@/test/scripted-model';

const MESSAGES = [{ role: 'user', content: 'Hello' }];

async function stage(allow: object | null) {
  const server = await scriptedModel();
  const upstreams = [{ name: 'test', url: server.url }];
  const gateway = await chatGateway({ chatUpstreams: upstreams, models: { plain: {} } }, 1_000_000_000, {
    embeddings: { upstreams, models: { small: {} } },
    images: { upstreams, models: { painter: {} } },
  });
  await gateway.gateway.db
    .updateTable('api_keys')
    .set({ allow: allow === null ? null : JSON.stringify(allow) })
    .execute();
  const post = async (path: string, body: object) => {
    const response = await fetch(`${gateway.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as { code?: string; error?: unknown } };
  };
  return { ...gateway, server, post };
}

describe.each(['attested', 'encrypted'])('a key for calls that are %s', (privacy) => {
  it.each<[string, string, object]>([
    ['a chat', '/chat/completions', { model: 'plain', messages: MESSAGES }],
    ['a streamed chat', '/chat/completions', { model: 'plain', messages: MESSAGES, stream: true }],
    ['a chat in the form of Responses', '/responses', { model: 'plain', input: 'Hello' }],
    ['a chat in the form of Messages', '/messages', { model: 'plain', messages: MESSAGES, max_tokens: 10 }],
    ['embeddings', '/embeddings', { model: 'small', input: 'Hello' }],
    ['a picture', '/images/generations', { model: 'painter', prompt: 'A road' }],
    ['a picture by its width', '/image/generate', { model: 'painter', prompt: 'A road' }],
  ])('does not buy %s of a server that proves nothing, and nothing is sent', async (_name, path, body) => {
    const { post, server, charges } = await stage({ privacy });
    const { status, json } = await post(path, body);
    expect(status).toBe(403);
    expect(JSON.stringify(json)).toContain(`only for calls that are ${privacy}`);
    expect([server.asked, await charges()]).toEqual([[], []]);
  });

  it('calls chains as before', async () => {
    const { post } = await stage({ privacy });
    const { status } = await post('/crypto/rpc/ethereum-mainnet', { jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    expect(status).not.toBe(403);
  });
});

it('a key without such a bound is served', async () => {
  const { post } = await stage({ endpoints: ['chat'] });
  expect((await post('/chat/completions', { model: 'plain', messages: MESSAGES })).status).toBe(200);
});
