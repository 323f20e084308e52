import { describe, expect, test } from 'vitest';
import type { ChatPiece } from './chat-piece';
import { type ChatRequestBody, PLAIN_TRANSLATION, Untranslatable } from './chat-turns';
import { chatOfMessagesRequest } from './messages-request';
import { answerOf, eventsOf } from './testing/answers';

/** Guarantee: a Messages request becomes the same conversation as a chat, or the refusal names the field. */

const BASE = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] };

async function* of(...pieces: ChatPiece[]): AsyncGenerator<ChatPiece, void, undefined> {
  yield* pieces;
}
const messagesAnswer = (chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>) => answerOf('messages', chat, pieces);
const messagesEvents = (chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>) => eventsOf('messages', chat, pieces);
const chat = chatOfMessagesRequest(BASE);
const USAGE: ChatPiece = { type: 'usage', promptTokens: 7, completionTokens: 3 };

describe('a request', () => {
  test('of text, with a system in parts and numbers', () => {
    expect(
      chatOfMessagesRequest({
        ...BASE,
        system: [
          { type: 'text', text: 'Be', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'brief.' },
        ],
        temperature: 0.5,
        top_k: 3,
        stop_sequences: ['.'],
        stream: true,
        metadata: { user_id: 'me' },
      }),
    ).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be\nbrief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 9,
      temperature: 0.5,
      top_k: 3,
      stop: ['.'],
    });
  });

  test('of calls of tools and their results, which answer the turn before whatever is asked after them', () => {
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'x' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And tomorrow?' },
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'Sun' }] },
          { type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'No' },
        ],
      },
    ];
    expect(chatOfMessagesRequest({ ...BASE, messages }).messages).toEqual([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Sun' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: No' },
      { role: 'user', content: 'And tomorrow?' },
    ]);
  });

  test('of calls in two messages, both in the turn before their results', () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
    const said = chatOfMessagesRequest({
      ...BASE,
      messages: [
        { role: 'assistant', content: [{ type: 'text', text: 'Here.' }, call('a')] },
        { role: 'assistant', content: [{ type: 'text', text: 'And there.' }, call('b')] },
        { role: 'user', content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })) },
      ],
    }).messages;
    expect(said.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool']);
    expect(said[0]).toMatchObject({ content: 'Here.\nAnd there.', tool_calls: [{ id: 'a' }, { id: 'b' }] });
  });

  test('with tools, a choice among them, and a schema', () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    const tools = [{ name: 'look', description: 'Looks', input_schema: schema }];
    expect(
      chatOfMessagesRequest({
        ...BASE,
        tools,
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        output_config: { format: { type: 'json_schema', schema } },
      }),
    ).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: schema } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { schema, strict: true } },
    });
    expect(chatOfMessagesRequest({ ...BASE, tools, tool_choice: { type: 'tool', name: 'look' } })).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'look' } },
    });
  });

  test.each([
    ['messages', { messages: [] }],
    ['messages', { messages: 'Hello' }],
    ['messages[0].role', { messages: [{ role: 'nobody', content: 'x' }] }],
    ['messages', { messages: [{ role: 'system', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'tool_use', id: 'a', name: 'x' }] }] }],
    ['model', { model: '' }],
    ['output_config.format', { output_config: { format: { type: 'xml' } } }],
  ])('with %s that cannot be translated is refused by name', (param, changed) => {
    let refusal: unknown;
    try {
      chatOfMessagesRequest({ ...BASE, ...changed });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Untranslatable);
    expect((refusal as Untranslatable).param).toBe(param);
  });
});

describe('an answer', () => {
  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])('that ended for %s says %s', async (reason, stopReason) => {
    expect(
      await messagesAnswer(chat, of({ type: 'text', text: 'Hi' }, { type: 'finish', reason }, USAGE)),
    ).toMatchObject({
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: stopReason,
      usage: { input_tokens: 7, output_tokens: 3 },
    });
  });

  test('does not ask for a call that the token limit has cut', async () => {
    const call: ChatPiece = { type: 'tool-call', index: 0, id: 'c1', name: 'look', argumentsText: '{"a":' };
    const answer = await messagesAnswer(chat, of(call, { type: 'finish', reason: 'length' }, USAGE));
    expect(answer).toMatchObject({ stop_reason: 'max_tokens' });
  });

  test('of calls has their input as JSON, and the model’s words where they are none', async () => {
    const answer = await messagesAnswer(
      chat,
      of(
        { type: 'tool-call', index: 0, id: 'a', name: 'look', argumentsText: '{"at":1}' },
        { type: 'tool-call', index: 1, id: 'b', name: 'look', argumentsText: '{"at":' },
        { type: 'finish', reason: 'tool_calls' },
      ),
    );
    expect(answer).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'tool_use', id: 'a', input: { at: 1 } },
        { type: 'tool_use', id: 'b', input: { arguments: '{"at":' } },
      ],
    });
  });

  test('streamed opens and closes each block before the next', async () => {
    const pieces = of(
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', index: 0, id: 'a', name: 'look', argumentsText: '{"at":1}' },
      { type: 'tool-call', index: 1, id: 'b', name: 'look', argumentsText: '{}' },
      { type: 'finish', reason: 'tool_calls' },
      USAGE,
    );
    const events: { type: string; index?: number }[] = [];
    for await (const { event, data } of messagesEvents(chat, pieces)) {
      expect((data as { type: string }).type).toBe(event);
      events.push(data as (typeof events)[number]);
    }
    expect(events.map(({ type, index }) => [type.replace('content_block_', ''), index])).toEqual([
      ['message_start', undefined],
      ['start', 0],
      ['delta', 0],
      ['stop', 0],
      ['start', 1],
      ['delta', 1],
      ['stop', 1],
      ['start', 2],
      ['delta', 2],
      ['stop', 2],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 7, output_tokens: 3 },
    });
  });

  const CALL = { type: 'tool-call', index: 0, id: 'a', name: 'look', argumentsText: '{"at":1}' } as const;
  test.each<[what: string, after: ChatPiece]>([
    ['another call', { ...CALL, index: 1, id: 'b' }],
    ['text', { type: 'text', text: 'Done.' }],
    ['a refusal', { type: 'refusal', text: 'No.' }],
    ['the reason to end', { type: 'finish', reason: 'tool_calls' }],
  ])('streamed ends no call before the pieces have ended, not for %s after it', async (_what, after) => {
    const written: string[] = [];
    async function* unsigned(): AsyncGenerator<ChatPiece, void, undefined> {
      yield* [{ type: 'text', text: 'Let me look.' }, CALL, after] satisfies ChatPiece[];
      throw new Error('The signature does not hold.');
    }
    const reading = (async () => {
      for await (const { data } of messagesEvents(chat, unsigned())) written.push(JSON.stringify(data));
    })();
    await expect(reading).rejects.toThrow('The signature does not hold.');
    expect(written.filter((data) => data.includes('content_block_stop'))).toEqual([
      '{"type":"content_block_stop","index":0}',
    ]);
    expect(written.join('')).toContain('input_json_delta');
  });

  test('streamed joins calls whose arguments come by turns', async () => {
    const part = (index: number, argumentsText: string): ChatPiece => ({
      type: 'tool-call',
      index,
      id: `c${index}`,
      name: 'look',
      argumentsText,
    });
    const blocks: { id?: string; json: string }[] = [];
    for await (const { data } of messagesEvents(
      chat,
      of(part(0, '{"a"'), part(1, '{"b"'), { type: 'text', text: 'So.' }, part(0, ':1}'), part(1, ':2}')),
    )) {
      const { content_block: block, delta } = data as {
        content_block?: { id?: string };
        delta?: { partial_json?: string };
      };
      if (block) blocks.push({ ...(block.id !== undefined && { id: block.id }), json: '' });
      const open = blocks.at(-1);
      if (open) open.json += delta?.partial_json ?? '';
    }
    expect(blocks).toEqual([{ id: 'c0', json: '{"a":1}' }, { json: '' }, { id: 'c1', json: '{"b":2}' }]);
  });

  test.each([
    [
      'streamed',
      async (pieces: AsyncIterable<ChatPiece>) => {
        for await (const _event of messagesEvents(chat, pieces));
      },
    ],
    ['whole', (pieces: AsyncIterable<ChatPiece>) => messagesAnswer(chat, pieces)],
  ])('%s that calls more tools than any model is refused', async (_how, read) => {
    await expect(
      read(of(...Array.from({ length: 129 }, (_, index): ChatPiece => ({ ...CALL, index })))),
    ).rejects.toMatchObject({ code: 'ANSWER_MALFORMED' });
  });
});

describe('tools that change within a conversation', () => {
  const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
  const change = (type: string, tool: object) => ({ role: 'system', content: [{ type, tool }] });
  const offered = (messages: object[]) => {
    const leftOut: string[] = [];
    const chat = chatOfMessagesRequest(
      {
        model: 'm',
        max_tokens: 9,
        tools: [tool('a'), { ...tool('b'), defer_loading: true }],
        messages: [{ role: 'user', content: 'Hi' }, ...messages],
      },
      { ...PLAIN_TRANSLATION, leaveOut: (what) => leftOut.push(what) },
    );
    return [
      (chat['tools'] as { function: { name: string } }[] | undefined)?.map(({ function: { name } }) => name),
      chat.messages.length,
      leftOut,
    ];
  };

  test.each<[string, object[], string[] | undefined]>([
    ['none', [], ['a', 'b']],
    [
      'a tool by its definition',
      [change('tool_addition', { type: 'tool_definition', definition: tool('c') })],
      ['a', 'b', 'c'],
    ],
    [
      'a tool by its name, which is offered already',
      [change('tool_addition', { type: 'tool_reference', name: 'b' })],
      ['a', 'b'],
    ],
    ['one tool fewer', [change('tool_removal', { type: 'tool_reference', name: 'a' })], ['b']],
    [
      'a tool that comes and goes',
      [
        change('tool_addition', { type: 'tool_definition', definition: tool('c') }),
        change('tool_removal', { type: 'tool_reference', name: 'c' }),
      ],
      ['a', 'b'],
    ],
    [
      'another definition of the same name',
      [change('tool_addition', { type: 'tool_definition', definition: { ...tool('a'), description: 'new' } })],
      ['b', 'a'],
    ],
    [
      'no tool at all',
      [
        change('tool_removal', { type: 'tool_reference', name: 'a' }),
        change('tool_removal', { type: 'tool_reference', name: 'b' }),
      ],
      undefined,
    ],
  ])('%s', (_what, messages, names) => {
    expect(offered(messages)).toEqual([names, 1, []]);
  });
});
