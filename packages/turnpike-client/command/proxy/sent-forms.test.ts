import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI, { toFile } from 'openai';
import { afterEach, expect, test } from 'vitest';
import { createTurnpike } from '../../src/turnpike';
import { startProxy } from './proxy-server';

/** Guarantee: the proxy passes on a form with a file byte for byte, up to the gateway's default size. */

const TOKEN = 'token-of-a-test-1';
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a proxy at a gateway that answers with what it finds in a form. */
async function openai(): Promise<OpenAI> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const headers = { 'content-type': request.headers['content-type'] ?? '' };
        void new Response(Buffer.concat(chunks), { headers }).formData().then(async (form) => {
          const file = form.get('file') as File;
          const first = Buffer.from(await file.slice(0, 4).arrayBuffer()).toString('hex');
          const text = `${request.url} ${String(form.get('model'))} ${file.name} ${file.size} ${first}`;
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
        });
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = await startProxy({
    customer: createTurnpike({ url, account: 'key-of-a-test' }),
    privacy: 'plain',
    privately: {},
    model: null,
    token: TOKEN,
    port: 0,
    onCall: () => undefined,
  });
  ends.push(() => running.close());
  return new OpenAI({ baseURL: `http://127.0.0.1:${running.port}/v1`, apiKey: TOKEN, maxRetries: 0 });
}

test.each([4, 25 * 1_048_576])('%i bytes of audio arrive as they are', async (length) => {
  const audio = Buffer.alloc(length, Buffer.from('ff00fe80', 'hex'));
  const client = await openai();
  const { text } = await client.audio.transcriptions.create({ model: 'm', file: await toFile(audio, 'a.mp3') });
  expect(text).toBe(`/api/v1/audio/transcriptions m a.mp3 ${length} ff00fe80`);
});

test('more than the gateway takes is refused here', async () => {
  const client = await openai();
  const file = await toFile(Buffer.alloc(27 * 1_048_576), 'a.mp3');
  await expect(client.audio.transcriptions.create({ model: 'm', file })).rejects.toMatchObject({ status: 413 });
});
