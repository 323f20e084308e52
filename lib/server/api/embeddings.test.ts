import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { refusingUrl } from '@/test/scripted-node';
import { type ModelScript, refuses, scriptedModel } from '@/test/scripted-model';

const MODEL = { usdPerMillionTokens: '0.5', contextTokens: 100, dimensions: 2 };
const NANO_USD_PER_TOKEN = 500;

interface Answer {
  status: number;
  headers: Headers;
  json: {
    code?: string;
    error?: string;
    details?: unknown;
    data?: { embedding: unknown; index: number }[];
    usage?: unknown;
  };
}

/** Answers with a vector for each input. */
const embeds =
  (usage: object | null = { prompt_tokens: 7, total_tokens: 7 }): ModelScript =>
  ({ body }, response) => {
    const { input } = JSON.parse(body) as { input: unknown };
    const inputs = Array.isArray(input) && typeof input[0] !== 'number' ? (input as unknown[]) : [input];
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        object: 'list',
        data: inputs.map((_, index) => ({ object: 'embedding', index, embedding: [index, 0.5] })),
        model: 'theirs',
        ...(usage && { usage }),
      }),
    );
  };

async function stage(script: ModelScript = embeds(), settings: Record<string, unknown> = {}, model: object = {}) {
  const server = await scriptedModel(script);
  const embeddings = {
    upstreams: [{ name: 'test', url: server.url, key: 'sk-upstream-secret' }],
    models: { small: { ...MODEL, ...model } },
    ...settings,
  };
  const gateway = await chatGateway({}, 1_000_000_000, { embeddings });
  const embed = async (body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${gateway.origin}/api/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, json: (await response.json()) as Answer['json'] };
  };
  const spendable = () => gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' });
  return { server, ...gateway, embed, spendable };
}

const ask = (more: object = {}) => ({ model: 'small', input: 'Hello', ...more });

describe('a request', () => {
  it.each([
    ['a text', 'Hello', 1],
    ['texts', ['Hello', 'there'], 2],
    ['token ids', [1, 2, 3], 1],
    ['lists of token ids', [[1, 2], [3]], 2],
  ])('of %s has a vector for each, charged by the usage', async (_name, input, count) => {
    const { embed, server, charges, units } = await stage();
    const { status, json } = await embed(ask({ input }));
    expect([status, json]).toEqual([
      200,
      {
        object: 'list',
        data: Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: [index, 0.5] })),
        model: 'small',
        usage: { prompt_tokens: 7, total_tokens: 7 },
      },
    ]);
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({ model: 'small', input });
    expect([server.asked[0]?.path, server.asked[0]?.headers['authorization']]).toEqual([
      '/v1/embeddings',
      'Bearer sk-upstream-secret',
    ]);
    expect(await charges()).toEqual([
      { amount: 7 * NANO_USD_PER_TOKEN, detail: '7 tokens', resource: 'embeddings/small' },
    ]);
    expect(await units()).toEqual([7]);
  });

  it('for base64 has 32-bit floats, little-endian, though the server is asked for numbers', async () => {
    const { embed, server } = await stage();
    const { json } = await embed(ask({ input: ['a', 'b'], encoding_format: 'base64' }));
    const bytes = Buffer.from(String(json.data?.[1]?.embedding), 'base64');
    expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([8, 1, 0.5]);
    expect(JSON.parse(server.asked[0]?.body ?? '')).not.toHaveProperty('encoding_format');
  });

  it('is told to the server under its own name of the model, without what nobody knows', async () => {
    const { embed, server } = await stage(embeds(), {}, { upstreamModel: 'org/small-v2' });
    await embed(ask({ user: 'somebody', input_type: 'query', encoding_format: null, dimensions: null }));
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({ model: 'org/small-v2', input: 'Hello' });
  });

  it('asks for shorter vectors where the model has them', async () => {
    const { embed, server } = await stage(embeds(), {}, { dimensions: 4, supportsDimensions: true });
    expect((await embed(ask({ dimensions: 2 }))).status).toBe(200);
    expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ dimensions: 2 });
  });

  it('may name the only length that a model has', async () => {
    const { embed, server } = await stage();
    expect((await embed(ask({ dimensions: 2 }))).status).toBe(200);
    expect(JSON.parse(server.asked[0]?.body ?? '')).not.toHaveProperty('dimensions');
  });

  it('that is repeated under its Idempotency-Key is made and charged once', async () => {
    const { embed, server, charges } = await stage();
    const key = { 'idempotency-key': 'again' };
    const [first, second] = [await embed(ask(), key), await embed(ask(), key)];
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([server.asked.length, (await charges()).length]).toEqual([1, 1]);
    expect((await embed(ask({ input: 'Else' }), key)).json.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('the charge', () => {
  it('is never more than the bytes of the text could be, whatever the server counts', async () => {
    const { embed, charges } = await stage(embeds({ prompt_tokens: 1_000_000, total_tokens: 1_000_000 }));
    const { json } = await embed(ask({ input: 'Hello' }));
    expect(json.usage).toEqual({ prompt_tokens: 9, total_tokens: 9 });
    expect((await charges()).map(({ amount }) => amount)).toEqual([9 * NANO_USD_PER_TOKEN]);
  });

  it.each([
    ['none', null],
    ['none of numbers', { prompt_tokens: 'many' }],
    ['none of a prompt', { prompt_tokens: 0, total_tokens: 0 }],
    ['a negative one', { prompt_tokens: -5 }],
  ])('is an estimate where the server has no usage: %s', async (_name, usage) => {
    const { embed, charges } = await stage(embeds(usage));
    await embed(ask({ input: '12345678' }));
    expect((await charges()).map(({ detail }) => detail)).toEqual(['2 tokens']);
  });

  it('is refused before anything is asked where the balance does not cover the most', async () => {
    const { embed, server, caller } = await stage(embeds(), {}, { contextTokens: 1_000_000 });
    const poor = await caller(1_000);
    const { status, json } = await embed(ask({ input: 'x'.repeat(5_000) }), { authorization: `Bearer ${poor}` });
    expect([status, json.code, server.asked.length]).toEqual([402, 'INSUFFICIENT_BALANCE', 0]);
  });
});

describe('nothing is asked and nothing charged', () => {
  it.each([
    ['no input', { input: undefined }, 400],
    ['an empty text', { input: '' }, 400],
    ['an empty list', { input: [] }, 400],
    ['an empty text in a list', { input: ['a', ''] }, 400],
    ['an empty list of tokens', { input: [[]] }, 400],
    ['a number', { input: 5 }, 400],
    ['an object', { input: { text: 'a' } }, 400],
    ['texts and tokens', { input: ['a', 1] }, 400],
    ['null in a list', { input: [null] }, 400],
    ['a token that is no whole number', { input: [1.5] }, 400],
    ['a negative token', { input: [-1] }, 400],
    ['too many inputs', { input: Array.from({ length: 4 }, () => 'a') }, 400],
    ['a text that is too long', { input: ['a', 'b'.repeat(3_201)] }, 400],
    ['too many tokens', { input: Array.from({ length: 101 }, () => 1) }, 400],
    ['another encoding', { encoding_format: 'int8' }, 400],
    ['no dimensions', { dimensions: 0 }, 400],
    ['other dimensions than the model has', { dimensions: 3 }, 400],
    ['an unknown model', { model: 'large' }, 404],
    ['a model of chats', { model: 'guide' }, 404],
    ['no model', { model: undefined }, 400],
  ])('for %s', async (_name, more, status) => {
    const { embed, server, charges } = await stage(embeds(), { inputsMax: 3 });
    const answer = await embed(ask(more));
    expect(answer.status).toBe(status);
    expect(answer.json.error).toMatch(/\w/);
    expect([server.asked, await charges()]).toEqual([[], []]);
  });

  it.each([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['more than is read', JSON.stringify(ask({ input: 'a'.repeat(3_000) })), 413],
  ])('for a body of %s', async (_name, body, status) => {
    const { embed, server } = await stage(embeds(), { requestBytesMax: 2_000 });
    expect((await embed(body)).status).toBe(status);
    expect(server.asked).toEqual([]);
  });

  it.each(['X-Service-TEE-Client-Pub-Key', 'Ehbp-Encapsulated-Key'])(
    'beside a header that encrypts chats: %s',
    async (name) => {
      const { embed, server } = await stage();
      expect((await embed(ask(), { [name]: 'ab' })).status).toBe(400);
      expect(server.asked).toEqual([]);
    },
  );
});

describe('an answer that cannot be used is charged nothing, and frees what was held', () => {
  const data = (...embeddings: unknown[]) => ({
    data: embeddings.map((embedding, index) => ({ index, embedding })),
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
  it.each<[string, ModelScript, number, string]>([
    ['too few vectors', refuses(200, data([1, 2])), 502, 'MODEL_ANSWER_INVALID'],
    ['too many', refuses(200, data([1, 2], [1, 2], [1, 2])), 502, 'MODEL_ANSWER_INVALID'],
    ['vectors of another length', refuses(200, data([1, 2, 3], [1, 2, 3])), 502, 'MODEL_ANSWER_INVALID'],
    ['vectors of two lengths', refuses(200, data([1, 2], [1])), 502, 'MODEL_ANSWER_INVALID'],
    ['an empty vector', refuses(200, data([], [])), 502, 'MODEL_ANSWER_INVALID'],
    ['NaN', refuses(200, '{"data":[{"embedding":[NaN,1]},{"embedding":[1,1]}]}'), 502, 'MODEL_ANSWER_INVALID'],
    ['null for NaN', refuses(200, data([null, 1], [1, 1])), 502, 'MODEL_ANSWER_INVALID'],
    [
      'an infinite number',
      refuses(200, '{"data":[{"embedding":[1e999,1]},{"embedding":[1,1]}]}'),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    ['what is no 32-bit float', refuses(200, data([1e39, 1], [1, 1])), 502, 'MODEL_ANSWER_INVALID'],
    ['numbers as texts', refuses(200, data(['1', '2'], ['1', '2'])), 502, 'MODEL_ANSWER_INVALID'],
    [
      'one place twice',
      refuses(200, {
        data: [
          { index: 0, embedding: [1, 2] },
          { index: 0, embedding: [1, 2] },
        ],
      }),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    [
      'an invalid index',
      refuses(200, {
        data: [
          { index: 0, embedding: [1, 2] },
          { index: 7, embedding: [1, 2] },
        ],
      }),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    ['a page of HTML', refuses(200, '<html>'), 502, 'MODEL_ANSWER_INVALID'],
    ['nothing', refuses(200, ''), 502, 'MODEL_ANSWER_INVALID'],
    ['more than is read', refuses(200, data([1, 2], 'x'.repeat(20_000))), 502, 'MODEL_ANSWER_INVALID'],
    ['a refusal', refuses(400, { error: { message: 'Too long for sk-upstream-secret' } }), 400, 'MODEL_REFUSED'],
    ['another key', refuses(401, {}), 503, 'MODEL_MISCONFIGURED'],
    ['an account without credit', refuses(402, { error: 'Insufficient' }), 503, 'MODEL_MISCONFIGURED'],
    ['a queue', refuses(429, {}, { 'retry-after': '7' }), 503, 'MODEL_BUSY'],
    ['an error', refuses(500, {}), 503, 'MODEL_UNAVAILABLE'],
    ['a redirect', refuses(302, {}, { location: 'http://127.0.0.1:1/' }), 503, 'MODEL_UNAVAILABLE'],
    ['a hang', () => undefined, 504, 'MODEL_TIMEOUT'],
    ['a broken connection', (_asked, response) => void response.destroy(), 503, 'MODEL_UNAVAILABLE'],
  ])('%s', async (_name, script, status, code) => {
    const { embed, charges, spendable } = await stage(script, { firstByteTimeoutMs: 200, answerBytesMax: 10_000 });
    const { status: answered, json } = await embed(ask({ input: ['a', 'b'] }));
    expect([answered, json.code]).toEqual([status, code]);
    expect(JSON.stringify(json)).not.toContain('sk-upstream-secret');
    expect([await charges(), await spendable()]).toEqual([[], 1_000_000_000]);
  });

  it('vectors in another order come in that of the inputs', async () => {
    const { embed } = await stage(
      refuses(200, {
        data: [
          { index: 1, embedding: [1, 1] },
          { index: 0, embedding: [0, 0] },
        ],
      }),
    );
    const { json } = await embed(ask({ input: ['a', 'b'] }));
    expect(json.data?.map(({ embedding }) => embedding)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});

describe('several servers of one model', () => {
  it.each<[string, ModelScript]>([
    ['fails', refuses(500, {})],
    ['is busy', refuses(429, {})],
    ['has no credit', refuses(402, {})],
    ['answers nonsense', refuses(200, { data: [] })],
    ['hangs', () => undefined],
  ])('the next is asked where one %s, and charged once', async (_name, script) => {
    const [bad, good] = [await scriptedModel(script), await scriptedModel(embeds())];
    const { embed, charges } = await stage(embeds(), {
      firstByteTimeoutMs: 300,
      upstreams: [
        { name: 'away', url: await refusingUrl() },
        { name: 'bad', url: bad.url },
        { name: 'good', url: good.url },
      ],
    });
    expect((await embed(ask())).status).toBe(200);
    expect([bad.asked.length, good.asked.length, (await charges()).length]).toEqual([1, 1, 1]);
  });

  it('no other is asked after a refusal of the request', async () => {
    const [first, second] = [await scriptedModel(refuses(400, { error: 'No.' })), await scriptedModel(embeds())];
    const { embed } = await stage(embeds(), {
      upstreams: [
        { name: 'one', url: first.url },
        { name: 'two', url: second.url },
      ],
    });
    expect([(await embed(ask())).json.code, second.asked.length]).toEqual(['MODEL_REFUSED', 0]);
  });

  it('a model that names one is asked there alone', async () => {
    const [one, two] = [await scriptedModel(embeds()), await scriptedModel(embeds())];
    const upstreams = [
      { name: 'one', url: one.url },
      { name: 'two', url: two.url },
    ];
    const { embed } = await stage(embeds(), { upstreams }, { upstream: 'two' });
    await embed(ask());
    expect([one.asked.length, two.asked.length]).toEqual([0, 1]);
  });
});

describe('the list of models', () => {
  it('has price, context, length and flags, and none of the chats', async () => {
    const { get } = await stage(embeds(), {}, { name: 'Small', supportsDimensions: true });
    const { json } = await get('/models?type=embedding');
    expect(json).toMatchObject({
      type: 'embedding',
      data: [
        {
          id: 'small',
          type: 'embedding',
          owned_by: 'test',
          context_length: 100,
          model_spec: {
            name: 'Small',
            dimensions: 2,
            capabilities: { supportsDimensions: true, supportsE2EE: false },
            pricing: { input: { usd: 0.5, diem: 0.5 } },
            offline: false,
          },
        },
      ],
    });
    expect((await get('/models/small')).json).toMatchObject({ id: 'small', type: 'embedding' });
    expect((await get('/models')).json).toMatchObject({ data: [] });
  });
});

describe('a key that is bounded', () => {
  it('buys embeddings only where its list has them', async () => {
    const { embed, gateway, server } = await stage();
    const bound = async (allow: object) =>
      gateway.db
        .updateTable('api_keys')
        .set({ allow: JSON.stringify(allow) })
        .execute();
    await bound({ endpoints: ['chat'] });
    expect((await embed(ask())).json.code).toBe('API_KEY_NOT_ALLOWED');
    await bound({ models: ['large'] });
    expect((await embed(ask())).json.code).toBe('API_KEY_NOT_ALLOWED');
    expect(server.asked).toEqual([]);
    await bound({ endpoints: ['embeddings'], models: ['small'] });
    expect((await embed(ask())).status).toBe(200);
  });
});
