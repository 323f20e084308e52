import { describe, expect, test } from 'vitest';
import { PLAIN_TRANSLATION } from './chat-turns';
import { chatOfMessagesRequest } from './messages-request';
import { chatOfResponsesRequest } from './responses-request';

/** Guarantee: parts that a chat cannot express are omitted and reported, and never cause a refusal. */

const PIXEL = 'data:image/png;base64,AA==';
const IMAGE = { type: 'image_url', image_url: { url: PIXEL } };

function told(translate: typeof chatOfMessagesRequest, body: object, canSee = true) {
  const leftOut: string[] = [];
  const chat = translate(body, { ...PLAIN_TRANSLATION, canSee, leaveOut: (what) => leftOut.push(what) });
  return { chat, leftOut };
}
const messages = (body: object, canSee?: boolean) =>
  told(
    chatOfMessagesRequest,
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }], ...body },
    canSee,
  );
const responses = (body: object, canSee?: boolean) =>
  told(chatOfResponsesRequest, { model: 'm', input: 'Hello', ...body }, canSee);

describe('system messages become one, which leads', () => {
  test('of Messages', () => {
    const { chat } = messages({
      system: 'A',
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'system', content: [{ type: 'text', text: 'B' }] },
        { role: 'user', content: 'So?' },
        { role: 'system', content: 'C' },
      ],
    });
    expect(chat.messages).toEqual([
      { role: 'system', content: 'A\n\nB\n\nC' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'So?' },
    ]);
  });

  test('of Responses', () => {
    const { chat } = responses({
      instructions: 'A',
      input: [
        { role: 'user', content: 'Hello' },
        { role: 'developer', content: 'B' },
        { role: 'system', content: 'C' },
      ],
    });
    expect(chat.messages).toEqual([
      { role: 'system', content: 'A\n\nB\n\nC' },
      { role: 'user', content: 'Hello' },
    ]);
  });
});

describe('tools that are no functions are left out, and the choice of one', () => {
  test('of Messages', () => {
    const { chat, leftOut } = messages({
      tools: [
        { name: 'look', input_schema: {} },
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search' },
      ],
      tool_choice: { type: 'tool', name: 'web_search' },
    });
    expect([chat['tools'], chat['tool_choice']]).toMatchObject([[{ function: { name: 'look' } }], undefined]);
    expect(leftOut).toEqual([expect.stringContaining('web_search'), expect.stringContaining('tool_search')]);
  });

  test('of Responses', () => {
    const { chat, leftOut } = responses({
      tools: [
        { type: 'namespace', name: 'mcp', tools: [{ type: 'web_search' }] },
        { type: 'local_shell' },
        { type: 'web_search' },
        { type: 'tool_search' },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
    });
    expect([chat['tools'], chat['tool_choice'], chat['parallel_tool_calls']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(leftOut).toHaveLength(4);
  });
});

test('what runs on a server of Messages, or is kept there, is left out and told', () => {
  const { leftOut } = messages({
    mcp_servers: [{ type: 'url', name: 'wiki', url: 'https://wiki.example' }],
    container: 'container_1',
  });
  expect(leftOut).toEqual(['mcp_servers', 'container']);
  expect(messages({ mcp_servers: [], container: null }).leftOut).toEqual([]);
});

test('the summary of a compacted conversation reaches the model', () => {
  const { chat, leftOut } = messages({
    messages: [
      { role: 'assistant', content: [{ type: 'compaction', content: 'They spoke of herons.' }] },
      { role: 'user', content: 'And now?' },
    ],
  });
  expect([chat.messages, leftOut]).toEqual([
    [
      { role: 'assistant', content: 'They spoke of herons.' },
      { role: 'user', content: 'And now?' },
    ],
    [],
  ]);
});

describe('an image in the result of a tool', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'AA==' };
  const asked = [
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'read', input: {} },
        { type: 'tool_use', id: 'b', name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] },
        { type: 'tool_result', tool_use_id: 'b', content: 'Text' },
      ],
    },
  ];
  const input = [
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_image', image_url: PIXEL }] },
    { role: 'user', content: 'So?' },
  ];

  test('follows all results where the model can see', () => {
    expect(messages({ messages: asked }).chat.messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[The image follows.]' },
      { role: 'tool', tool_call_id: 'b', content: 'Text' },
      { role: 'user', content: [IMAGE] },
    ]);
    expect(responses({ input }).chat.messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[The image follows.]' },
      { role: 'user', content: [IMAGE] },
      { role: 'user', content: 'So?' },
    ]);
  });

  test('is a line of text where it cannot', () => {
    for (const { chat, leftOut } of [messages({ messages: asked }, false), responses({ input }, false)]) {
      expect(chat.messages[1]).toMatchObject({
        role: 'tool',
        content: expect.stringContaining('cannot be shown') as string,
      });
      expect(leftOut).toHaveLength(1);
      expect(JSON.stringify(chat)).not.toContain('AA==');
    }
  });
});

describe('unknown parts are no reason to refuse', () => {
  test('of Messages', () => {
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'tool_reference', tool_name: 'look' },
      { type: 'tool_addition', tools: [] },
      { type: 'container_upload', file_id: 'f' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } },
    ];
    const { chat, leftOut } = messages({
      messages: [{ role: 'user', content }],
      thinking: { type: 'adaptive' },
      context_management: {},
      betas: [],
      unheard_of: 1,
    });
    expect(chat.messages[0]?.content).toContain('look');
    expect(chat.messages[0]?.content).toContain('application/pdf');
    expect(leftOut).toHaveLength(3);
  });

  test('of Responses', () => {
    const input = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi' },
          { type: 'input_file', filename: 'a.pdf' },
        ],
      },
      { type: 'web_search_call', id: 'ws' },
      { type: 'compaction', id: 'c' },
      { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'Done' },
    ];
    const { chat, leftOut } = responses({
      input,
      include: ['reasoning.encrypted_content'],
      client_metadata: {},
      unheard_of: 1,
    });
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(leftOut).toHaveLength(3);
  });
});

test('a schema and parallel calls exclude each other: the calls come one by one', () => {
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  expect(
    responses({
      tools: [{ type: 'function', name: 'look' }],
      parallel_tool_calls: true,
      text: { format: { type: 'json_schema', name: 'x', schema } },
    }).chat['parallel_tool_calls'],
  ).toBe(false);
  expect(
    messages({ tools: [{ name: 'look' }], output_config: { format: { type: 'json_schema', schema } } }).chat[
      'parallel_tool_calls'
    ],
  ).toBe(false);
});

test('an item of this process is what it was', () => {
  const itemOf = (id: string) =>
    id === 'msg_1' ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] } : null;
  const input = [
    { role: 'user', content: 'Hello' },
    { type: 'item_reference', id: 'msg_1' },
  ];
  expect(chatOfResponsesRequest({ model: 'm', input }, { ...PLAIN_TRANSLATION, itemOf }).messages[1]).toEqual({
    role: 'assistant',
    content: 'Hi',
  });
  expect(() => chatOfResponsesRequest({ model: 'm', input }, PLAIN_TRANSLATION)).toThrow('Set "store" to false');
});

describe('a part that is not whole refuses nothing, since it comes again in every later turn', () => {
  const user = { role: 'user', content: 'So?' };
  const asksFor = (content: unknown) => ({ messages: [user, { role: 'assistant', content }, user] });

  test.each([
    ['null', null],
    ['nothing', undefined],
    ['an empty list', []],
    ['a text that is null', [{ type: 'text', text: null }]],
    ['a call without a name', [{ type: 'tool_use', id: 't', input: {} }]],
    ['null in a list', [null]],
  ])('of Messages: %s', (_what, content) => {
    expect(messages(asksFor(content)).chat.messages).toEqual([user, user]);
  });

  test.each([
    ['bare texts', ['So?']],
    ['one block', { type: 'text', text: 'So?' }],
    [
      'a result without an id',
      [
        { type: 'tool_result', content: 'x' },
        { type: 'text', text: 'So?' },
      ],
    ],
  ])('of Messages: %s', (_what, content) => {
    expect(messages({ messages: [{ role: 'user', content }] }).chat.messages).toEqual([user]);
  });

  test('of Messages: a result that is an object', () => {
    expect(
      messages({
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: { a: 1 } }] }],
      }).chat.messages,
    ).toEqual([{ role: 'tool', tool_call_id: 't', content: '{"a":1}' }]);
  });

  test.each([
    ['no content', { type: 'message', role: 'assistant', id: 'm' }],
    ['a content that is null', { role: 'assistant', content: null }],
    ['a call without a name', { type: 'function_call', call_id: 'c', arguments: '{}' }],
    ['a result without an id', { type: 'function_call_output', output: 'x' }],
    ['null', null],
  ])('of Responses: %s', (_what, item) => {
    expect(responses({ input: ['So?', item, user] }).chat.messages).toEqual([user, user]);
  });

  test('of Responses: a call by its own id, and a result that is null', () => {
    const { chat } = responses({
      input: [
        user,
        { type: 'function_call', id: 'c', name: 'look', arguments: null },
        { type: 'function_call_output', call_id: 'c', output: null },
      ],
    });
    expect(chat.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '' },
    ]);
  });

  test('tools without a name are left out, and those in the form of a chat are taken', () => {
    expect(messages({ tools: [null, {}, { name: 'look', input_schema: {} }] }).chat['tools']).toMatchObject([
      { function: { name: 'look' } },
    ]);
    expect(
      responses({
        tools: [null, { type: 'function' }, { type: 'function', function: { name: 'look', parameters: {} } }],
        previous_response_id: '',
      }).chat['tools'],
    ).toEqual([{ type: 'function', function: { name: 'look', parameters: {} } }]);
  });
});
