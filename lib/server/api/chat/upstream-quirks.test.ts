import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '@/test/bundle-program';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, completionText, DONE, refuses, scriptedModel, streams, usageChunk } from '@/test/scripted-model';

beforeAll(() => bundleProgram('schema-checker'));

/**
 * Streams of Ollama, vLLM, llama.cpp, OpenRouter and others differ. The gateway relays all of them and charges them
 * correctly.
 */

const ASK = { model: 'plain', stream: true, messages: [{ role: 'user', content: 'Hello?' }] };
const PROMPT_ESTIMATE = Math.ceil('Hello?'.length / 4);
const upstreams = (url: string) => ({ chatUpstreams: [{ name: 'test', url, key: 'sk-upstream-secret' }] });
const spaced = (json: string) => `data: ${json}\n\n`;

async function relayed(...parts: string[]) {
  const model = await scriptedModel(streams(...parts));
  const gateway = await chatGateway(upstreams(model.url));
  const { text, status, json } = await gateway.ask(ASK);
  return { text, status, json, charge: (await gateway.charges())[0]?.detail };
}

describe('a stream whose upstream', () => {
  it.each<[string, string[], string, string]>([
    [
      'says null of usage in every event (vLLM)',
      [chunk('a', { usage: null }), usageChunk(), DONE],
      chunk('a', { usage: null }) + DONE,
      '100 + 50 tokens',
    ],
    [
      'counts in its last choice',
      [
        chunk('a'),
        spaced(
          '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}',
        ),
        DONE,
      ],
      chunk('a') +
        spaced(
          '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}',
        ) +
        DONE,
      '5 + 2 tokens',
    ],
    [
      'counts in every event',
      [
        chunk('a', { usage: { prompt_tokens: 5, completion_tokens: 1 } }),
        chunk('b', { usage: { prompt_tokens: 5, completion_tokens: 2 } }),
        DONE,
      ],
      chunk('a', { usage: { prompt_tokens: 5, completion_tokens: 1 } }) +
        chunk('b', { usage: { prompt_tokens: 5, completion_tokens: 2 } }) +
        DONE,
      '5 + 2 tokens',
    ],
    [
      'counts without a list of choices',
      [chunk('a'), spaced('{"usage":{"prompt_tokens":5,"completion_tokens":2}}'), DONE],
      chunk('a') + DONE,
      '5 + 2 tokens',
    ],
    ['never counts', [chunk('x'.repeat(40)), DONE], chunk('x'.repeat(40)) + DONE, `${PROMPT_ESTIMATE} + 10 tokens`],
    [
      'counts nonsense',
      [chunk('x'.repeat(40)), usageChunk({ prompt_tokens: -1, completion_tokens: 'many' }), DONE],
      chunk('x'.repeat(40)) + DONE,
      `${PROMPT_ESTIMATE} + 10 tokens`,
    ],
    [
      'puts no space after data:',
      [chunk('a'), usageChunk(), DONE].map((part) => part.replace('data: ', 'data:')),
      chunk('a').replaceAll('data: ', 'data:') + DONE,
      '100 + 50 tokens',
    ],
    [
      'ends lines with CR LF',
      [chunk('a'), usageChunk(), DONE].map((part) => part.replaceAll('\n', '\r\n')),
      chunk('a').replaceAll('\n', '\r\n') + DONE,
      '100 + 50 tokens',
    ],
    [
      'writes spaces into its JSON',
      [chunk('a'), spaced('{"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}'), DONE],
      chunk('a') + DONE,
      '5 + 2 tokens',
    ],
    [
      'sends comments (OpenRouter)',
      [': OPENROUTER PROCESSING\n\n', chunk('a'), usageChunk(), ': x\n\n', DONE],
      ': OPENROUTER PROCESSING\n\n' + chunk('a') + ': x\n\n' + DONE,
      '100 + 50 tokens',
    ],
    [
      'names its events',
      [`event: message\nid: 1\n${chunk('a')}`, usageChunk(), DONE],
      `event: message\nid: 1\n${chunk('a')}` + DONE,
      '100 + 50 tokens',
    ],
    [
      'spreads data over lines',
      [
        'data: {"choices":[{"index":0,\ndata: "delta":{"content":"a"}}]}\n\n',
        'data: {"choices":[],\ndata: "usage":{"prompt_tokens":5,"completion_tokens":2}}\n\n',
        DONE,
      ],
      'data: {"choices":[{"index":0,\ndata: "delta":{"content":"a"}}]}\n\n' + DONE,
      '5 + 2 tokens',
    ],
    [
      'ends without the last blank line',
      [chunk('a'), usageChunk(), 'data: [DONE]'],
      chunk('a') + DONE,
      '100 + 50 tokens',
    ],
    ['goes on after [DONE]', [chunk('a'), usageChunk(), DONE, ': bye\n\n'], chunk('a') + DONE, '100 + 50 tokens'],
  ])('%s', async (_what, parts, text, charge) => {
    expect(await relayed(...parts)).toMatchObject({ status: 200, text, charge });
  });

  it.each([1, 2, 3, 5])('cuts characters into pieces of %i bytes', async (size) => {
    const whole = chunk('Grüße, 世界 😀 "\\u00e9"') + usageChunk() + DONE;
    const bytes = Buffer.from(whole);
    const model = await scriptedModel(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        if (at % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask(ASK)).text).toBe(chunk('Grüße, 世界 😀 "\\u00e9"') + DONE);
    expect((await gateway.charges())[0]?.detail).toBe('100 + 50 tokens');
  });
});

describe('an error in the middle of a stream', () => {
  it.each([
    ['as an object', 'data: {"error":{"message":"out of memory at sk-upstream-secret"}}\n\n'],
    ['as a named event', 'event: error\ndata: {"message":"out of memory at sk-upstream-secret"}\n\n'],
    ['in a field of its own (llama.cpp)', 'error: {"code":500,"message":"out of memory at sk-upstream-secret"}\n\n'],
    ['as vLLM writes it', 'data: {"object":"error","message":"out of memory at sk-upstream-secret","code":500}\n\n'],
    ['as FastAPI writes it', 'data: {"detail":"out of memory at sk-upstream-secret"}\n\n'],
    ['as a text', 'event: error\ndata: out of memory at sk-upstream-secret\n\n'],
  ])(
    '%s is passed on in the form that clients read, without secrets, and what came before is charged',
    async (_what, event) => {
      const { text, charge } = await relayed(chunk('x'.repeat(40)), event);
      expect(text).toBe(
        `${chunk('x'.repeat(40))}data: ${JSON.stringify({ error: { message: 'out of memory at [redacted]', type: 'invalid_request_error', code: null, param: null } })}\n\n`,
      );
      expect(charge).toBe(`${PROMPT_ESTIMATE} + 10 tokens`);
    },
  );

  it.each([
    [
      'with a status',
      { error: { message: 'The prompt is too long, sk-upstream-secret', code: 400 } },
      400,
      'The prompt is too long, [redacted].',
    ],
    [
      'without one',
      { error: { message: 'It burns' } },
      503,
      expect.stringMatching(/^The model is not available right now\. /),
    ],
    ['as a sentence', { error: 'It burns' }, 503, expect.stringMatching(/^The model is not available right now\. /)],
  ])('%s at its beginning is an answer of that status, and charged nothing', async (_what, error, status, sentence) => {
    const { json, charge, ...answer } = await relayed(`data: ${JSON.stringify(error)}\n\n`, DONE);
    expect([answer.status, json.error, charge]).toEqual([status, sentence, undefined]);
  });

  it('of an attested model stays as it came', async () => {
    const event = 'data: {"error":{"message":"out of memory"}}\n\n';
    const model = await scriptedModel(streams(event, DONE));
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'test', url: model.url }] });
    expect((await gateway.ask(ASK)).text).toBe(event + DONE);
    expect(await gateway.charges()).toEqual([]);
  });
});

describe('a whole answer that is invalid', () => {
  it.each<[string, number, unknown, number, string]>([
    ['HTML', 200, '<html>Log in</html>', 502, 'MODEL_ANSWER_INVALID'],
    ['HTML of a gateway', 502, '<html>Bad gateway</html>', 503, 'MODEL_UNAVAILABLE'],
    ['HTML of a wrong path', 404, '<html>Not found</html>', 400, 'MODEL_REFUSED'],
    ['nothing', 200, '', 502, 'MODEL_ANSWER_INVALID'],
    ['no object', 200, '[]', 502, 'MODEL_ANSWER_INVALID'],
    ['no choices', 200, {}, 502, 'MODEL_ANSWER_INVALID'],
    ['an empty list of choices', 200, { choices: [] }, 502, 'MODEL_ANSWER_INVALID'],
    ['an error under 200', 200, { error: { message: 'busy', code: 429 } }, 503, 'MODEL_BUSY'],
    ['an error of vLLM under 200', 200, { object: 'error', message: 'too long', code: 400 }, 400, 'MODEL_REFUSED'],
    ['an error in two lines', 400, { error: { message: 'First line\nsecond line' } }, 400, 'MODEL_REFUSED'],
  ])('%s', async (_what, said, body, status, code) => {
    const model = await scriptedModel(refuses(said, body));
    const gateway = await chatGateway(upstreams(model.url));
    for (const asked of [ASK, { ...ASK, stream: false }]) {
      const { json, ...answer } = await gateway.ask(asked);
      expect([answer.status, json.code]).toEqual([status, code]);
      expect(json.error).toMatch(/^\S[^\n<]*\.$/);
    }
    expect(await gateway.charges()).toEqual([]);
  });

  it.each([
    ['in a list (Gemini)', [{ error: { code: 400, message: 'The prompt is too long.' } }]],
    ['in a list of errors', { errors: [{ message: 'The prompt is too long.' }] }],
  ])('whose error is %s keeps its sentence', async (_what, body) => {
    const model = await scriptedModel(refuses(400, body));
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask(ASK)).json).toMatchObject({ code: 'MODEL_REFUSED', error: 'The prompt is too long.' });
  });

  it.each([9_007_199_254_740_991, 1e300, -1, 1.5])(
    'whose usage is no count of tokens (%d) is charged by what was said',
    async (count) => {
      const usage = `"usage":{"prompt_tokens":${count},"completion_tokens":${count}}`;
      const model = await scriptedModel(
        (_asked, response) =>
          void response
            .setHeader('content-type', 'application/json')
            .end(completionText('x'.repeat(40)).replace(/"usage":\{[^}]*\}/, usage)),
      );
      const gateway = await chatGateway(upstreams(model.url));
      expect((await gateway.ask({ ...ASK, stream: false })).status).toBe(200);
      expect((await gateway.charges())[0]?.detail).toMatch(/ \+ 10 tokens$/);
    },
  );

  it('is one where usage is null', async () => {
    const model = await scriptedModel(
      (_asked, response) =>
        void response
          .setHeader('content-type', 'application/json')
          .end(completionText('x'.repeat(40)).replace(/"usage":\{[^}]*\}/, '"usage":null')),
    );
    const gateway = await chatGateway(upstreams(model.url));
    await gateway.ask({ ...ASK, stream: false });
    expect((await gateway.charges())[0]?.detail).toMatch(/ \+ 10 tokens$/);
  });
});

describe('an answer of a server that is read as clients read it', () => {
  it('may have the status 201, whole and streamed', async () => {
    const model = await scriptedModel(refuses(201, completionText('Hello.')));
    const gateway = await chatGateway(upstreams(model.url));
    const whole = await gateway.ask({ ...ASK, stream: false });
    model.script = (_asked, response) =>
      void response.writeHead(201, { 'content-type': 'text/event-stream' }).end(chunk('a') + DONE);
    expect([whole.status, (await gateway.ask(ASK)).text]).toEqual([200, chunk('a') + DONE]);
  });

  it('may have lists and objects in place of texts', async () => {
    const message = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Hello.' },
      ],
      tool_calls: [{}, { id: 5, type: 'function', function: { name: 'look', arguments: { city: 'Bern' } } }],
    };
    const model = await scriptedModel(
      refuses(200, { choices: [{ index: 0, message, finish_reason: 'model_length' }] }),
    );
    const gateway = await chatGateway(upstreams(model.url));
    expect((await gateway.ask({ ...ASK, stream: false })).json['choices']).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hello.',
          reasoning_content: 'Hm.',
          tool_calls: [{ id: '5', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } }],
        },
        finish_reason: 'length',
      },
    ]);
  });
});

describe('lists of models', () => {
  const LISTS: [string, object, number][] = [
    ['Ollama', { id: 'plain', object: 'model', created: 1_686_935_002, owned_by: 'library' }, 32_768],
    [
      'vLLM',
      {
        id: 'plain',
        object: 'model',
        created: 1,
        owned_by: 'vllm',
        root: 'x',
        parent: null,
        max_model_len: 8_192,
        permission: [],
      },
      8_192,
    ],
    [
      'llama.cpp',
      {
        id: 'plain',
        object: 'model',
        created: 1,
        owned_by: 'llamacpp',
        meta: { vocab_type: 2, n_vocab: 128_256, n_ctx_train: 131_072, n_embd: 4_096 },
      },
      131_072,
    ],
    [
      'Groq',
      {
        id: 'plain',
        object: 'model',
        created: 1,
        owned_by: 'Meta',
        active: true,
        context_window: 16_384,
        public_apps: null,
      },
      16_384,
    ],
    [
      'OpenRouter',
      {
        id: 'plain',
        name: 'Plain',
        created: 1,
        context_length: 65_536,
        top_provider: { max_completion_tokens: 4_096 },
      },
      65_536,
    ],
    [
      'Turnpike',
      { id: 'plain', object: 'model', context_length: 1, model_spec: { availableContextTokens: 40_960 } },
      40_960,
    ],
    ['nonsense', { id: 'plain', max_model_len: -3, context_length: '9' }, 32_768],
  ];

  it.each(LISTS)('of %s tell the context', async (_who, entry, context) => {
    const model = await scriptedModel(undefined, [entry, { object: 'model' }, null, 'x']);
    const { get } = await chatGateway(upstreams(model.url));
    expect((await get('/models')).json['data']).toEqual([
      expect.objectContaining({ id: 'plain', context_length: context }),
    ]);
  });
});

describe('logs', () => {
  it('say which upstream failed and how, and never what was asked or answered', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write: (line: Buffer, _encoding, written) => (lines.push(line.toString()), written()),
    });
    const model = await scriptedModel();
    const gateway = await chatGateway({ ...upstreams(model.url), repairAttempts: 1, firstByteTimeoutMs: 200 });
    Object.assign(gateway.gateway.chat.current, { log: pino({ level: 'trace' }, sink) });
    const echo = { error: { message: 'Invalid content: CANARY-PROMPT' } };
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const formats = [
      {},
      { stream: true },
      { response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } } },
    ];
    const scripts = [
      refuses(500, echo),
      refuses(400, echo),
      refuses(200, 'CANARY-ANSWER no JSON'),
      refuses(200, echo),
      streams(chunk('CANARY-ANSWER'), 'data: {"error":{"message":"CANARY-PROMPT"}}\n\n'),
      streams(chunk('CANARY-ANSWER')),
      streams('data: {"error":{"message":"CANARY-PROMPT"}}\n\n'),
      refuses(200, JSON.parse(completionText('CANARY-ANSWER')) as object),
    ];
    let failed = 0;
    for (const script of scripts) {
      for (const format of formats) {
        // The server answers the repair with a refusal that quotes the prompt.
        model.script = (asked, response) =>
          (asked.body.includes('does not fit') ? refuses(400, echo) : script)(asked, response);
        await gateway
          .ask({ ...ASK, stream: false, messages: [{ role: 'user', content: 'CANARY-PROMPT' }], ...format })
          .catch(() => failed++);
      }
    }
    // The HTTP client quotes invalid HTTP in its error.
    model.script = (_asked, response) => void response.socket?.end('CANARY-ANSWER is no HTTP\r\n\r\n');
    for (const format of formats)
      await gateway.ask({ ...ASK, messages: [{ role: 'user', content: 'CANARY-PROMPT' }], ...format });
    expect(failed).toBeGreaterThan(0);
    expect(lines.join('')).toContain('"upstream":"test"');
    expect(lines.join('')).not.toMatch(/CANARY|sk-upstream-secret/);
  });
});
