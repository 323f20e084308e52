import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, type ModelScript, scriptedModel } from '@/test/scripted-model';

/** Guarantee: the client of a slow model gets keep-alive comments from the server and from the gateway. */

const HELLO = { model: 'plain', stream: true, messages: [{ role: 'user', content: 'Hello?' }] };

async function asked(script: ModelScript, path = '/chat/completions', body: object = HELLO) {
  const model = await scriptedModel(script);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
  const response = await fetch(`${gateway.origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify(body),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => {
    vi.useRealTimers();
    return reader?.cancel();
  });
  return { response, read: async () => (await reader?.read())?.value ?? null };
}

it('comments before the first content are handed on within six seconds', async () => {
  let end: () => void = () => undefined;
  const startedAt = performance.now();
  const { read } = await asked((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': thinking\n\n'), 200);
    end = () => {
      clearInterval(timer);
      response.end(chunk('Hello.') + DONE);
    };
  });
  expect(await read()).toContain(': thinking');
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  end();
}, 20_000);

describe('where the server says nothing', () => {
  const script: ModelScript = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk('Hm.'));
  };

  it.each<[string, object | undefined]>([
    ['/chat/completions', undefined],
    ['/messages', { model: 'plain', stream: true, max_tokens: 9, messages: HELLO.messages }],
    ['/responses', { model: 'plain', stream: true, input: 'Hello?' }],
  ])('the gateway writes a comment within 15 seconds (%s)', async (path, body) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { read } = await asked(script, path, body);
    let text = '';
    while (!text.includes('Hm.')) text += (await read()) ?? '';
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(15_000);
      expect(await read()).toMatch(/^(:\n\n)+$/);
    }
  });
});
