import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ChatGateway, chatGateway } from '@/test/chat-gateway';
import {
  chunk,
  DONE,
  type ModelScript,
  says,
  type ScriptedModel,
  scriptedModel,
  streams,
  usageChunk,
} from '@/test/scripted-model';

/** Guarantee: the official clients of OpenAI's Responses and Anthropic's Messages work, and are charged as chats. */

const MODEL = 'plain';
const CHARGE = [{ amount: 200_000, detail: '100 + 50 tokens', resource: 'chat/plain' }];
const SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const delta = (fields: object, finish: string | null = null) =>
  chunk('').replace(
    /"choices":.*?\}\]/,
    `"choices":${JSON.stringify([{ index: 0, delta: fields, finish_reason: finish }])}`,
  );
const CALLS = streams(
  delta({ content: 'Let me look.' }),
  delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{"city":' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '"Bern"}' } }] }),
  delta({}, 'tool_calls'),
  usageChunk(),
  DONE,
);

interface Stage {
  model: ScriptedModel;
  gateway: ChatGateway;
  openai: OpenAI;
  anthropic: Anthropic;
  asked: () => Record<string, unknown>;
}

async function stage(script: ModelScript, enclave = false): Promise<Stage> {
  const model = await scriptedModel(script);
  const upstream = { name: 'test', url: model.url };
  const gateway = await chatGateway(enclave ? { enclaveUpstreams: [upstream] } : { chatUpstreams: [upstream] });
  return {
    model,
    gateway,
    openai: new OpenAI({ baseURL: `${gateway.origin}/api/v1`, apiKey: gateway.key, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: `${gateway.origin}/api`, apiKey: gateway.key, maxRetries: 0 }),
    asked: () => JSON.parse(model.asked.at(-1)?.body ?? '{}') as Record<string, unknown>,
  };
}

describe('Responses', () => {
  const tools: OpenAI.Responses.Tool[] = [
    { type: 'function', name: 'look', parameters: SCHEMA, strict: true },
    { type: 'web_search' },
  ];

  it('whole, charged once', async () => {
    const { openai, gateway, asked } = await stage(says('Sunny.'));
    const response = await openai.responses.create({
      model: MODEL,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Weather?' },
        { role: 'developer', content: 'In Bern.' },
      ],
      tools,
    });
    expect(response).toMatchObject({
      output_text: 'Sunny.',
      status: 'completed',
      store: false,
      usage: { input_tokens: 100, output_tokens: 50 },
    });
    expect(response.metadata?.['left_out']).toContain('web_search');
    expect(asked()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.\n\nIn Bern.' },
        { role: 'user', content: 'Weather?' },
      ],
      tools: [{ type: 'function', function: { name: 'look' } }],
    });
    expect(await gateway.charges()).toEqual(CHARGE);
  });

  it('with a schema that is refused, under the path that the caller wrote', async () => {
    const { openai } = await stage(says('{}'));
    const format = { type: 'json_schema' as const, name: 'x', schema: { type: 'object', properties: {} } };
    await expect(openai.responses.create({ model: MODEL, input: 'Weather?', text: { format } })).rejects.toThrow(
      'text.format.schema.additionalProperties: Must be false',
    );
  });

  it('streamed, with a call', async () => {
    const { openai, gateway } = await stage(CALLS);
    const stream = openai.responses.stream({ model: MODEL, input: 'Weather?', tools });
    const response = await stream.finalResponse();
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"city":"Bern"}' },
    ]);
    expect(await gateway.charges()).toEqual(CHARGE);
  });

  it('that break off end with an error that their client throws, and response.failed', async () => {
    const { openai } = await stage((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Sun'));
      setTimeout(() => response.destroy(), 50);
    });
    const read = async () => {
      for await (const _event of await openai.responses.create({ model: MODEL, input: 'Weather?', stream: true }));
    };
    await expect(read()).rejects.toThrow("The model's answer ended early");
    const raw = await openai.responses.create({ model: MODEL, input: 'Weather?', stream: true }).asResponse();
    const events = (await raw.text()).split('\n\n').filter(Boolean);
    expect(events.map((event) => event.split('\n')[0]).slice(-2)).toEqual(['event: error', 'event: response.failed']);
    // With this code, Codex shows the message and does not repeat the call.
    expect(JSON.parse(events.at(-1)?.split('data: ')[1] ?? '')).toMatchObject({
      response: {
        status: 'failed',
        error: {
          code: 'invalid_prompt',
          message: expect.stringContaining('The part that arrived was charged') as string,
        },
      },
    });
    await expect(openai.responses.stream({ model: MODEL, input: 'Weather?' }).finalResponse()).rejects.toThrow(
      "The model's answer ended early",
    );
  });

  it('refused, in the form that the client shows', async () => {
    const { openai } = await stage(says('Hi'));
    await expect(
      openai.responses.create({ model: MODEL, input: 'Hi', previous_response_id: 'resp_1' }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      param: 'previous_response_id',
      message: expect.stringContaining('Send the whole conversation') as string,
    });
    await expect(openai.responses.create({ model: 'none', input: 'Hi' })).rejects.toMatchObject({
      status: 404,
      code: 'MODEL_NOT_FOUND',
    });
  });
});

describe('Messages', () => {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather?' }];
  const tools: Anthropic.ToolUnion[] = [
    { name: 'look', input_schema: SCHEMA },
    { type: 'web_search_20250305', name: 'web_search' },
  ];

  it('whole, with the key in x-api-key, charged once', async () => {
    const { anthropic, gateway, asked } = await stage(says('Sunny.'));
    const message = await anthropic.messages.create({
      model: MODEL,
      max_tokens: 100,
      messages,
      system: 'Be brief.',
      tools,
    });
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'Sunny.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, output_tokens: 50 },
    });
    expect(asked()).toMatchObject({
      max_tokens: 100,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
      ],
    });
    expect(await gateway.charges()).toEqual(CHARGE);
  });

  it('streamed, with a call', async () => {
    const { anthropic, gateway } = await stage(CALLS);
    const message = await anthropic.messages.stream({ model: MODEL, max_tokens: 100, messages, tools }).finalMessage();
    expect(message).toMatchObject({
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { city: 'Bern' } },
      ],
      stop_reason: 'tool_use',
    });
    expect(await gateway.charges()).toEqual(CHARGE);
  });

  it('that break off end with an error event', async () => {
    const { anthropic } = await stage((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Sun'));
      setTimeout(() => response.destroy(), 50);
    });
    await expect(anthropic.messages.stream({ model: MODEL, max_tokens: 9, messages }).finalMessage()).rejects.toThrow(
      "The model's answer ended early",
    );
  });

  it('that break off are not repeated without a stream, and may be asked again', async () => {
    const { anthropic, gateway, model } = await stage((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Sun'));
      setTimeout(() => response.destroy(), 50);
    });
    const request = { model: MODEL, max_tokens: 9, messages };
    await expect(anthropic.messages.stream(request).finalMessage()).rejects.toThrow("The model's answer ended early");
    model.script = says('Sunny.');
    const other = new Anthropic({
      baseURL: `${gateway.origin}/api`,
      apiKey: await gateway.caller(1_000_000_000),
      maxRetries: 0,
    });
    expect(await other.messages.create(request)).toMatchObject({ content: [{ text: 'Sunny.' }] });
    const refused = await anthropic.messages
      .create(request)
      .asResponse()
      .catch((error: InstanceType<typeof Anthropic.APIError>) => error);
    expect(refused).toMatchObject({
      status: 502,
      message: expect.stringContaining('The part that arrived was charged') as string,
    });
    expect((refused.headers as Headers).get('x-should-retry')).toBe('false');
    expect(model.asked).toHaveLength(2);
    expect(await anthropic.messages.create(request)).toMatchObject({ content: [{ text: 'Sunny.' }] });
  });

  it('that continue a thread, which is not kept, are refused so that its client sends the whole conversation', async () => {
    const { anthropic, gateway, model } = await stage(says('Sunny.'));
    const ask = (thread: object) =>
      anthropic.beta.messages.create({ model: MODEL, max_tokens: 100, messages, thread } as never) as Promise<unknown>;
    expect(await ask({ type: 'create' })).toMatchObject({ content: [{ text: 'Sunny.' }] });
    await expect(ask({ type: 'continue', previous_message_id: 'msg_1' })).rejects.toMatchObject({
      status: 400,
      error: { error: { code: 'THREAD_NOT_KEPT', details: { error_code: 'thread_not_found' } } },
    });
    expect(model.asked).toHaveLength(1);
    expect(await gateway.charges()).toEqual(CHARGE);
  });

  it('with a schema of optional properties, whose replies are checked as it says', async () => {
    const format = zodOutputFormat(z.object({ city: z.string(), sky: z.string().optional() }));
    const { anthropic, model, asked } = await stage(says('{"city":"Bern"}'));
    const ask = () => anthropic.messages.parse({ model: MODEL, max_tokens: 9, messages, output_config: { format } });
    expect((await ask()).parsed_output).toEqual({ city: 'Bern' });
    expect(asked()['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'reply', schema: format.schema },
    });
    model.script = says('{"sky":"blue"}');
    await expect(ask()).rejects.toMatchObject({ error: { error: { code: 'REPLY_SCHEMA_MISMATCH' } } });
    model.script = says('{"city":"Bern"}');
    const strict = { type: 'json_schema' as const, schema: SCHEMA };
    await anthropic.messages.create({ model: MODEL, max_tokens: 9, messages, output_config: { format: strict } });
    expect(asked()['response_format']).toMatchObject({ json_schema: { strict: true } });
  });

  it.each([
    [{ type: 'object', properties: {} }, 'output_config.format.schema.additionalProperties: Must be false'],
    [5, 'output_config.format.schema must be an object'],
  ])('with the schema %j are refused under the path that the caller wrote', async (schema, sentence) => {
    const { anthropic } = await stage(says('{}'));
    const format = { type: 'json_schema', schema } as Anthropic.JSONOutputFormat;
    await expect(
      anthropic.messages.create({ model: MODEL, max_tokens: 9, messages, output_config: { format } }),
    ).rejects.toThrow(sentence);
  });

  it('counted, free of charge', async () => {
    const { anthropic, gateway } = await stage(says('Hi'));
    const { input_tokens: tokens } = await anthropic.messages.countTokens({ model: MODEL, messages, tools });
    expect(tokens).toBeGreaterThan(2);
    expect(await gateway.charges()).toEqual([]);
  });

  it('refused, in the form that the client shows', async () => {
    const { gateway, anthropic } = await stage(says('Hi'));
    await expect(anthropic.messages.create({ model: 'none', max_tokens: 9, messages })).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error', code: 'MODEL_NOT_FOUND' } },
    });
    const stranger = new Anthropic({ baseURL: `${gateway.origin}/api`, apiKey: 'sk-none', maxRetries: 0 });
    await expect(stranger.messages.create({ model: MODEL, max_tokens: 9, messages })).rejects.toMatchObject({
      status: 401,
      error: { error: { type: 'authentication_error' } },
    });
  });
});

it('models whose answers are signed name the proxy, and hear of nothing', async () => {
  const { openai, anthropic, model } = await stage(says('Hi'), true);
  await expect(openai.responses.create({ model: MODEL, input: 'Hi' })).rejects.toMatchObject({
    status: 400,
    code: 'MODEL_NOT_TRANSLATED',
    error: { hint: expect.stringContaining('turnpike-client proxy') as string },
  });
  await expect(
    anthropic.messages.create({ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  ).rejects.toMatchObject({ status: 400 });
  expect(model.asked).toEqual([]);
});
