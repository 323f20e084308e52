import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '@/test/bundle-program';
import { chatGateway } from '@/test/chat-gateway';
import { refusingUrl } from '@/test/scripted-node';
import { completionText, refuses, says, scriptedModel } from '@/test/scripted-model';

beforeAll(() => bundleProgram('schema-checker'));

const HELLO = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }] };
const upstreams = (url: string, more: object = {}) => ({
  chatUpstreams: [{ name: 'test', url, key: 'sk-upstream-secret', ...more }],
});

describe('POST /chat/completions', () => {
  it('passes on the answer byte for byte, and charges what the upstream counted', async () => {
    const model = await scriptedModel();
    const { ask, charges, units } = await chatGateway(upstreams(model.url));
    const { status, text } = await ask(HELLO);
    expect(status).toBe(200);
    expect(text).toBe(completionText('Hello.'));
    expect(await charges()).toEqual([
      { amount: 100 * 1_000 + 50 * 2_000, detail: '100 + 50 tokens', resource: 'chat/plain' },
    ]);
    expect(await units()).toEqual([150]);
    expect(model.asked[0]?.headers['authorization']).toBe('Bearer sk-upstream-secret');
  });

  it('passes on what it does not know, with all digits', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url));
    const body =
      '{"model":"plain","seed":18446744073709551615,"messages":[{"role":"user","content":"é","extra":[1.50]}],"tools":[{"type":"function","function":{"name":"f"}}]}';
    expect((await ask(body)).status).toBe(200);
    expect(model.asked[0]?.body).toBe(body);
  });

  it('charges an estimate where the upstream does not count: a quarter of the bytes of the text, not of how it is written down', async () => {
    const model = await scriptedModel(says('x'.repeat(40), null));
    const { ask, charges } = await chatGateway(upstreams(model.url));
    await ask(
      JSON.stringify(
        { ...HELLO, messages: [{ role: 'user', content: 'é'.repeat(50) }], user: 'x'.repeat(1_000) },
        null,
        8,
      ),
    );
    expect((await charges())[0]?.detail).toBe('25 + 10 tokens');
  });

  it('never charges more than was held', async () => {
    const model = await scriptedModel(says('long', { prompt_tokens: 1_000_000, completion_tokens: 1_000_000 }));
    const { ask, charges } = await chatGateway(upstreams(model.url));
    await ask({ ...HELLO, max_tokens: 10 });
    const [charge] = await charges();
    expect(charge?.amount).toBeLessThanOrEqual(1_000 * 1_000 + 10 * 2_000);
  });

  it('does not count toward the caps of the RPC proxy', async () => {
    const model = await scriptedModel();
    const { ask, gateway } = await chatGateway(upstreams(model.url), 1_000_000_000, {
      limits: { rpcRequestsPerMinute: { standard: 1 }, rpcCreditsPerDay: { standard: 1 } },
    });
    for (let i = 0; i < 3; i++) expect((await ask(HELLO)).status).toBe(200);
    const { minute_requests: requests } = await gateway.db.selectFrom('meters').selectAll().executeTakeFirstOrThrow();
    expect(requests).toBe(0);
  });

  it('has the minute cap of all other endpoints', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url), 1_000_000_000, { limits: { requestsPerMinute: 1 } });
    expect((await ask(HELLO)).status).toBe(200);
    const { status, headers } = await ask(HELLO);
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-limit')).toBe('1');
  });
});

describe('a body that is no chat', () => {
  it.each<[object | string, string, string]>([
    [{ ...HELLO, model: undefined }, 'model', 'It is missing and must be a string'],
    [{ ...HELLO, messages: undefined }, 'messages', 'It is missing and must be an array'],
    [{ ...HELLO, messages: 'Hello?' }, 'messages', 'Must be an array, not a string'],
    [{ ...HELLO, messages: [] }, 'messages', 'Must have at least 1 item'],
    [{ ...HELLO, messages: [{ content: 'x' }] }, 'messages.0.role', 'It is missing and must be a string'],
    [{ ...HELLO, messages: ['x'] }, 'messages.0', 'Must be an object, not a string'],
    [{ ...HELLO, stream: 'yes' }, 'stream', 'Must be true or false, not a string'],
    [{ ...HELLO, max_tokens: 0 }, 'max_tokens', 'Must be at least 1'],
    [{ ...HELLO, max_tokens: 1.5 }, 'max_tokens', 'Must be an integer'],
    [{ ...HELLO, n: 17 }, 'n', 'Must be at most 16'],
    [{ ...HELLO, tools: {} }, 'tools', 'Must be an array, not an object'],
    [{ ...HELLO, response_format: 'json' }, 'response_format', 'Must be an object, not a string'],
    [
      { ...HELLO, response_format: { type: 'xml' } },
      'response_format.type',
      'Must be "text", "json_object" or "json_schema"',
    ],
    [
      { ...HELLO, response_format: { type: 'json_schema' } },
      'response_format.json_schema',
      'It is missing and must be an object',
    ],
    [
      { ...HELLO, response_format: { type: 'json_schema', json_schema: { name: 'x', strict: false, schema: {} } } },
      'response_format.json_schema.strict',
      'Must be true',
    ],
    [
      { ...HELLO, response_format: { type: 'json_schema', json_schema: { name: 'a b', strict: true, schema: {} } } },
      'response_format.json_schema.name',
      'Must be 1 to 64 letters, digits, "_" or "-"',
    ],
  ])('is refused in plain words, with the path: %j', async (body, path, fault) => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url));
    const { status, json } = await ask(body);
    expect([status, json.code, json.error]).toEqual([
      400,
      'INVALID_REQUEST',
      `The field "${path}" is not valid: ${fault}.`,
    ]);
    expect(
      path.split('.').reduce<unknown>((tree, step) => (tree as Record<string, unknown>)[step], json.details),
    ).toEqual({ _errors: [`${fault}.`] });
    expect(model.asked).toEqual([]);
  });
});

describe('a balance that covers less than the most', () => {
  it('shortens the completion', async () => {
    const model = await scriptedModel();
    const { ask, caller } = await chatGateway(upstreams(model.url));
    const key = await caller(500_000);
    expect((await ask({ ...HELLO, max_tokens: 900 }, { key })).status).toBe(200);
    const sent = JSON.parse(model.asked[0]?.body ?? '') as { max_tokens: number };
    expect(sent.max_tokens).toBeGreaterThan(100);
    expect(sent.max_tokens).toBeLessThan(250);
  });

  it('shortens it under both names, and each of several', async () => {
    const model = await scriptedModel();
    const { ask, caller } = await chatGateway(upstreams(model.url));
    const key = await caller(500_000);
    await ask({ ...HELLO, max_completion_tokens: 900, n: 2 }, { key });
    const sent = JSON.parse(model.asked[0]?.body ?? '') as Record<string, number>;
    expect(sent['max_completion_tokens']).toBeLessThan(125);
    expect(sent['max_tokens']).toBe(sent['max_completion_tokens']);
  });

  it('is 402 where nothing useful is left, and the upstream hears nothing', async () => {
    const model = await scriptedModel();
    const { ask, caller, charges } = await chatGateway(upstreams(model.url));
    for (const amount of [0, 1_000]) {
      const { status, json } = await ask(HELLO, { key: await caller(amount) });
      expect([status, json.code]).toEqual([402, 'INSUFFICIENT_BALANCE']);
    }
    expect(model.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it('is 402 for an attested model, with the amount, since nothing of it may be changed', async () => {
    const model = await scriptedModel(says('x'), [{ id: 'plain', context_length: 1_000 }]);
    const { ask, caller } = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] });
    const { status, json } = await ask({ ...HELLO, max_tokens: 900 }, { key: await caller(500_000) });
    expect(status).toBe(402);
    expect(json['minimumBalanceUsd']).toBeGreaterThan(0.0018);
    expect(model.asked).toEqual([]);
  });

  it('is 402 with discovery without a credential', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url));
    const { status, json, headers } = await ask(HELLO, { key: null });
    expect([status, json['x402Version']]).toEqual([402, 2]);
    expect(headers.get('payment-required')).toBeTruthy();
  });
});

describe('what an upstream says', () => {
  it.each([
    [401, { error: { message: 'Incorrect API key provided: sk-upstream-secret' } }, 503, 'MODEL_MISCONFIGURED'],
    [403, { error: { message: 'no' } }, 503, 'MODEL_MISCONFIGURED'],
    [429, { error: { message: 'slow down' } }, 503, 'MODEL_BUSY'],
    [400, { error: { message: 'max_tokens is too large' } }, 400, 'MODEL_REFUSED'],
    [404, { error: 'model "x" not found, try pulling it first' }, 400, 'MODEL_REFUSED'],
    [422, { detail: 'bad' }, 400, 'MODEL_REFUSED'],
    [500, { error: { message: 'stack trace' } }, 503, 'MODEL_UNAVAILABLE'],
    [200, 'no json', 502, 'MODEL_ANSWER_INVALID'],
  ])('status %i with %j is %i %s, and charges nothing', async (said, body, status, code) => {
    const model = await scriptedModel(refuses(said, body));
    const { ask, charges } = await chatGateway(upstreams(model.url));
    const { text, ...answer } = await ask(HELLO);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(text).not.toContain('sk-upstream-secret');
    expect(await charges()).toEqual([]);
  });

  it('keeps its sentence, without its secrets', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url, { headers: { 'x-team': 'team-4711' } }));
    model.script = refuses(400, {
      error: { message: `The image is too large. key=sk-upstream-secret team-4711 at ${model.url}/x, Bearer abcdef` },
    });
    const { json } = await ask(HELLO);
    expect(json.error).toBe('The image is too large. key=[redacted] [redacted] at [redacted]/v1/x, [redacted].');
  });

  it('tells how long to wait', async () => {
    const model = await scriptedModel(refuses(429, {}, { 'retry-after': '17' }));
    const { ask } = await chatGateway(upstreams(model.url));
    expect((await ask(HELLO)).headers.get('retry-after')).toBe('17');
  });

  it('is 503 where it is away, 504 where it takes too long', async () => {
    const model = await scriptedModel(() => undefined);
    const { ask, charges } = await chatGateway({ ...upstreams(model.url), firstByteTimeoutMs: 50 });
    expect((await ask(HELLO)).json.code).toBe('MODEL_TIMEOUT');
    model.script = (_asked, response) => void response.destroy();
    expect((await ask(HELLO)).json.code).toBe('MODEL_UNAVAILABLE');
    expect(await charges()).toEqual([]);
  });

  it('does not stop the others: a model of an upstream that is away is 404, until it is back', async () => {
    const { ask } = await chatGateway({ chatUpstreams: [{ name: 'away', url: await refusingUrl() }] });
    expect((await ask(HELLO)).json.code).toBe('MODEL_NOT_FOUND');
  });
});

describe('bad requests', () => {
  it.each([
    ['', 'EMPTY_BODY'],
    ['{', 'INVALID_JSON'],
    ['[]', 'INVALID_REQUEST'],
    [{}, 'INVALID_REQUEST'],
    [{ ...HELLO, messages: [] }, 'INVALID_REQUEST'],
    [{ ...HELLO, messages: 'Hello?' }, 'INVALID_REQUEST'],
    [{ ...HELLO, max_tokens: 0 }, 'INVALID_REQUEST'],
    [{ ...HELLO, n: 1_000 }, 'INVALID_REQUEST'],
    ['{"model":"plain","model":"dear","messages":[{"role":"user","content":"x"}]}', 'INVALID_REQUEST'],
    ['{"model":"plain","\\u006dodel":"dear","messages":[{"role":"user","content":"x"}]}', 'INVALID_REQUEST'],
  ])('%j is 400 %s', async (body, code) => {
    const model = await scriptedModel();
    const { ask, charges } = await chatGateway(upstreams(model.url));
    const { status, json } = await ask(body);
    expect([status, json.code]).toEqual([400, code]);
    expect(json.details).toHaveProperty('_errors');
    expect(model.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it('an unknown model is 404', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url));
    const { status, json } = await ask({ ...HELLO, model: 'other' });
    expect([status, json.code]).toEqual([404, 'MODEL_NOT_FOUND']);
  });

  it('a body over the limit is 413, and one of another type 415', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway({ ...upstreams(model.url), requestBytesMax: 200 });
    expect((await ask({ ...HELLO, padding: 'x'.repeat(300) })).status).toBe(413);
    expect((await ask(HELLO, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });
});

describe('a response schema', () => {
  const format = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
  });
  const SOUND = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

  it('that is not strict is 400 with the faults by path, before anything is spent', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url));
    const { status, json } = await ask({ ...HELLO, ...format({ ...SOUND, additionalProperties: true }) });
    expect(status).toBe(400);
    expect(json.details).toMatchObject({
      response_format: { json_schema: { schema: { additionalProperties: { _errors: [expect.any(String)] } } } },
    });
    expect(json.error).toContain(
      'response_format.json_schema.schema.additionalProperties: Must be false at every object level.',
    );
    expect(model.asked).toEqual([]);
  });

  it('that cannot be compiled is 400 by path, before anything is spent', async () => {
    const model = await scriptedModel();
    const { ask, charges } = await chatGateway(upstreams(model.url));
    const part = { type: 'string', $anchor: 'twice' };
    const { status, json } = await ask({
      ...HELLO,
      ...format({ ...SOUND, properties: { a: part, b: { ...part, type: 'number' } }, required: ['a', 'b'] }),
    });
    expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.details).toMatchObject({
      response_format: { json_schema: { schema: { _errors: [expect.any(String)] } } },
    });
    expect(json.error).toContain('response_format.json_schema.schema: ');
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  it('that refers to itself by "#" is one that replies are held to', async () => {
    const model = await scriptedModel(says('{"next":{"next":null}}'));
    const { ask } = await chatGateway(upstreams(model.url));
    const list = {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['next'],
      additionalProperties: false,
    };
    expect(await ask({ ...HELLO, ...format(list) })).toMatchObject({
      status: 200,
      text: completionText('{"next":{"next":null}}'),
    });
  });

  it.each([
    ['allowed by default', {}, true],
    ['allowed in words', { parallel_tool_calls: true }, true],
    ['left to the default with null', { parallel_tool_calls: null }, true],
    ['forbidden', { parallel_tool_calls: false }, false],
    ['impossible, since no tool may be called', { tool_choice: 'none' }, false],
    ['impossible without tools', { tools: [] }, false],
  ])('with tools, where parallel calls are %s', async (_what, change, isRefused) => {
    const model = await scriptedModel(says('{"a":"x"}'));
    const { ask, charges } = await chatGateway(upstreams(model.url));
    const { status, json } = await ask({
      ...HELLO,
      ...format(SOUND),
      tools: [{ type: 'function', function: { name: 'f' } }],
      ...change,
    });
    expect(status).toBe(isRefused ? 400 : 200);
    if (!isRefused) return;
    expect(json.error).toBe(
      'The field "parallel_tool_calls" is not valid: A response schema cannot be combined with parallel function calls; set parallel_tool_calls to false (the default is true).',
    );
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  it('is refused with parallel function calls, and for models that do not support it', async () => {
    const model = await scriptedModel();
    const { ask } = await chatGateway(upstreams(model.url));
    expect((await ask({ ...HELLO, ...format(SOUND), parallel_tool_calls: true })).json.details).toHaveProperty(
      'parallel_tool_calls',
    );
    const without = await chatGateway({
      ...upstreams(model.url),
      models: { plain: { capabilities: { supportsResponseSchema: false } } },
    });
    expect((await without.ask({ ...HELLO, ...format(SOUND) })).json.details).toHaveProperty('response_format');
  });

  it('that the reply does not fit is an error, and charged', async () => {
    const model = await scriptedModel(says('{"a":1}'));
    const { ask, charges } = await chatGateway(upstreams(model.url));
    const { status, json } = await ask({ ...HELLO, ...format(SOUND) });
    expect([status, json.code]).toEqual([400, 'REPLY_SCHEMA_MISMATCH']);
    expect(json.error).toContain('/a must be string');
    expect(await charges()).toHaveLength(1);
  });

  it('that the reply fits is passed on', async () => {
    const model = await scriptedModel(says('{"a":"x"}'));
    const { ask } = await chatGateway(upstreams(model.url));
    expect((await ask({ ...HELLO, ...format(SOUND) })).text).toBe(completionText('{"a":"x"}'));
  });

  it('is given a second try where the operator wants that, and both are charged', async () => {
    const model = await scriptedModel((asked, response) =>
      says(asked.body.includes('must be string') ? '{"a":"x"}' : '{"a":1}')(asked, response),
    );
    const { ask, charges } = await chatGateway({ ...upstreams(model.url), repairAttempts: 1 });
    const { status, text } = await ask({ ...HELLO, ...format(SOUND) });
    expect([status, text]).toEqual([
      200,
      completionText('{"a":"x"}', { prompt_tokens: 200, completion_tokens: 100, total_tokens: 300 }),
    ]);
    expect(await charges()).toMatchObject([{ detail: '200 + 100 tokens', amount: 400_000 }]);
  });

  it('is never asked for again of an attested model', async () => {
    const model = await scriptedModel(says('{"a":1}'));
    const { ask } = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }], repairAttempts: 1 });
    expect((await ask({ ...HELLO, ...format(SOUND) })).json.code).toBe('REPLY_SCHEMA_MISMATCH');
    expect(model.asked).toHaveLength(1);
  });
});
