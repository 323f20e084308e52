/**
 * @not next: the proxy sends chats, and openai.test.ts sends such chats through Next.
 * @not postgres: translation happens before payment.
 */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chunk,
  completionText,
  DONE,
  type ModelScript,
  refuses,
  says,
  streams,
  usageChunk,
} from '@/test/scripted-model';
import { type RunningProxyCommand, startProxyCommand } from './harness/command-line';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';

/**
 * Official SDKs' Responses and Messages requests through the proxy and a whole gateway to a scripted model: tools,
 * schemas and failures.
 */

const MODEL = 'plain';
let upstream: ScriptedUpstream;
let gateway: GatewayUnderTest;
let proxy: RunningProxyCommand;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({
    profile: 'live',
    config: {
      inference: {
        chatUpstreams: [{ name: 'test', url: upstream.url }],
        models: { [MODEL]: { capabilities: { supportsFunctionCalling: true, supportsResponseSchema: true } } },
      },
    },
  });
  const { key } = await gateway.operator.createCaller({ usd: '5' });
  proxy = await startProxyCommand(['--privacy', 'plain', '--model', MODEL], {
    TURNPIKE_URL: gateway.url,
    TURNPIKE_API_KEY: key,
  });
  openai = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: proxy.token, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: proxy.url, apiKey: proxy.token, maxRetries: 0 });
}, 120_000);
afterAll(async () => {
  await proxy?.stop();
  await gateway?.stop();
  upstream?.close();
});

const SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const askedBody = () => JSON.parse(upstream.asked.at(-1)?.body ?? '{}') as Record<string, unknown>;
const CALL = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } };
const calls: ModelScript = (_asked, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    completionText('')
      .replace(
        '"message":{"role":"assistant","content":""}',
        `"message":{"role":"assistant","content":null,"tool_calls":[${JSON.stringify(CALL)}]}`,
      )
      .replace('"stop"', '"tool_calls"'),
  );
};
const delta = (fields: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
const streamsCall = streams(
  delta({ role: 'assistant', content: 'Let me look.' }),
  delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '"Bern"}' } }] }),
  delta({}, 'tool_calls'),
  usageChunk(),
  DONE,
);

describe('the Responses API', () => {
  const tools: OpenAI.Responses.FunctionTool[] = [
    { type: 'function', name: 'look', description: 'Looks', parameters: SCHEMA, strict: true },
  ];

  test('calls tools, and takes what they gave, whatever model was named', async () => {
    upstream.script = calls;
    const first = await openai.responses.create({
      model: 'gpt-of-somebody',
      input: 'Weather?',
      tools,
      tool_choice: 'auto',
    });
    expect(first.output).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"city":"Bern"}' },
    ]);
    expect(askedBody()).toMatchObject({
      model: MODEL,
      tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }],
      tool_choice: 'auto',
    });
    upstream.script = says('Sunny.');
    const second = await openai.responses.create({
      model: MODEL,
      tools,
      input: [
        { role: 'user', content: 'Weather?' },
        ...(first.output as OpenAI.Responses.ResponseFunctionToolCall[]),
        { type: 'function_call_output', call_id: 'call_1', output: 'Sun' },
      ],
    });
    expect(second.output_text).toBe('Sunny.');
    expect(askedBody()['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      expect.objectContaining({ role: 'assistant', tool_calls: [CALL] }),
      { role: 'tool', tool_call_id: 'call_1', content: 'Sun' },
    ]);
  });

  test('streams text and calls in the events of its SDK', async () => {
    upstream.script = streamsCall;
    const stream = openai.responses.stream({ model: MODEL, input: 'Weather?', tools });
    let [text, args] = ['', ''];
    stream.on('response.output_text.delta', ({ delta: part }) => (text += part));
    stream.on('response.function_call_arguments.delta', ({ delta: part }) => (args += part));
    const { output, usage } = await stream.finalResponse();
    expect([text, args]).toEqual(['Let me look.', '{"city":"Bern"}']);
    expect(output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', name: 'look', arguments: '{"city":"Bern"}' },
    ]);
    expect(usage).toMatchObject({ input_tokens: 100, output_tokens: 50 });
  });

  test('is held to a schema', async () => {
    upstream.script = says('{"city":"Bern"}');
    const { output_parsed: parsed } = await openai.responses.parse({
      model: MODEL,
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'place', strict: true, schema: SCHEMA } },
    });
    expect(parsed).toEqual({ city: 'Bern' });
    expect(askedBody()['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'place', strict: true, schema: SCHEMA },
    });
  });

  test('that needs what a server keeps is 400 by the field, and asks nobody', async () => {
    const before = upstream.asked.length;
    await expect(
      openai.responses.create({ model: MODEL, input: 'And then?', previous_response_id: 'resp_1' }),
    ).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
    expect(upstream.asked).toHaveLength(before);
  });
});

describe('the Messages API', () => {
  const tools: Anthropic.Tool[] = [{ name: 'look', description: 'Looks', input_schema: SCHEMA }];
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather?' }];

  test('calls tools, and takes what they gave', async () => {
    upstream.script = calls;
    const first = await anthropic.messages.create({ model: 'claude-of-somebody', max_tokens: 100, messages, tools });
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { city: 'Bern' } }],
    });
    upstream.script = says('Sunny.');
    const second = await anthropic.messages.create({
      model: MODEL,
      max_tokens: 100,
      tools,
      messages: [
        ...messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Sun' }] },
      ],
    });
    expect(second.content).toMatchObject([{ type: 'text', text: 'Sunny.' }]);
    expect(askedBody()['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      expect.objectContaining({ role: 'assistant', tool_calls: [CALL] }),
      { role: 'tool', tool_call_id: 'call_1', content: 'Sun' },
    ]);
  });

  test('streams text and calls in the events of its SDK', async () => {
    upstream.script = streamsCall;
    const final = await anthropic.messages.stream({ model: MODEL, max_tokens: 100, messages, tools }).finalMessage();
    expect(final).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', name: 'look', input: { city: 'Bern' } },
      ],
      usage: { output_tokens: 50 },
    });
  });

  test('is held to a schema', async () => {
    upstream.script = says('{"city":"Bern"}');
    const answer = await anthropic.messages.create({
      model: MODEL,
      max_tokens: 100,
      messages,
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    });
    expect(answer.content).toMatchObject([{ type: 'text', text: '{"city":"Bern"}' }]);
    expect(askedBody()['response_format']).toMatchObject({ type: 'json_schema', json_schema: { schema: SCHEMA } });
  });

  test('hands an image on', async () => {
    upstream.script = says('A dot.');
    const image: Anthropic.MessageParam = {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }],
    };
    expect(await anthropic.messages.create({ model: MODEL, max_tokens: 10, messages: [image] })).toMatchObject({
      content: [{ text: 'A dot.' }],
    });
    expect(askedBody()['messages']).toEqual([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
    ]);
  });
});

describe('what goes wrong at the model', () => {
  test('is told in each SDK’s own form, and on the terminal', async () => {
    upstream.script = refuses(400, { error: { message: 'Too long.' } });
    await expect(openai.responses.create({ model: MODEL, input: 'x' })).rejects.toMatchObject({
      status: expect.any(Number) as number,
      error: { message: expect.any(String) as string },
    });
    await expect(
      anthropic.messages.create({ model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: 'x' }] }),
    ).rejects.toMatchObject({ error: { type: 'error', error: { message: expect.any(String) as string } } });
    expect((await proxy.heard('call', 1)).at(-1)).toMatchObject({ problem: expect.stringMatching(/./) as string });
  });

  test.each(['chat', 'responses', 'messages'])('a stream that breaks off never looks whole (%s)', async (api) => {
    upstream.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Half an ans'));
      setTimeout(() => response.destroy(), 100);
    };
    const read = async () => {
      if (api === 'messages')
        return void (await anthropic.messages
          .stream({ model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: 'x' }] })
          .finalMessage());
      if (api === 'responses')
        return void (await openai.responses.stream({ model: MODEL, input: 'x' }).finalResponse());
      for await (const _part of await openai.chat.completions.create({
        model: MODEL,
        messages: [{ role: 'user', content: 'x' }],
        stream: true,
      }));
    };
    await expect(read()).rejects.toThrow();
  });

  test('an answer of Messages that breaks off is not asked for again without a stream', async () => {
    upstream.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Half an ans'));
      setTimeout(() => response.destroy(), 100);
    };
    const request = { model: MODEL, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Once only.' }] };
    await expect(anthropic.messages.stream(request).finalMessage()).rejects.toThrow("The model's answer ended early");
    const before = upstream.asked.length;
    upstream.script = says('All of it.');
    await expect(
      new Anthropic({ baseURL: proxy.url, apiKey: proxy.token, maxRetries: 2 }).messages.create(request),
    ).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining("The model's answer ended early") as string,
    });
    expect(upstream.asked).toHaveLength(before);
    expect(await anthropic.messages.create(request)).toMatchObject({ content: [{ text: 'All of it.' }] });
  });

  test('a body that is no JSON is 400 in every form', async () => {
    for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/messages']) {
      for (const body of ['{', '[]', '"x"', '']) {
        const answer = await fetch(proxy.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${proxy.token}` },
          body,
        });
        expect([path, body, answer.status]).toEqual([path, body, 400]);
        expect(await answer.json()).toMatchObject({ error: { message: 'The body is not a JSON object.' } });
      }
    }
  });

  test('a body that is too long is 413', async () => {
    const answer = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${proxy.token}` },
      body: ' '.repeat(17 * 1_024 * 1_024),
    }).catch(() => null);
    expect([413, undefined]).toContain(answer?.status);
  });
});
