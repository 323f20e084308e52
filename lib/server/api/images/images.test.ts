import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import type { ImageModelConfig } from '../../config/images';
import { type ModelScript, refuses, scriptedModel } from '@/test/scripted-model';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const WEBP = Buffer.from('524946460a00000057454250', 'hex');
const SMALL_NANO_USD = 10_000_000;
const LARGE_NANO_USD = 40_000_000;
const OPENAI = '/images/generations';
const NATIVE = '/image/generate';

const draws =
  (picture: Buffer = PNG): ModelScript =>
  ({ body }, response) => {
    const { n } = JSON.parse(body) as { n: number };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: Array.from({ length: n }, () => ({ b64_json: picture.toString('base64') })) }));
  };

interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json: { code?: string; error?: string; data?: { b64_json: string }[]; images?: string[]; [name: string]: unknown };
}

async function stage(script: ModelScript = draws(), settings: object = {}, model: object = {}) {
  const server = await scriptedModel(script);
  const images = {
    upstreams: [{ name: 'test', url: server.url, key: 'sk-upstream-secret' }],
    models: { painter: { usdPerImage: { '1024x1024': '0.04', '512x512': '0.01' }, ...model } },
    ...settings,
  };
  const gateway = await chatGateway({}, 1_000_000_000, { images });
  const ask = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${gateway.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type') === 'application/json';
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: isJson ? (JSON.parse(bytes.toString('utf8')) as Answer['json']) : {},
    };
  };
  const spendable = () => gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' });
  return {
    server,
    ...gateway,
    ask,
    spendable,
    asked: () => server.asked.map(({ body }) => JSON.parse(body) as object),
  };
}

const order = (more: object = {}) => ({ model: 'painter', prompt: 'A road', ...more });

describe('in the form of OpenAI', () => {
  it('a picture comes in base64, charged at the price of the first size', async () => {
    const { ask, asked, charges, units } = await stage();
    const { status, json } = await ask(OPENAI, order());
    expect([status, json]).toEqual([
      200,
      {
        created: expect.any(Number),
        data: [{ b64_json: PNG.toString('base64') }],
        output_format: 'png',
        size: '1024x1024',
      },
    ]);
    expect(asked()).toEqual([
      { model: 'painter', prompt: 'A road', n: 1, size: '1024x1024', response_format: 'b64_json' },
    ]);
    expect(await charges()).toEqual([{ amount: LARGE_NANO_USD, detail: '1 of 1024x1024', resource: 'images/painter' }]);
    expect(await units()).toEqual([1]);
  });

  it('several of another size are charged by the picture', async () => {
    const { ask, charges, units } = await stage();
    const { json } = await ask(OPENAI, order({ n: 3, size: '512x512', quality: 'high', style: 'vivid', user: 'me' }));
    expect(json.data).toHaveLength(3);
    expect((await charges()).map(({ amount }) => amount)).toEqual([3 * SMALL_NANO_USD]);
    expect(await units()).toEqual([3]);
  });

  it('"auto" is the first size', async () => {
    const { ask } = await stage();
    expect((await ask(OPENAI, order({ size: 'auto', response_format: 'b64_json', stream: false }))).json['size']).toBe(
      '1024x1024',
    );
  });
});

describe('in the form of width and height', () => {
  it('pictures come in base64 with the time that they took', async () => {
    const { ask, asked, charges } = await stage();
    const { status, json } = await ask(
      NATIVE,
      order({ width: 512, height: 512, variants: 2, steps: 8, cfg_scale: 7.5, safe_mode: true, style_preset: 'Anime' }),
    );
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^generate-image-[0-9a-f]{32}$/),
        images: [PNG.toString('base64'), PNG.toString('base64')],
        timing: {
          inferenceDuration: expect.any(Number),
          inferencePreprocessingTime: 0,
          inferenceQueueTime: 0,
          total: expect.any(Number),
        },
      },
    ]);
    expect(asked()).toEqual([
      { model: 'painter', prompt: 'A road', n: 2, size: '512x512', response_format: 'b64_json' },
    ]);
    expect((await charges()).map(({ amount }) => amount)).toEqual([2 * SMALL_NANO_USD]);
  });

  it('one alone comes as it is with return_binary', async () => {
    const { ask, charges } = await stage();
    const { headers, bytes } = await ask(NATIVE, order({ return_binary: true }));
    expect([headers.get('content-type'), bytes]).toEqual(['image/png', PNG]);
    expect((await charges()).map(({ amount }) => amount)).toEqual([LARGE_NANO_USD]);
  });

  it.each([
    ['jpeg', JPEG],
    ['webp', WEBP],
  ])('%s is asked for and answered where the model has it', async (format, picture) => {
    const { ask, asked } = await stage(draws(picture), {}, { formats: ['png', format] });
    const { headers, bytes } = await ask(NATIVE, order({ return_binary: true, format }));
    expect([headers.get('content-type'), bytes]).toEqual([`image/${format}`, picture]);
    expect(asked()[0]).toMatchObject({ output_format: format });
  });
});

describe('either form', () => {
  it.each([OPENAI, NATIVE])('%s sends seed and negative prompt only to a server that takes them', async (path) => {
    const more = { seed: 7, negative_prompt: 'Cars' };
    const [plain, taking] = [await stage(), await stage(draws(), {}, { fields: ['seed', 'negative_prompt'] })];
    await plain.ask(path, order(more));
    await taking.ask(path, order(more));
    expect(plain.asked()[0]).not.toMatchObject({ seed: 7 });
    expect(plain.asked()[0]).not.toHaveProperty('negative_prompt');
    expect(taking.asked()[0]).toMatchObject(more);
  });

  it.each([
    [OPENAI, {}],
    [NATIVE, { return_binary: true }],
  ])('%s that is repeated under its Idempotency-Key is made and charged once', async (path, more) => {
    const { ask, server, charges } = await stage();
    const key = { 'idempotency-key': 'again' };
    const [first, second] = [await ask(path, order(more), key), await ask(path, order(more), key)];
    expect([second.bytes, second.headers.get('content-type')]).toEqual([
      first.bytes,
      first.headers.get('content-type'),
    ]);
    expect([second.headers.get('idempotent-replayed'), server.asked.length, (await charges()).length]).toEqual([
      'true',
      1,
      1,
    ]);
    expect((await ask(path, order({ ...more, prompt: 'Else' }), key)).json.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it.each([
    [OPENAI, {}],
    [NATIVE, { return_binary: true }],
  ])('%s is the same request after the order of sizes, formats and models has changed', async (path, more) => {
    const { ask, charges, gateway } = await stage(draws(), {}, { formats: ['png', 'jpeg'] });
    const [body, key] = [{ prompt: 'A road', ...more }, { 'idempotency-key': 'again' }];
    const first = await ask(path, body, key);
    const models = gateway.config.images.models as Map<string, ImageModelConfig>;
    const painter = models.get('painter') as ImageModelConfig;
    models.clear();
    models.set('other', painter).set('painter', painter);
    for (const id of models.keys())
      models.set(id, {
        ...painter,
        nanoUsdPerImage: new Map([...painter.nanoUsdPerImage].reverse()),
        formats: painter.formats.toReversed(),
      });
    const second = await ask(path, body, key);
    expect([second.status, second.bytes, second.headers.get('content-type')]).toEqual([
      200,
      first.bytes,
      first.headers.get('content-type'),
    ]);
    expect(await charges()).toHaveLength(1);
  });

  it('a key of one form is refused in the other, whose answers have another shape', async () => {
    const { ask, charges } = await stage();
    const key = { 'idempotency-key': 'again' };
    expect((await ask(OPENAI, order({ size: '512x512' }), key)).status).toBe(200);
    const { status, json } = await ask(NATIVE, order({ width: 512, height: 512 }), key);
    expect([status, json.code, (await charges()).length]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED', 1]);
  });

  it('is refused before anything is asked where the balance does not cover it', async () => {
    const { ask, server, caller } = await stage();
    const poor = { authorization: `Bearer ${await caller(LARGE_NANO_USD - 1)}` };
    for (const path of [OPENAI, NATIVE])
      expect((await ask(path, order(), poor)).json.code).toBe('INSUFFICIENT_BALANCE');
    expect(server.asked).toEqual([]);
    expect((await ask(OPENAI, order({ size: '512x512' }), poor)).status).toBe(200);
  });
});

describe('nothing is asked and nothing charged', () => {
  it.each<[string, string, object | string, number]>([
    ['no prompt', OPENAI, { prompt: undefined }, 400],
    ['an empty prompt', OPENAI, { prompt: '' }, 400],
    ['a prompt that is too long', OPENAI, { prompt: 'a'.repeat(7_501) }, 400],
    ['a size that the model has not', OPENAI, { size: '256x256' }, 400],
    ['a size of nonsense', OPENAI, { size: 'large' }, 400],
    ['a size beyond bounds', OPENAI, { size: '999999x999999' }, 400],
    ['no pictures', OPENAI, { n: 0 }, 400],
    ['too many pictures', OPENAI, { n: 5 }, 400],
    ['half a picture', OPENAI, { n: 1.5 }, 400],
    ['an address instead of a picture', OPENAI, { response_format: 'url' }, 400],
    ['a format that the model has not', OPENAI, { output_format: 'webp' }, 400],
    ['a stream', OPENAI, { stream: true }, 400],
    ['a negative seed', OPENAI, { seed: -1 }, 400],
    ['an unknown model', OPENAI, { model: 'guide' }, 404],
    ['no JSON', OPENAI, '{', 400],
    ['more than is read', OPENAI, `"${'a'.repeat(300_000)}"`, 413],
    ['a width that the model has not', NATIVE, { width: 100 }, 400],
    ['a height of nothing', NATIVE, { height: 0 }, 400],
    ['a width of text', NATIVE, { width: '512' }, 400],
    ['too many variants', NATIVE, { variants: 5 }, 400],
    ['variants in one picture', NATIVE, { variants: 2, return_binary: true }, 400],
    ['a format that the model has not', NATIVE, { format: 'webp' }, 400],
    ['a format that nobody has', NATIVE, { format: 'svg' }, 400],
    ['an unknown model', NATIVE, { model: 'guide' }, 404],
  ])('for %s at %s', async (_name, path, more, status) => {
    const { ask, server, charges } = await stage();
    const answer = await ask(path, typeof more === 'string' ? more : order(more));
    expect(answer.status).toBe(status);
    expect(answer.json.error).toMatch(/\w/);
    expect([server.asked, await charges()]).toEqual([[], []]);
  });
});

describe('an answer that cannot be used is charged nothing, and frees what was held', () => {
  const b64 = (...pictures: unknown[]) => ({ data: pictures.map((each) => ({ b64_json: each })) });
  const png = PNG.toString('base64');
  it.each<[string, ModelScript, number, string]>([
    ['too few pictures', refuses(200, b64(png)), 502, 'MODEL_ANSWER_INVALID'],
    ['too many', refuses(200, b64(png, png, png)), 502, 'MODEL_ANSWER_INVALID'],
    [
      'addresses',
      refuses(200, { data: [{ url: 'http://127.0.0.1/a.png' }, { url: 'b' }] }),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    ['no base64', refuses(200, b64('<svg>', png)), 502, 'MODEL_ANSWER_INVALID'],
    ['an empty picture', refuses(200, b64('', png)), 502, 'MODEL_ANSWER_INVALID'],
    ['another format', refuses(200, b64(JPEG.toString('base64'), png)), 502, 'MODEL_ANSWER_INVALID'],
    ['a page in base64', refuses(200, b64(Buffer.from('<html>').toString('base64'), png)), 502, 'MODEL_ANSWER_INVALID'],
    ['HTML', refuses(200, '<html>'), 502, 'MODEL_ANSWER_INVALID'],
    ['more than is read', refuses(200, b64(png, 'A'.repeat(20_000))), 502, 'MODEL_ANSWER_INVALID'],
    ['a refusal', refuses(400, { error: { message: 'Not for sk-upstream-secret' } }), 400, 'MODEL_REFUSED'],
    ['another key', refuses(401, {}), 503, 'MODEL_MISCONFIGURED'],
    ['a queue', refuses(429, {}), 503, 'MODEL_BUSY'],
    ['an error', refuses(500, {}), 503, 'MODEL_UNAVAILABLE'],
    ['a hang', () => undefined, 504, 'MODEL_TIMEOUT'],
    ['a broken connection', (_asked, response) => void response.destroy(), 503, 'MODEL_UNAVAILABLE'],
  ])('%s', async (_name, script, status, code) => {
    const { ask, charges, spendable } = await stage(script, { firstByteTimeoutMs: 200, answerBytesMax: 10_000 });
    const { status: answered, json } = await ask(OPENAI, order({ n: 2 }));
    expect([answered, json.code]).toEqual([status, code]);
    expect(JSON.stringify(json)).not.toContain('sk-upstream-secret');
    expect([await charges(), await spendable()]).toEqual([[], 1_000_000_000]);
  });
});

describe('a server that refuses response_format', () => {
  const refusal = refuses(400, {
    error: { message: "Unknown parameter: 'response_format'.", param: 'response_format' },
  });
  const refusing =
    (answer: ModelScript): ModelScript =>
    (asked, response) =>
      (asked.body.includes('response_format') ? refusal : answer)(asked, response);
  const isSent = (asked: object[]) => asked.map((body) => 'response_format' in body);

  it('is asked again without it, charged once, and remembered', async () => {
    const { ask, asked, charges } = await stage(refusing(draws()));
    for (const path of [OPENAI, NATIVE]) expect((await ask(path, order())).status).toBe(200);
    expect(isSent(asked())).toEqual([true, false, false]);
    expect((await charges()).map(({ amount }) => amount)).toEqual([LARGE_NANO_USD, LARGE_NANO_USD]);
  });

  it('and then answers with an address is asked with it the next time', async () => {
    const { ask, asked, charges } = await stage(refusing(refuses(200, { data: [{ url: 'https://a.example/b.png' }] })));
    for (let i = 0; i < 2; i++) expect((await ask(OPENAI, order())).json.code).toBe('MODEL_ANSWER_INVALID');
    expect([isSent(asked()), await charges()]).toEqual([[true, false, true, false], []]);
  });
});

it('the list of models has prices by size, formats and flags', async () => {
  const { get } = await stage(draws(), {}, { name: 'Painter', fields: ['seed'] });
  expect((await get('/models?type=image')).json).toMatchObject({
    type: 'image',
    data: [
      {
        id: 'painter',
        type: 'image',
        model_spec: {
          name: 'Painter',
          sizes: ['1024x1024', '512x512'],
          formats: ['png'],
          capabilities: { supportsSeed: true, supportsNegativePrompt: false },
          pricing: { generation: { usd: 0.04 }, sizes: { '512x512': { usd: 0.01 } } },
          offline: false,
        },
      },
    ],
  });
});

it('a bounded key buys pictures only where its list has them', async () => {
  const { ask, gateway } = await stage();
  const bound = (allow: object) =>
    gateway.db
      .updateTable('api_keys')
      .set({ allow: JSON.stringify(allow) })
      .execute();
  await bound({ endpoints: ['chat', 'embeddings'] });
  expect((await ask(OPENAI, order())).json.code).toBe('API_KEY_NOT_ALLOWED');
  expect((await ask(NATIVE, order())).json.code).toBe('API_KEY_NOT_ALLOWED');
  await bound({ endpoints: ['images'] });
  expect((await ask(NATIVE, order())).status).toBe(200);
});
