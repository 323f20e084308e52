import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { serve } from '@/test/test-gateway';
import {
  type AskedModel,
  chunk,
  completionText,
  DONE,
  type ModelScript,
  refuses,
  says,
  scriptedModel,
  streams,
} from '@/test/scripted-model';

const HELLO = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }] };
const BOTH_REFUSED = {
  error: {
    message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    param: 'max_tokens',
  },
};
const EXTRA_FORBIDDEN = (name: string) => ({
  detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted', input: 5 }],
});

async function stage(script: ModelScript, settings: Record<string, unknown> = {}) {
  const model = await scriptedModel(script);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }], ...settings });
  const sent = () => model.asked.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  const limits = () => sent().map(({ max_tokens: older, max_completion_tokens: newer }) => [older, newer]);
  return { model, gateway, sent, limits };
}

/** Answers, unless the request has a field that the server refuses. */
function unless(
  isRefused: (body: Record<string, unknown>) => boolean,
  refusal: ModelScript,
  answer: ModelScript = says('Hello.'),
): ModelScript {
  return (asked, response) =>
    (isRefused(JSON.parse(asked.body) as Record<string, unknown>) ? refusal : answer)(asked, response);
}

describe('a limit of tokens goes out to a plain server', () => {
  it.each([
    [{ max_tokens: 5 }, [5, 5]],
    [{ max_completion_tokens: 5 }, [5, 5]],
    [{ max_completion_tokens: 5, max_tokens: 9 }, [9, 5]],
    [{ max_completion_tokens: 5, max_tokens: -1 }, [5, 5]],
    [{ max_completion_tokens: 5, max_tokens: null }, [5, 5]],
    // The test model generates at most 1,000 tokens.
    [{ max_tokens: 5_000 }, [1_000, 1_000]],
    [{ max_tokens: -1 }, [undefined, undefined]],
    [{}, [undefined, undefined]],
  ])('%j under both names, never above what is held', async (asked, expected) => {
    const { gateway, limits } = await stage(says('Hello.'));
    expect((await gateway.ask({ ...HELLO, ...asked })).status).toBe(200);
    expect(limits()).toEqual([expected]);
  });

  it.each(['max_tokens', 'max_completion_tokens'])(
    'under the name of the caller alone (%s) once it has refused the two together',
    async (name) => {
      const { gateway, limits } = await stage(
        unless((body) => 'max_tokens' in body && 'max_completion_tokens' in body, refuses(400, BOTH_REFUSED)),
      );
      for (let i = 0; i < 2; i++) expect((await gateway.ask({ ...HELLO, [name]: 5 })).status).toBe(200);
      const own = name === 'max_tokens' ? [5, undefined] : [undefined, 5];
      expect(limits()).toEqual([[5, 5], own, own]);
      expect(await gateway.charges()).toHaveLength(2);
    },
  );

  it.each([
    ['max_completion_tokens', 422, EXTRA_FORBIDDEN('max_completion_tokens')],
    [
      'max_tokens',
      400,
      {
        error: {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        },
      },
    ],
  ])('under the other name alone where it does not know %s', async (unknown, status, body) => {
    const { gateway, limits } = await stage(unless((asked) => unknown in asked, refuses(status, body)));
    for (let i = 0; i < 2; i++) expect((await gateway.ask({ ...HELLO, [unknown]: 5 })).status).toBe(200);
    expect(limits().at(-1)).toEqual(unknown === 'max_tokens' ? [undefined, 5] : [5, undefined]);
    expect(limits()).toHaveLength(4);
  });

  it('and a refusal that another attempt does not change is passed on, and teaches nothing', async () => {
    const { gateway, limits, model } = await stage(refuses(400, { error: { message: 'max_tokens is too large' } }));
    expect((await gateway.ask({ ...HELLO, max_tokens: 5 })).json.error).toBe('max_tokens is too large.');
    model.script = says('Hello.');
    await gateway.ask({ ...HELLO, max_tokens: 5 });
    expect(limits().at(-1)).toEqual([5, 5]);
  });
});

describe('stream_options', () => {
  const scripts: [string, ModelScript][] = [
    ['400', refuses(400, { error: 'unknown field stream_options' })],
    ['422', refuses(422, EXTRA_FORBIDDEN('stream_options'))],
  ];

  it.each(scripts)(
    'are left out for a server that refuses them with %s, and that is remembered',
    async (_status, refusal) => {
      const { gateway, sent } = await stage(
        unless((body) => 'stream_options' in body, refusal, streams(chunk('Hello.'), DONE)),
      );
      expect(await gateway.ask({ ...HELLO, stream: true })).toMatchObject({
        status: 200,
        text: chunk('Hello.') + DONE,
      });
      // A client that asks for usage gets the estimate.
      const counted = await gateway.ask({ ...HELLO, stream: true, stream_options: { include_usage: true } });
      expect(counted.text).toMatch(
        /^data: .*"Hello\.".*\n\ndata: .*"usage":\{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4\}\}\n\ndata: \[DONE\]\n\n$/,
      );
      expect((await gateway.charges()).map(({ detail }) => detail)).toEqual(['2 + 2 tokens', '2 + 2 tokens']);
      expect(sent().map((body) => 'stream_options' in body)).toEqual([true, false, false]);
    },
  );

  it('and limits are learned one after the other', async () => {
    const { gateway, sent } = await stage(
      unless(
        (body) => 'stream_options' in body,
        refuses(422, EXTRA_FORBIDDEN('stream_options')),
        unless(
          (body) => 'max_completion_tokens' in body,
          refuses(422, EXTRA_FORBIDDEN('max_completion_tokens')),
          streams(chunk('Hello.'), DONE),
        ),
      ),
    );
    for (let i = 0; i < 2; i++) expect((await gateway.ask({ ...HELLO, stream: true, max_tokens: 5 })).status).toBe(200);
    expect(sent().map((body) => ['stream_options' in body, 'max_completion_tokens' in body])).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });
});

describe('an effort that the model refuses', () => {
  const UNSUPPORTED = { error: { message: "Unsupported parameter: 'reasoning_effort' is not supported." } };
  const asked = {
    messages: { ...HELLO, max_tokens: 5, output_config: { effort: 'high' } },
    responses: { model: 'plain', input: 'Hello?', reasoning: { effort: 'high' } },
    'chat/completions': { ...HELLO, reasoning_effort: 'high' },
  };

  async function efforts(api: keyof typeof asked, status: number, body: object): Promise<[number[], unknown[]]> {
    const { gateway, sent } = await stage(unless((given) => 'reasoning_effort' in given, refuses(status, body)));
    const statuses: number[] = [];
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(`${gateway.origin}/api/v1/${api}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked[api]),
      });
      statuses.push(answer.status);
      await answer.text();
    }
    return [statuses, sent().map(({ reasoning_effort: effort }) => effort)];
  }

  it.each([
    ['messages', 400, { error: { message: '"llama3" does not support thinking' } }],
    ['messages', 400, { error: 'think value "high" is not supported for this model' }],
    ['responses', 400, UNSUPPORTED],
    ['responses', 422, EXTRA_FORBIDDEN('reasoning_effort')],
  ] as const)('is left out of %s after a %i, and that is remembered', async (api, status, body) => {
    expect(await efforts(api, status, body)).toEqual([
      [200, 200],
      ['high', undefined, undefined],
    ]);
  });

  it('is the answer to a chat that asked for it, and to a value that the model does not know', async () => {
    const passedOn = [
      [400, 400],
      ['high', 'high'],
    ];
    expect(await efforts('chat/completions', 400, UNSUPPORTED)).toEqual(passedOn);
    const unknown = { error: { message: "Unsupported value: 'reasoning_effort' does not support 'high'." } };
    expect(await efforts('messages', 400, unknown)).toEqual(passedOn);
  });
});

it('what a caller adds to messages goes out to a plain model as it came', async () => {
  const { gateway, sent } = await stage(says('Hello.'));
  const messages = [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
    {
      role: 'assistant',
      content: 'Yes?',
      reasoning_details: [{ type: 'reasoning.text', text: 'x' }],
      annotations: [],
      provider_options: { a: 1 },
      reasoning_content: '',
    },
    { role: 'user', content: 'Hello?' },
  ];
  expect((await gateway.ask({ ...HELLO, messages })).status).toBe(200);
  expect(sent()[0]?.['messages']).toEqual(messages);
});

it('a body that an attested model gets has its bytes, whatever it refuses', async () => {
  const model = await scriptedModel(refuses(400, BOTH_REFUSED));
  const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'test', url: model.url }] });
  const body = JSON.stringify({ ...HELLO, max_tokens: 5, max_completion_tokens: -1 });
  expect((await gateway.ask(body)).status).toBe(400);
  expect(model.asked.map((asked) => asked.body)).toEqual([body]);
});

it('a whole answer that comes where a stream was asked for is charged as one', async () => {
  const { gateway } = await stage(
    (_asked, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(completionText('Hello.')),
  );
  expect((await gateway.ask({ ...HELLO, stream: true, max_tokens: 60 })).status).toBe(200);
  expect((await gateway.charges())[0]?.detail).toBe('100 + 50 tokens');
});

describe('a list of models', () => {
  /** Starts a server whose model list has this status and body. */
  async function listing(status: number, list: unknown, script: ModelScript = says('Hello.')) {
    const answers: ModelScript = (asked, response) => void refuses(status, list)(asked, response);
    const { origin } = await serve((request, response) => {
      if (request.url === '/v1/models') return void answers({} as AskedModel, response);
      request.resume().on('end', () => void script({} as AskedModel, response));
    });
    return `${origin}/v1`;
  }
  const named = { models: { plain: { contextTokens: 1_000 } } };

  it.each([
    ['a bare array', [{ id: 'plain', context_length: 2_000 }]],
    ['an object of models', { models: [{ id: 'plain', context_length: 2_000 }] }],
  ])('that is %s is read', async (_what, list) => {
    const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: await listing(200, list) }] });
    expect((await gateway.get('/models')).json['data']).toEqual([
      expect.objectContaining({ id: 'plain', context_length: 2_000 }),
    ]);
  });

  it.each([404, 405, 501])('that is missing (%i) leaves the models that the configuration names', async (status) => {
    const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: await listing(status, {}) }], ...named });
    expect((await gateway.get('/models')).json['data']).toEqual([
      expect.objectContaining({ id: 'plain', context_length: 1_000 }),
    ]);
    expect((await gateway.ask(HELLO)).status).toBe(200);
  });

  it('of another server goes before one that has none', async () => {
    const lister = await scriptedModel(says('From the list.'));
    const gateway = await chatGateway({
      chatUpstreams: [
        { name: 'none', url: await listing(404, {}) },
        { name: 'list', url: lister.url },
      ],
      ...named,
    });
    expect((await gateway.ask(HELLO)).text).toContain('From the list.');
  });

  it('that is missing leaves no model if the configuration names none, or if the server fails', async () => {
    const without = await chatGateway({ chatUpstreams: [{ name: 'test', url: await listing(404, {}) }] });
    const failing = await chatGateway({ chatUpstreams: [{ name: 'test', url: await listing(500, {}) }], ...named });
    for (const gateway of [without, failing]) expect((await gateway.get('/models')).json['data']).toEqual([]);
  });
});

it.each([
  ['a sentence', 'Too hot.', 'Too hot.'],
  [
    'faults of fields',
    [
      { type: 'missing', loc: ['body', 'messages', 0, 'content'], msg: 'Field required', input: {} },
      { loc: ['query', 'x'], msg: 'Bad', type: 'y' },
    ],
    'messages.0.content: Field required; query.x: Bad.',
  ],
  ['an object', { message: 'Model is loading' }, 'Model is loading.'],
  ['an object with an error', { error: { message: 'Too long', type: 'x' } }, 'Too long.'],
  ['sentences', ['One.', 'Two.'], 'One.; Two.'],
  ['nothing that is known', [{ x: 1 }], 'The model refused the request.'],
])("FastAPI's detail is kept where it is %s", async (_what, detail, sentence) => {
  const { gateway } = await stage(refuses(422, { detail }));
  expect((await gateway.ask(HELLO)).json).toMatchObject({ code: 'MODEL_REFUSED', error: sentence });
});
