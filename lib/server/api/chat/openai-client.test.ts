import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bundleProgram } from '@/test/bundle-program';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, refuses, says, scriptedModel, streams, usageChunk } from '@/test/scripted-model';

beforeAll(() => bundleProgram('schema-checker'));

const messages = [{ role: 'user' as const, content: 'Hello?' }];

async function stage(script = says('Hello.')) {
  const model = await scriptedModel(script);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
  const client = (apiKey = gateway.key) => new OpenAI({ baseURL: `${gateway.origin}/api/v1`, apiKey, maxRetries: 0 });
  return { model, gateway, client };
}

describe('the official OpenAI client, with nothing but base URL and key', () => {
  it('chats', async () => {
    const { client } = await stage();
    const completion = await client().chat.completions.create({ model: 'plain', messages });
    expect(completion.choices[0]?.message.content).toBe('Hello.');
  });

  it('streams, with usage where it asks for it and without where not', async () => {
    const { client } = await stage(streams(chunk('Hel'), chunk('lo.'), usageChunk(), DONE));
    for (const asked of [true, false]) {
      const stream = await client().chat.completions.create({
        model: 'plain',
        messages,
        stream: true,
        ...(asked ? { stream_options: { include_usage: true } } : {}),
      });
      let text = '';
      let tokens: number | undefined;
      for await (const part of stream) {
        text += part.choices[0]?.delta.content ?? '';
        tokens ??= part.usage?.total_tokens;
      }
      expect([text, tokens]).toEqual(['Hello.', asked ? 150 : undefined]);
    }
  });

  it('has its functions passed on, and their calls back', async () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }];
    const { client, model } = await stage((_asked, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'c',
          choices: [
            { index: 0, message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' },
          ],
        }),
      );
    });
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
    const completion = await client().chat.completions.create({ model: 'plain', messages, tools });
    expect(completion.choices[0]?.message.tool_calls).toEqual(calls);
    expect((JSON.parse(model.asked[0]?.body ?? '') as { tools: unknown }).tools).toEqual(tools);
  });

  it('parses a reply by a zod schema', async () => {
    const { client } = await stage(says('{"city":"Bern","degrees":null}'));
    const schema = z.object({ city: z.string(), degrees: z.number().nullable() });
    const completion = await client().chat.completions.parse({
      model: 'plain',
      messages,
      response_format: zodResponseFormat(schema, 'weather'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual({ city: 'Bern', degrees: null });
  });

  it('lists models', async () => {
    const { client } = await stage();
    const ids: string[] = [];
    for await (const { id } of client().models.list()) ids.push(id);
    expect(ids).toEqual(['plain']);
  });

  it('shows its user our sentence of what is wrong', async () => {
    const { client, gateway, model } = await stage();
    const ask = (key?: string, name = 'plain') => client(key).chat.completions.create({ model: name, messages });
    await expect(ask('tpk_unknown')).rejects.toThrow('401 "This API key does not exist. Check');
    await expect(ask(await gateway.caller(0))).rejects.toMatchObject({ status: 402 });
    await expect(ask(undefined, 'other')).rejects.toThrow('There is no model');
    model.script = refuses(400, { error: { message: 'Too hot.' } });
    await expect(ask()).rejects.toThrow('400 "Too hot."');
  });

  it('sees that a stream broke off', async () => {
    const { client } = await stage((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Hel'));
      setTimeout(() => response.destroy(), 20);
    });
    const stream = await client().chat.completions.create({ model: 'plain', messages, stream: true });
    await expect(
      (async () => {
        for await (const _part of stream);
      })(),
    ).rejects.toThrow("The model's answer ended early");
  });
});
