import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { ANSWERS, event, EVENTS, MESSAGE, MODEL, RESPONSE, RESPONSE_EVENTS } from '@/test/native-answers';
import { type ModelScript, refuses, says, scriptedModel } from '@/test/scripted-model';

/**
 * Guarantee: a server of the Responses or Messages API gets the received bytes. Its answers are relayed and charged as
 * chats.
 */

type Api = keyof typeof ANSWERS;

const streamed =
  (events: readonly string[], end: 'end' | 'destroy' | 'open' = 'end'): ModelScript =>
  (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of events) response.write(each);
    if (end === 'end') response.end();
    else if (end === 'destroy') setTimeout(() => response.destroy(), 30);
  };
const speaks: ModelScript = (asked, response) => {
  const api = asked.path.slice('/v1/'.length) as Api;
  if ((JSON.parse(asked.body) as { stream?: boolean }).stream) return streamed(EVENTS[api])(asked, response);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWERS[api]));
};

async function stage(
  script: ModelScript = speaks,
  {
    apis = ['responses', 'messages'],
    grant = 1_000_000_000,
    ...settings
  }: { apis?: string[]; grant?: number; [setting: string]: unknown } = {},
) {
  const model = await scriptedModel(script);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url, apis }], ...settings }, grant);
  const sent = () => model.asked.map(({ path, body }) => [path, JSON.parse(body)] as [string, Record<string, unknown>]);
  const post = async (api: Api, body: object | string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.origin}/api/v1/${api}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const openai = new OpenAI({ baseURL: `${gateway.origin}/api/v1`, apiKey: gateway.key, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: `${gateway.origin}/api`, apiKey: gateway.key, maxRetries: 0 });
  return { model, gateway, sent, post, openai, anthropic };
}

const REQUESTS: Record<Api, Record<string, unknown>> = {
  responses: { model: MODEL, input: 'Weather?', max_output_tokens: 100, store: false, unheard_of: 1.0 },
  messages: {
    model: MODEL,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Weather?' }],
    thinking: { type: 'adaptive' },
  },
};
const CHARGE = [{ amount: 200_000, detail: '100 + 50 tokens, 40 cached', resource: 'chat/plain' }];
const apis = Object.keys(ANSWERS) as Api[];

describe.each(apis)('%s', (api) => {
  it('goes out and comes back byte for byte, whole and streamed, and is charged once each', async () => {
    const { model, gateway, post } = await stage();
    const body = JSON.stringify(REQUESTS[api]).replace('{', '{ ');
    expect((await post(api, body)).text).toBe(JSON.stringify(ANSWERS[api]));
    const asked = JSON.stringify({ ...REQUESTS[api], stream: true });
    const answer = await post(api, asked);
    expect([answer.headers.get('content-type'), answer.text]).toEqual(['text/event-stream', EVENTS[api].join('')]);
    expect(model.asked.map(({ path, body: sent }) => [path, sent])).toEqual([
      [`/v1/${api}`, body],
      [`/v1/${api}`, asked],
    ]);
    expect(await gateway.charges()).toEqual([...CHARGE, ...CHARGE]);
  });

  it('is repeated for nothing under an Idempotency-Key, in the same bytes', async () => {
    for (const stream of [false, true]) {
      const { model, gateway, post } = await stage();
      const [first, second] = [
        await post(api, { ...REQUESTS[api], stream }, { 'idempotency-key': 'one' }),
        await post(api, { ...REQUESTS[api], stream }, { 'idempotency-key': 'one' }),
      ];
      expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
      expect([model.asked.length, (await gateway.charges()).length]).toEqual([1, 1]);
    }
  });

  it('never asks for more than is held, nor sells it', async () => {
    const { sent, post, gateway } = await stage(speaks, { grant: 250_000 });
    const limit = api === 'responses' ? 'max_output_tokens' : 'max_tokens';
    expect((await post(api, { ...REQUESTS[api], [limit]: 5_000 })).status).toBe(200);
    expect(sent()[0]?.[1][limit]).toBeLessThan(100);
    expect((await gateway.charges())[0]?.amount).toBeLessThanOrEqual(250_000);
  });

  it.each([-5, 0, 1.5, 1e300, '5'])('with a limit of %j is 400, as a chat', async (tokens) => {
    const { model, post } = await stage();
    const limit = api === 'responses' ? 'max_output_tokens' : 'max_tokens';
    const refused = await post(api, { ...REQUESTS[api], [limit]: tokens });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(limit)]);
    expect(model.asked).toEqual([]);
  });

  it('that asks for a stream in other words than true or false is 400', async () => {
    const { model, post } = await stage();
    expect((await post(api, { ...REQUESTS[api], stream: 'true' })).status).toBe(400);
    expect(model.asked).toEqual([]);
  });

  it('with a limit of -1 has none, so that what is held is its limit', async () => {
    const { sent, post } = await stage();
    const limit = api === 'responses' ? 'max_output_tokens' : 'max_tokens';
    expect((await post(api, { ...REQUESTS[api], [limit]: -1 })).status).toBe(200);
    expect(sent()[0]?.[1][limit]).toBe(1_000);
  });

  it('that breaks off ends with an error event, charged for what was said', async () => {
    const { post, gateway } = await stage(streamed(EVENTS[api].slice(0, 4), 'destroy'));
    const { text } = await post(api, { ...REQUESTS[api], stream: true });
    expect(text).toContain(EVENTS[api].slice(0, 4).join(''));
    expect(text.slice(EVENTS[api].slice(0, 4).join('').length)).toMatch(
      api === 'responses' ? /event: response.failed\n/ : /^event: error\n/,
    );
    expect((await gateway.charges()).map(({ amount }) => amount > 0 && amount < 200_000)).toEqual([true]);
  });

  it('that goes on beyond its limit is broken off', async () => {
    const more = Array.from({ length: 400 }, () => EVENTS[api][3] as string);
    const { post, gateway } = await stage(streamed([...EVENTS[api].slice(0, 3), ...more], 'open'));
    const { text } = await post(api, {
      ...REQUESTS[api],
      stream: true,
      ...(api === 'responses' ? { max_output_tokens: 16 } : { max_tokens: 16 }),
    });
    expect(text.length).toBeLessThan(200 * (EVENTS[api][3] as string).length);
    expect((await gateway.charges())[0]?.amount).toBeLessThan(400_000);
  });

  it('that is refused is told in its form, and another server is asked where one is away', async () => {
    const { post, gateway } = await stage(
      refuses(400, { type: 'error', error: { type: 'invalid_request_error', message: 'Too hot' } }),
    );
    const refused = await post(api, REQUESTS[api]);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Too hot.')]);
    expect(await gateway.charges()).toEqual([]);
    const [away, well] = [await scriptedModel(refuses(503, {})), await scriptedModel(speaks)];
    const two = await chatGateway({
      chatUpstreams: [
        { name: 'away', url: away.url, apis: [api] },
        { name: 'chats', url: (await scriptedModel(says('x'))).url },
        { name: 'well', url: well.url, apis: [api] },
      ],
    });
    const response = await fetch(`${two.origin}/api/v1/${api}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${two.key}` },
      body: JSON.stringify(REQUESTS[api]),
    });
    expect(await response.text()).toBe(JSON.stringify(ANSWERS[api]));
  });

  it('is translated for a server that does not speak it', async () => {
    const { sent, post } = await stage(says('Sunny.'), { apis: [] });
    expect((await post(api, REQUESTS[api])).text).toContain('Sunny.');
    expect(sent()[0]?.[0]).toBe('/v1/chat/completions');
  });
});

it('official clients read what passes through', async () => {
  const { openai, anthropic } = await stage();
  expect((await openai.responses.create({ model: MODEL, input: 'Weather?' })).output_text).toBe('Sunny.');
  expect(
    (await openai.responses.stream({ model: MODEL, input: 'Weather?' }).finalResponse()).usage?.output_tokens,
  ).toBe(50);
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather?' }];
  expect((await anthropic.messages.create({ model: MODEL, max_tokens: 9, messages })).content).toEqual(MESSAGE.content);
  expect(
    (await anthropic.messages.stream({ model: MODEL, max_tokens: 9, messages }).finalMessage()).content,
  ).toMatchObject([{ type: 'text', text: 'Sunny.' }]);
});

it.each([
  ['context_length_exceeded', 400],
  ['server_error', 503],
])('a stream of the Responses API that fails with %s before it begins is %i', async (code, status) => {
  const failed = { type: 'response.failed', response: { ...RESPONSE, error: { code, message: 'Too long' } } };
  const { post } = await stage(streamed([...RESPONSE_EVENTS.slice(0, 1), event(failed)]));
  const { status: told, text } = await post('responses', { ...REQUESTS.responses, stream: true });
  expect([told, text.includes('Too long.')]).toEqual([status, status === 400]);
});

const FILE = { type: 'image', source: { type: 'file', file_id: 'file_1' } };

describe('nothing reaches what the server keeps for the operator', () => {
  it.each<[Api, object]>([
    ['responses', { previous_response_id: 'resp_1' }],
    ['responses', { conversation: 'conv_1' }],
    ['responses', { background: true }],
    ['responses', { prompt: { id: 'pmpt_1' } }],
    ['responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['responses', { input: [{ id: 'msg_1' }] }],
    ['responses', { input: [{ role: 'user' }, { type: null, id: 'msg_1' }] }],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }],
    ['responses', { input: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: null }] }],
    [
      'responses',
      { input: [{ type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'file_1' } }] },
    ],
    ['messages', { container: 'container_1' }],
    ['messages', { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
    ...[
      { ...FILE, type: 'document' },
      { type: 'tool_result', tool_use_id: 'a', content: [FILE] },
      { type: 'document', source: { type: 'content', content: [FILE] } },
      { type: 'web_fetch_tool_result', tool_use_id: 'a', content: { type: 'web_fetch_result', content: FILE } },
    ].map((part): [Api, object] => ['messages', { messages: [{ role: 'user', content: [part] }] }]),
  ])('%s with %j is 400', async (api, more) => {
    const { model, post } = await stage();
    expect((await post(api, { ...REQUESTS[api], ...more })).status).toBe(400);
    expect(model.asked).toEqual([]);
  });

  it('and no cache that costs more than others', async () => {
    const { sent, post } = await stage();
    const turnsOf = (more: object) => {
      const part = { type: 'text', text: 'Weather?', cache_control: { type: 'ephemeral', ...more } };
      const call = { type: 'tool_use', id: 'a', name: 'look', input: { cache_control: { ttl: '1h' } } };
      return [{ role: 'user', content: [{ type: 'document', source: { type: 'content', content: [part] } }, call] }];
    };
    const cacheOf = (more: object) => ({ cache_control: { type: 'ephemeral', ...more }, messages: turnsOf(more) });
    await post('messages', { ...REQUESTS.messages, ...cacheOf({ ttl: '1h' }) });
    await post('responses', { ...REQUESTS.responses, prompt_cache_options: { mode: 'explicit', ttl: '12h' } });
    expect(sent().map(([, body]) => body)).toEqual([
      { ...REQUESTS.messages, ...cacheOf({}) },
      { ...REQUESTS.responses, prompt_cache_options: { mode: 'explicit' } },
    ]);
  });

  it('and neither tools that run there nor dearer tiers go out', async () => {
    const { sent, post } = await stage();
    const own = [
      { type: 'function', name: 'look', parameters: {} },
      { type: 'shell', environment: { type: 'local' } },
    ];
    const theirs = [{ type: 'web_search' }, { type: 'shell', environment: { type: 'container_auto' } }];
    const answer = await post('responses', {
      ...REQUESTS.responses,
      store: true,
      tools: [...own, ...theirs],
      service_tier: 'priority',
    });
    expect(answer.headers.get('x-service-left-out')).toBe('tools');
    await post('messages', {
      ...REQUESTS.messages,
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'auto' },
      mcp_servers: [{ url: 'https://x.example' }],
      service_tier: 'auto',
    });
    expect(sent()[0]?.[1]).toMatchObject({ store: false, tools: own });
    expect(Object.keys(sent()[0]?.[1] ?? {})).not.toContain('service_tier');
    expect(Object.keys(sent()[1]?.[1] ?? {}).sort()).toEqual(['max_tokens', 'messages', 'model', 'thinking']);
  });

  it('and no tool that runs there goes out among the turns, or is the one to choose', async () => {
    const { sent, post } = await stage();
    const [look, search] = [{ type: 'function', name: 'look' }, { type: 'web_search' }];
    const turnsOf = (tools: object[], spaced: object[]) => [
      { role: 'user', content: 'Weather?' },
      { type: 'additional_tools', role: 'developer', tools },
      { type: 'tool_search_output', call_id: 'a', tools: [{ type: 'namespace', name: 'x', tools: spaced }] },
    ];
    const answer = await post('responses', {
      ...REQUESTS.responses,
      input: turnsOf([look, search, { type: 'image_generation' }], [look, search]),
      tools: [look],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [look, search] },
    });
    expect(answer.headers.get('x-service-left-out')).toBe('tools');
    const addition = (definition: object) => ({ type: 'tool_addition', tool: { type: 'tool_definition', definition } });
    const [fetches, own] = [
      { type: 'web_fetch_20260318', name: 'web_fetch' },
      { name: 'look', input_schema: {} },
    ];
    const user = { role: 'user', content: 'Weather?' };
    const compacted = (changes: object[]) => ({
      role: 'assistant',
      content: [{ type: 'compaction', tool_changes: changes }],
    });
    await post('messages', {
      ...REQUESTS.messages,
      messages: [
        user,
        { role: 'system', content: [addition(fetches)] },
        { role: 'system', content: [addition(own), addition(fetches)] },
        compacted([addition(own), addition(fetches)]),
      ],
      tools: [own, fetches],
      tool_choice: { type: 'tool', name: 'web_fetch' },
    });
    expect(
      sent().map(([, { input, messages, tools, tool_choice }]) => [input ?? messages, tools, tool_choice]),
    ).toEqual([
      [turnsOf([look], [look]), [look], { type: 'allowed_tools', mode: 'required', tools: [look] }],
      [[user, { role: 'system', content: [addition(own)] }, compacted([addition(own)])], [own], undefined],
    ]);
  });

  it('and no compaction or other model, which the usage does not name', async () => {
    const { sent, post } = await stage();
    const [clears, compacts] = [{ type: 'clear_thinking_20251015' }, { type: 'compact_20260112' }];
    const dearer = { fallbacks: [{ model: 'dear' }], compaction: {}, billing_policy: { bill_to: 'self' } };
    for (const edits of [[clears, compacts], [compacts], [clears]])
      await post('messages', { ...REQUESTS.messages, ...dearer, context_management: { edits } });
    const cleared = { ...REQUESTS.messages, context_management: { edits: [clears] } };
    expect(sent().map(([, body]) => body)).toEqual([cleared, REQUESTS.messages, cleared]);
  });
});
