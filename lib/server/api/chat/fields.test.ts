import { monitorEventLoopDelay } from 'node:perf_hooks';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { CHAT_FIELDS, LIMITING_NAMES } from '@/lib/protocol/chat/chat-request';
import { chatGateway } from '@/test/chat-gateway';
import { scriptedModel } from '@/test/scripted-model';

const messages = [{ role: 'user' as const, content: 'Hello?' }];
const HELLO = { model: 'plain', messages };
const TEXT = JSON.stringify(HELLO);
/** Appends a field as text. A JavaScript object cannot have two fields of the same name. */
const withMember = (member: string) => `${TEXT.slice(0, -1)},${member}}`;

async function plain(inference: object = {}) {
  const model = await scriptedModel();
  return { model, ...(await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }], ...inference })) };
}

async function enclave(inference: object = {}) {
  const model = await scriptedModel();
  return { model, ...(await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }], ...inference })) };
}

/** Spellings that some decoders read as a field. */
const VARIANTS = [
  'Max_Tokens',
  'MAX_TOKENS',
  'maxTokens',
  'max-tokens',
  'max_token\u017f',
  'max_to\u212aens',
  'ｎ',
  'N',
  'Stream',
  '\u017ftream',
  'Model',
  'model ',
  'Messages',
  'TOP_K',
  'top_\u212a',
  'Response_Format',
  'responseFormat',
];

describe('to a plain model', () => {
  it('no member goes out that is not known, nor a variant of one', async () => {
    const { ask, model } = await plain();
    for (const name of [...VARIANTS, ...LIMITING_NAMES, 'anything']) {
      expect((await ask(withMember(`${JSON.stringify(name)}:5`))).status, name).toBe(200);
      expect(model.asked.at(-1)?.body, name).toBe(TEXT);
    }
  });

  it('what is left goes out byte for byte, with all digits', async () => {
    const { ask, model } = await plain();
    await ask(
      '{ "x": 1, "model" : "plain","y":{"max_tokens":5},"seed":18446744073709551615, "messages":[ {"role":"user","content":"\\u00e9"} ] ,"best_of":3 }',
    );
    expect(model.asked[0]?.body).toBe(
      '{"model":"plain","seed":18446744073709551615,"messages":[ {"role":"user","content":"\\u00e9"} ]}',
    );
  });

  it('the length is set, and usage asked for, among what is left', async () => {
    const { chat, model, caller } = await plain();
    await (
      await chat(
        { best_of: 9, ...HELLO, stream: true, stream_options: { include_usage: false }, other: 1 },
        { key: await caller(400_000) },
      )
    ).text();
    expect(JSON.parse(model.asked[0]?.body ?? '')).toEqual({
      ...HELLO,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: expect.any(Number),
      max_completion_tokens: expect.any(Number),
    });
  });

  it('go those that the operator has named, and some that are else left out', async () => {
    const { ask, model } = await plain({ chatFields: ['chat_template_kwargs', 'min_tokens', 'metadata'] });
    await ask({
      ...HELLO,
      chat_template_kwargs: { thinking: true },
      min_tokens: 5,
      metadata: { a: 'b' },
      store: true,
      best_of: 2,
    });
    expect(JSON.parse(model.asked[0]?.body ?? '')).toEqual({
      ...HELLO,
      chat_template_kwargs: { thinking: true },
      min_tokens: 5,
      metadata: { a: 'b' },
    });
  });
});

describe('to an attested model', () => {
  it('every byte goes as it came', async () => {
    const { ask, model } = await enclave();
    const body = `{ "chat_template_kwargs" : {"thinking":true, "enable_thinking":false}, ${withMember('"seed":18446744073709551615,"n":1,"user":"x","service_parameters":{"a":1.50}').slice(1)} `;
    expect((await ask(body)).status).toBe(200);
    expect(model.asked[0]?.body).toBe(body);
  });

  it('what some servers take for a field, and others do not, is refused', async () => {
    const { ask, model, charges } = await enclave();
    for (const name of VARIANTS) {
      const { status, json } = await ask(withMember(`${JSON.stringify(name)}:5`));
      expect([name, status, json.code]).toEqual([name, 400, 'INVALID_REQUEST']);
      expect(json.error).toMatch(
        /^The field ".+" is not valid: Some servers read it as "[a-z_]+" and others do not; spell it "[a-z_]+", or leave it out\.$/,
      );
    }
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  it('what limits or multiplies what is generated is refused', async () => {
    const { ask, model, charges } = await enclave();
    for (const name of [
      ...LIMITING_NAMES,
      'maxNewTokens',
      'MaxOutputTokens',
      'max_reply_tokens',
      'num_samples',
      'tokens_to_generate',
      'Best_Of',
    ]) {
      const { status, json } = await ask({ ...HELLO, [name]: 5 });
      expect([name, status]).toEqual([name, 400]);
      expect(json.error).toContain('It limits or multiplies the generated tokens');
      expect(json.details).toHaveProperty([name]);
    }
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  it.each<[object, string]>([
    [{ vendor: { max_tokens: 5 } }, 'vendor.max_tokens'],
    [{ vendor: { deep: [{ bestOf: 5 }] } }, 'vendor.deep.0.bestOf'],
    [{ vendor_options: { N: 5 } }, 'vendor_options.N'],
  ])('so it is within an object that nobody knows: %j', async (more, path) => {
    const { ask } = await enclave();
    expect((await ask({ ...HELLO, ...more })).json.error).toContain(`The field "${path}" is not valid: It limits`);
  });

  it.each([
    ['each once', (i: number, j: number) => `${'\ufdfa'.repeat(100)}${i}.${j}`],
    ['in few letters', (i: number, j: number) => `\u1ec7${i}.${j}`],
  ])('twenty thousand names that nobody knows are 400 at once: %s', async (_how, nameOf) => {
    const { ask, model } = await enclave();
    const range = (length: number) => Array.from({ length }, (_, index) => index);
    const body = JSON.stringify({
      ...HELLO,
      vendor: range(11).map((j) => Object.fromEntries(range(1_900).map((i) => [nameOf(i, j), 0]))),
    });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const { status, json } = await ask(body);
    delay.disable();
    expect([status, json.details]).toEqual([
      400,
      { _errors: [], vendor: { _errors: ['It has more than 1,000 unknown names.'] } },
    ]);
    expect(model.asked).toEqual([]);
    // The limit is below the 4,000 ms that folding each name twice took.
    expect(delay.max / 1e6).toBeLessThan(2_000);
  });

  it('passes what the operator has named', async () => {
    const { ask, model } = await enclave({ chatFields: ['min_tokens'] });
    expect((await ask({ ...HELLO, min_tokens: 5 })).status).toBe(200);
    expect((await ask({ ...HELLO, Min_Tokens: 5 })).status).toBe(400);
    expect(model.asked).toHaveLength(1);
  });

  it.each(['prediction', 'service_tier'])('%s is refused, unless it is null', async (name) => {
    const { ask } = await enclave();
    expect(
      (await ask({ ...HELLO, [name]: name === 'prediction' ? { type: 'content', content: 'x' } : 'priority' })).json
        .details,
    ).toHaveProperty(name);
    expect((await ask({ ...HELLO, [name]: null })).status).toBe(200);
  });
});

describe.each([
  ['plain', plain],
  ['attested', enclave],
])('of a %s model', (_kind, stage) => {
  it.each([
    ['"max_tokens":5,"max_tokens":500', 'max_tokens'],
    ['"max_tokens":5,"\\u006dax_tokens":500', 'max_tokens'],
    ['"\\u006dax_tokens":5,"ma\\u0078_tokens":500', 'max_tokens'],
    ['"n":1,"n":1', 'n'],
    ['"unknown":1,"unknown":2', 'unknown'],
    ['"response_format":{"type":"text","type":"json_object"}', 'response_format.type'],
    ['"stream_options":{"include_usage":true,"include_usage":false}', 'stream_options.include_usage'],
    [
      '"tools":[{"type":"function","function":{"name":"f","parameters":{"a":1,"\\u0061":2}}}]',
      'tools.0.function.parameters.a',
    ],
  ])('a member that stands in one object twice is 400: %s', async (member, path) => {
    const { ask, model, charges } = await stage();
    const { status, json } = await ask(withMember(member));
    expect([status, json.error]).toEqual([400, `The field "${path}" is not valid: It appears twice.`]);
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  it('so it is in a message', async () => {
    const { ask } = await stage();
    expect((await ask('{"model":"plain","messages":[{"role":"user","content":"a","content":"b"}]}')).json.error).toBe(
      'The field "messages.0.content" is not valid: It appears twice.',
    );
  });

  it.each<[object, string]>([
    [{ messages: [{ role: 'user', content: 'a', Content: 'b' }] }, 'messages.0.Content'],
    [{ messages: [{ role: 'user', Role: 'system', content: 'a' }] }, 'messages.0.Role'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'a', Type: 'image_url' }] }] },
      'messages.0.content.0.Type',
    ],
    [{ stream_options: { Include_Usage: false } }, 'stream_options.Include_Usage'],
    [{ response_format: { type: 'text', '\u212aind': 1, Type: 'json_object' } }, 'response_format.Type'],
  ])('a variant of a member within is 400: %j', async (more, path) => {
    const { ask, model } = await stage();
    expect((await ask({ ...HELLO, ...more })).json.error).toContain(
      `The field "${path}" is not valid: Some servers read it as`,
    );
    expect(model.asked).toEqual([]);
  });

  const OUT_OF_BOUNDS: [string, unknown][] = [
    ...[1e308, '5', -2, 0, 1.5, true, [], {}, 10_000_001].flatMap((value): [string, unknown][] => [
      ['max_tokens', value],
      ['max_completion_tokens', value],
    ]),
    ...[0, -1, 17, 1.5, '1', true].map((value): [string, unknown] => ['n', value]),
    ['stream', 1],
    ['stream', 'true'],
    ['stream_options', []],
    ['stream_options', { include_usage: 'yes' }],
    ['temperature', 2.1],
    ['temperature', '1'],
    ['top_p', -0.1],
    ['top_p', 1.1],
    ['frequency_penalty', 3],
    ['presence_penalty', -3],
    ['logit_bias', { 5: 101 }],
    ['logit_bias', []],
    ['logprobs', 1],
    ['top_logprobs', 21],
    ['top_logprobs', 1.5],
    ['seed', 1.5],
    ['seed', '1'],
    ['stop', 5],
    ['stop', [5]],
    ['stop', Array(65).fill('x')],
    ['user', 5],
    ['tools', Array(513).fill({})],
    ['tool_choice', 5],
    ['parallel_tool_calls', 'no'],
    ['modalities', ['audio']],
    ['modalities', ['text', 'audio']],
    ['audio', { voice: 'alloy', format: 'wav' }],
    ['web_search_options', {}],
    ['top_k', 1.5],
    ['min_p', 2],
    ['repetition_penalty', -1],
    ['stop_token_ids', ['x']],
    ['store', 'yes'],
    ['metadata', 'x'],
    ['reasoning_effort', 5],
    ['verbosity', {}],
    ['model', 5],
    ['messages', {}],
  ];

  it('a value of another type, or out of bounds, is 400 by name, before an upstream is asked', async () => {
    const { ask, model, charges } = await stage();
    for (const [name, value] of OUT_OF_BOUNDS) {
      const { status, json } = await ask({ ...HELLO, [name]: value });
      expect([name, value, status, json.code]).toEqual([name, value, 400, 'INVALID_REQUEST']);
      expect(json.details).toHaveProperty([name]);
    }
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  const said = (message: object) => ({ messages: [...messages, message] });
  const MISSHAPEN: [string, object][] = [
    ...[5, true, {}, { text: 'x' }, [5], [null], [['x']]].map((content): [string, object] => [
      'messages.1.content',
      said({ role: 'user', content }),
    ]),
    ...['user', 'system', 'developer'].flatMap((role): [string, object][] => [
      ['messages.1.content', said({ role, content: null })],
      ['messages.1.content', said({ role })],
    ]),
    ['messages.1.content', said({ role: 'assistant', content: false })],
    ['messages.1.content.0.text', said({ role: 'user', content: [{ type: 'text', text: 5 }] })],
    ['messages.1.content.0.type', said({ role: 'user', content: [{ type: 5, text: 'x' }] })],
    ['messages.1.name', said({ role: 'user', content: 'x', name: 5 })],
    ['messages.1.tool_calls', said({ role: 'assistant', content: null, tool_calls: 'x' })],
    ['messages.1.tool_calls', said({ role: 'assistant', content: null, tool_calls: [5] })],
    [
      'messages.1.tool_calls.0.function',
      said({ role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: 'x' }] }),
    ],
    [
      'messages.1.tool_calls.0.function.arguments',
      said({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: {} } }],
      }),
    ],
    ['messages.1.tool_call_id', said({ role: 'tool', content: 'x', tool_call_id: 5 })],
    ['messages.1.function_call.name', said({ role: 'assistant', function_call: { name: 5, arguments: '' } })],
    ['messages.1.refusal', said({ role: 'assistant', content: null, refusal: {} })],
    ['tools.0.function', { tools: [{ type: 'function', function: 'x' }] }],
    ['tools.0.function.name', { tools: [{ type: 'function', function: { name: 5 } }] }],
    ['tools.0.function.parameters', { tools: [{ type: 'function', function: { name: 'x', parameters: [] } }] }],
    ['functions.0.name', { functions: [{ name: {} }] }],
  ];

  it.each(MISSHAPEN)(
    'a member of another type within messages and tools is 400 by its path, for plain and attested models: %s',
    async (path, change) => {
      const { ask, model, charges } = await stage();
      const { status, json } = await ask({ ...HELLO, ...change });
      expect([status, json.error]).toEqual([400, expect.stringContaining(`"${path}" is not valid: Must be `)]);
      expect(json.details).toHaveProperty(path.split('.'));
      const enclave = await chatGateway({
        enclaveUpstreams: [{ name: 'enclave', url: (await scriptedModel(undefined, [{ id: 'plain' }])).url }],
      });
      expect((await enclave.ask({ ...HELLO, ...change })).json.error).toContain(`"${path}"`);
      expect([model.asked, await charges()]).toEqual([[], []]);
    },
  );

  it.each<[string, object]>([
    [
      'calls without a word, and what came of them',
      {
        messages: [
          ...messages,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'a', content: 'x' },
        ],
      },
    ],
    [
      'calls without content',
      said({ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '' } }] }),
    ],
    [
      'parts, texts among them',
      said({
        role: 'user',
        content: [{ type: 'text', text: 'x' }, 'y', { type: 'image_url', image_url: { url: 'data:,' } }],
      }),
    ],
    [
      'no parts, and empty text',
      {
        messages: [
          { role: 'system', content: [] },
          { role: 'user', content: '' },
        ],
      },
    ],
    [
      'null in what may be left out',
      said({
        role: 'assistant',
        content: 'x',
        name: null,
        tool_calls: null,
        function_call: null,
        refusal: null,
        audio: null,
      }),
    ],
    ['roles of servers', said({ role: 'ipython', content: null })],
  ])('a message may have %s', async (_what, change) => {
    const { ask } = await stage();
    expect((await ask({ ...HELLO, ...change })).status).toBe(200);
  });

  it('null is as good as absent, in every field that may be', async () => {
    const { ask } = await stage();
    const nulls = Object.fromEntries(Object.keys(CHAT_FIELDS).map((name) => [name, null]));
    expect(await ask({ ...nulls, ...HELLO })).toMatchObject({ status: 200 });
  });

  it('a mark before the body is 400', async () => {
    const { ask } = await stage();
    expect((await ask(`\ufeff${TEXT}`)).json.code).toBe('INVALID_JSON');
  });

  it('a body of more parts than any chat has is 400 before it is parsed', async () => {
    const { ask } = await stage();
    expect((await ask(withMember(`"x":[${'[],'.repeat(200_000)}1]`))).json.error).toMatch(
      /^The request body has more than 50,000 members and items/,
    );
    expect(
      (await ask(`{${Array.from({ length: 300 }, (_, i) => `"k${i}":0`).join(',')},${TEXT.slice(1)}`)).json.error,
    ).toBe('The request body has more than 256 fields.');
    expect((await ask(withMember(`"${'x'.repeat(5_000)}":1`))).json.error).toBe(
      'A name in the request body has more than 4,096 bytes.',
    );
    expect(
      (await ask({ ...HELLO, messages: Array.from({ length: 1_500 }, (_, i) => ({ ...messages[0], [`k${i}`]: 0 })) }))
        .json.error,
    ).toContain('unknown names');
    expect((await ask(withMember(`"x":${'['.repeat(200)}${']'.repeat(200)}`))).json.code).toBe('NESTING_TOO_DEEP');
  });
});

it('every field of the official client has its result', async () => {
  const { key, origin, model } = await plain();
  const client = new OpenAI({ baseURL: `${origin}/api/v1`, apiKey: key, maxRetries: 0 });
  const goOut = {
    frequency_penalty: 0.1,
    logit_bias: { 5: 1 },
    logprobs: true,
    top_logprobs: 2,
    max_completion_tokens: 100,
    modalities: ['text' as const],
    n: 2,
    parallel_tool_calls: false,
    presence_penalty: 0.1,
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h' as const,
    reasoning_effort: 'low' as const,
    response_format: { type: 'text' as const },
    safety_identifier: 's',
    seed: 5,
    stop: ['x'],
    temperature: 0.5,
    top_p: 0.5,
    user: 'u',
    verbosity: 'low' as const,
    tools: [{ type: 'function' as const, function: { name: 'f' } }],
    tool_choice: 'auto' as const,
  };
  await client.chat.completions.create({
    ...HELLO,
    ...goOut,
    metadata: { a: 'b' },
    store: true,
    service_tier: 'auto',
    prediction: { type: 'content', content: 'x' },
  });
  expect(JSON.parse(model.asked[0]?.body ?? '')).toEqual({ ...HELLO, ...goOut, max_tokens: 100 });
  await expect(client.chat.completions.create({ ...HELLO, web_search_options: {} })).rejects.toThrow(
    'Web search is not offered',
  );
  await expect(
    client.chat.completions.create({
      ...HELLO,
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'wav' },
    }),
  ).rejects.toMatchObject({ status: 400 });
});

it('several completions are held for, and paid for, as many as are asked for', async () => {
  const { ask, caller, model } = await plain();
  const key = await caller(3_000_000);
  expect((await ask({ ...HELLO, max_tokens: 500, n: 2 }, { key })).status).toBe(200);
  const body = JSON.parse(model.asked[0]?.body ?? '') as { max_tokens: number; n: number };
  expect([body.n, body.max_tokens]).toEqual([2, 500]);
  await ask({ ...HELLO, max_tokens: 500, n: 16 }, { key });
  expect((JSON.parse(model.asked[1]?.body ?? '') as { max_tokens: number }).max_tokens).toBeLessThan(100);
});
