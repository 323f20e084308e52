import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '@/test/bundle-program';
import { type ChatGateway, chatGateway } from '@/test/chat-gateway';
import { chunk, completionText, DONE, says, scriptedModel, streams, usageChunk } from '@/test/scripted-model';

beforeAll(() => bundleProgram('schema-checker'));

const messages = [{ role: 'user' as const, content: 'Hello?' }];
const HELLO = { model: 'plain', messages };
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const FORMAT = {
  response_format: { type: 'json_schema' as const, json_schema: { name: 'x', strict: true, schema: SCHEMA } },
};
const FITS = '{"a":"x"}';
const upstreams = (url: string) => ({ chatUpstreams: [{ name: 'test', url }] });

async function stage(script = says('{"a":1}'), more: Record<string, unknown> = {}) {
  const model = await scriptedModel(script);
  return { model, gateway: await chatGateway({ ...upstreams(model.url), ...more }) };
}

describe('a reply that does not fit its schema is charged once, with the retries that are the default of', () => {
  const clients: Record<string, (gateway: ChatGateway) => Promise<unknown>> = {
    openai: ({ origin, key }) =>
      new OpenAI({ baseURL: `${origin}/api/v1`, apiKey: key }).chat.completions.create({ ...HELLO, ...FORMAT }),
    "the AI SDK's": ({ origin, key }) =>
      generateText({
        model: createOpenAICompatible({
          name: 'turnpike',
          baseURL: `${origin}/api/v1`,
          apiKey: key,
          transformRequestBody: (body) => ({ ...body, ...FORMAT }),
        })('plain'),
        prompt: 'Hello?',
      }),
    "LangChain's": ({ origin, key }) =>
      new ChatOpenAI({
        model: 'plain',
        apiKey: key,
        configuration: { baseURL: `${origin}/api/v1` },
        modelKwargs: FORMAT,
      }).invoke('Hello?'),
  };

  it.each(Object.entries(clients))('%s client', async (_name, create) => {
    const { model, gateway } = await stage();
    await expect(create(gateway)).rejects.toThrow('does not match the schema');
    expect([model.asked.length, (await gateway.charges()).length]).toEqual([1, 1]);
  });
});

it('shows the reply that was paid for, and its tokens', async () => {
  const { gateway } = await stage();
  const { json, headers } = await gateway.ask({ ...HELLO, ...FORMAT });
  expect(json.details).toEqual({ _errors: ['/a must be string.'], reply: { _errors: ['{"a":1}'] } });
  expect(json.usage).toEqual({ prompt_tokens: 100, completion_tokens: 50 });
  expect(headers.get('x-should-retry')).toBe('false');
});

describe('a document is taken out of what a model puts around it', () => {
  it.each([
    ['a fenced block', `\`\`\`json\n${FITS}\n\`\`\``],
    ['a block without a language, and words', `Here it is:\n\n\`\`\`\n${FITS}\n\`\`\`\nAnything else?`],
    ['a block that is not closed', `\`\`\`json\n${FITS}`],
    ['thoughts', `<think>\nA "{" comes first.\n</think>\n\n${FITS}`],
    ['thoughts whose beginning is in the template', `They want JSON.</think>${FITS}`],
    ['thoughts and a block', `<think>\`\`\`json\n{}\n\`\`\`</think>\n\`\`\`json\n${FITS}\n\`\`\``],
  ])('%s', async (_what, content) => {
    const { model, gateway } = await stage(says(content), { repairAttempts: 1 });
    const { status, text } = await gateway.ask({ ...HELLO, ...FORMAT });
    expect([status, text]).toEqual([200, completionText(FITS)]);
    expect(model.asked).toHaveLength(1);
  });

  it('but a document that does not fit stays an error, and an attested answer keeps its bytes', async () => {
    const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
    const { gateway } = await stage(says(fenced('{"a":1}')));
    expect((await gateway.ask({ ...HELLO, ...FORMAT })).json.code).toBe('REPLY_SCHEMA_MISMATCH');
    const model = await scriptedModel(says(fenced(FITS)));
    const attested = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] });
    expect((await attested.ask({ ...HELLO, ...FORMAT })).json.details).toMatchObject({
      reply: { _errors: [fenced(FITS)] },
    });
  });
});

describe('under an Idempotency-Key a chat', () => {
  const headers = { 'idempotency-key': 'one' };

  it('that is whole is answered again for nothing', async () => {
    const { model, gateway } = await stage(says('Hello.'));
    const [first, second] = [await gateway.ask(HELLO, { headers }), await gateway.ask(HELLO, { headers })];
    expect([second.text, second.headers.get('idempotent-replayed'), first.headers.get('idempotent-replayed')]).toEqual([
      first.text,
      'true',
      null,
    ]);
    expect([model.asked.length, (await gateway.charges()).length]).toEqual([1, 1]);
  });

  it('that is streamed has its events again, in the same bytes', async () => {
    const { model, gateway } = await stage(streams(chunk('Hel'), chunk('lo.'), usageChunk(), DONE));
    const first = await gateway.ask({ ...HELLO, stream: true }, { headers });
    const second = await gateway.ask({ ...HELLO, stream: true }, { headers });
    expect([second.text, second.headers.get('content-type'), second.headers.get('idempotent-replayed')]).toEqual([
      first.text,
      'text/event-stream',
      'true',
    ]);
    expect([model.asked.length, (await gateway.charges()).length]).toEqual([1, 1]);
  });

  it('whose reply does not fit is the same error again, charged once', async () => {
    const { model, gateway } = await stage();
    const [first, second] = [
      await gateway.ask({ ...HELLO, ...FORMAT }, { headers }),
      await gateway.ask({ ...HELLO, ...FORMAT }, { headers }),
    ];
    expect([second.status, second.json]).toEqual([400, first.json]);
    expect(second.headers.get('x-should-retry')).toBe('false');
    expect([model.asked.length, (await gateway.charges()).length]).toEqual([1, 1]);
  });

  it('that was asked for as a stream and came whole has its events again', async () => {
    for (const [script, status] of [
      [says(FITS), 200],
      [says('{"a":1}'), 400],
    ] as const) {
      const { gateway } = await stage(script);
      const body = { ...HELLO, ...FORMAT, stream: true };
      const [first, second] = [await gateway.ask(body, { headers }), await gateway.ask(body, { headers })];
      expect([first.status, second.status, second.text, second.headers.get('content-type')]).toEqual([
        status,
        status,
        first.text,
        first.headers.get('content-type'),
      ]);
      expect(await gateway.charges()).toHaveLength(1);
    }
  });

  it('that failed for nothing is made anew, and another body is 400', async () => {
    const { model, gateway } = await stage(
      (_asked, response) => void response.writeHead(400).end('{"error":"Too hot."}'),
    );
    expect((await gateway.ask(HELLO, { headers })).status).toBe(400);
    model.script = says('Hello.');
    expect((await gateway.ask(HELLO, { headers })).status).toBe(200);
    expect((await gateway.ask({ ...HELLO, seed: 5 }, { headers })).json.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('that breaks off is charged for what was said, and is made anew', async () => {
    const { model, gateway } = await stage((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Hel'));
      setTimeout(() => response.destroy(), 20);
    });
    await gateway.ask({ ...HELLO, stream: true }, { headers }).catch(() => undefined);
    model.script = streams(chunk('Hello.'), usageChunk(), DONE);
    expect((await gateway.ask({ ...HELLO, stream: true }, { headers })).text).toBe(chunk('Hello.') + DONE);
  });

  it('is none of another product’s calls, whose keys are apart', async () => {
    const { gateway } = await stage(says('Hello.'));
    await gateway.ask(HELLO, { headers });
    const rpc = await fetch(`${gateway.origin}/api/v1/crypto/rpc/ethereum-mainnet`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
    });
    expect(((await rpc.json()) as { code: string }).code).toBe('UPSTREAM_NOT_CONFIGURED');
    expect((await gateway.ask(HELLO, { headers })).status).toBe(200);
    expect(await gateway.charges()).toHaveLength(1);
  });
});
