/**
 * @not next: pay-on-call.test.ts requests pictures through Next, as JSON and as bytes.
 * @not postgres: charging has the same steps as speech and chats, which run on Postgres.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateImage } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';
import { WAYS_TO_PAY, type WaysToPay, waysToPay } from './harness/ways-to-pay';

/**
 * Pictures of the sandbox's stand-in, requested by unmodified third-party clients in both forms and paid in each way.
 */

const MODEL = 'stand-in-image';
const PROMPT = 'A lighthouse in a storm';
const PNG = '89504e470d0a1a0a';

let gateway: GatewayUnderTest;
let ways: WaysToPay;
beforeAll(async () => {
  const started = await startSandboxGateway();
  ({ gateway } = started);
  ways = await waysToPay(gateway, started.sandbox);
}, 120_000);
afterAll(() => gateway?.stop());

/** Width and height of a PNG. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(0, 8).toString('hex')).toBe(PNG);
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

describe.each(WAYS_TO_PAY)('paid by %s', (way) => {
  const post = (path: string, body: object) =>
    ways[way].fetch(`${gateway.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ways[way].headers },
      body: JSON.stringify({ model: MODEL, prompt: PROMPT, ...body }),
    });

  test('by the OpenAI SDK, two of one size', async () => {
    const { headers, fetch: paidFetch } = ways[way];
    const client = new OpenAI({
      baseURL: `${gateway.url}/api/v1`,
      apiKey: 'none',
      defaultHeaders: { Authorization: null, ...headers },
      fetch: paidFetch,
      maxRetries: 0,
    });
    const { data } = await client.images.generate({ model: MODEL, prompt: PROMPT, n: 2, size: '512x512' });
    const pictures = (data ?? []).map(({ b64_json: text }) => Buffer.from(text ?? '', 'base64'));
    expect(pictures.map(sizeOf)).toEqual([
      [512, 512],
      [512, 512],
    ]);
    expect(pictures[0]?.equals(pictures[1] as Buffer)).toBe(false);
  });

  test('by the AI SDK', async () => {
    const { headers, fetch: paidFetch } = ways[way];
    const provider = createOpenAICompatible({
      name: 'turnpike',
      baseURL: `${gateway.url}/api/v1`,
      headers,
      fetch: paidFetch,
    });
    const { image } = await generateImage({ model: provider.imageModel(MODEL), prompt: PROMPT, size: '512x512' });
    expect([image.mediaType, sizeOf(Buffer.from(image.uint8Array))]).toEqual(['image/png', [512, 512]]);
  });

  test('by width and height, in base64 and as it is: the same picture', async () => {
    const order = { width: 1024, height: 576, seed: 7 };
    const json = (await (await post('/image/generate', order)).json()) as { images: string[] };
    const whole = await post('/image/generate', { ...order, return_binary: true, format: 'png' });
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, whole.headers.get('content-type'), sizeOf(bytes)]).toEqual([200, 'image/png', [1024, 576]]);
    expect(Buffer.from(json.images[0] ?? '', 'base64').equals(bytes)).toBe(true);
  });

  test.each([
    ['no prompt', '/images/generations', { prompt: '' }, 400],
    ['a size that there is not', '/images/generations', { size: '99x99' }, 400],
    ['an address', '/images/generations', { response_format: 'url' }, 400],
    ['another format', '/image/generate', { format: 'webp' }, 400],
    ['too many', '/image/generate', { variants: 9 }, 400],
    ['an unknown model', '/image/generate', { model: 'guide' }, 404],
  ])('%s is refused at %s', async (_name, path, body, status) => {
    const response = await post(path, body);
    const { error } = (await response.json()) as { error: string };
    expect([response.status, error.length > 10, response.headers.get('payment-response')]).toEqual([
      status,
      true,
      null,
    ]);
  });
});

test('a picture costs what the list says of its size', async () => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/models?type=image' });
  const [model] = (
    json as { data: { model_spec: { pricing: { sizes: Record<string, { usd: number }> }; name: string } }[] }
  ).data;
  expect(model?.model_spec.name).toContain('stand-in');
  const { usd } = model?.model_spec.pricing.sizes['512x512'] as { usd: number };
  const balance = async () => {
    const response = await fetch(`${gateway.url}/api/v1/images/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ways['sign-in'].headers },
      body: JSON.stringify({ model: MODEL, prompt: PROMPT, size: '512x512' }),
    });
    return Number(response.headers.get('x-balance-remaining'));
  };
  const before = await balance();
  expect(before - (await balance())).toBeCloseTo(usd, 9);
});
