import type OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import { describe, expect, test } from 'vitest';
import { customInput, offeredTools } from './additional-tools';
import type { ChatPiece } from './chat-piece';
import { chatOfResponsesRequest } from './responses-request';
import { ResponsesEvents, responsesAnswer } from './responses-answer';
import { CollectedAnswer } from './collected-answer';
import { PLAIN_TRANSLATION } from './chat-turns';
import { eventText } from './answer-translation';

/**
 * Guarantee: tools inside a Responses input are offered to the model, and their calls return in each tool's own form.
 */

const exec = {
  type: 'custom',
  name: 'exec',
  description: 'Runs code.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: SOURCE' },
};
const wait = { type: 'function', name: 'wait', strict: false, parameters: { type: 'object' } };
const input = [
  {
    type: 'additional_tools',
    role: 'developer',
    tools: [
      { type: 'namespace', name: 'functions', tools: [exec, wait] },
      { type: 'namespace', name: 'clock', tools: [wait] },
      { type: 'web_search' },
    ],
  },
  { role: 'user', content: 'Go.' },
  { type: 'custom_tool_call', call_id: 'c0', name: 'exec', input: 'text(1)' },
  { type: 'custom_tool_call_output', call_id: 'c0', output: '1' },
];
const request = { model: 'm', input };

test('of namespaces, also custom ones, are functions of the chat, and others are told as left out', () => {
  const leftOut: string[] = [];
  const chat = chatOfResponsesRequest(request, { ...PLAIN_TRANSLATION, leaveOut: (what) => leftOut.push(what) });
  expect(chat['tools']).toEqual([
    {
      type: 'function',
      function: {
        name: 'exec',
        description: 'Runs code.\n\nThe input follows this grammar:\nstart: SOURCE',
        parameters: expect.objectContaining({ required: ['input'] }) as object,
      },
    },
    { type: 'function', function: { name: 'wait', strict: false, parameters: { type: 'object' } } },
    { type: 'function', function: { name: 'clock__wait', strict: false, parameters: { type: 'object' } } },
  ]);
  expect(chat.messages).toEqual([
    { role: 'user', content: 'Go.' },
    expect.objectContaining({
      tool_calls: [{ id: 'c0', type: 'function', function: { name: 'exec', arguments: '{"input":"text(1)"}' } }],
    }),
    { role: 'tool', tool_call_id: 'c0', content: '1' },
  ]);
  expect(leftOut).toEqual([expect.stringContaining('web_search')]);
});

test('are called by their own names, whole and streamed, a custom one with its text', async () => {
  const head = { id: 'r', createdAtSeconds: 1, request, chat: chatOfResponsesRequest(request), leftOut: [] };
  const pieces: ChatPiece[] = [
    { type: 'tool-call', index: 0, id: 'c1', name: 'exec', argumentsText: '{"input":"te' },
    { type: 'tool-call', index: 0, id: null, name: null, argumentsText: 'xt(2)"}' },
    { type: 'tool-call', index: 1, id: 'c2', name: 'clock__wait', argumentsText: '{}' },
    { type: 'finish', reason: 'tool_calls' },
  ];
  const calls = [
    {
      id: 'ctc_r0',
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'c1',
      name: 'exec',
      namespace: 'functions',
      input: 'text(2)',
    },
    {
      id: 'fc_r1',
      type: 'function_call',
      status: 'completed',
      call_id: 'c2',
      name: 'wait',
      namespace: 'clock',
      arguments: '{}',
    },
  ];
  const answer = new CollectedAnswer('r');
  for (const piece of pieces) answer.add(piece);
  expect(responsesAnswer(head, answer)).toMatchObject({ output: calls });
  const events = new ResponsesEvents(head);
  const text = [...events.begin(), ...pieces.flatMap((piece) => events.push(piece)), ...events.end()]
    .map(eventText)
    .join('');
  const read: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of Stream.fromSSEResponse<OpenAI.Responses.ResponseStreamEvent>(
    new Response(text),
    new AbortController(),
  ))
    read.push(event);
  expect(read.at(-1)).toMatchObject({ type: 'response.completed', response: { output: calls } });
  expect(read.filter(({ type }) => type.startsWith('response.custom_tool_call_input'))).toMatchObject([
    { delta: 'text(2)', item_id: 'ctc_r0' },
    { input: 'text(2)' },
  ]);
});

describe('namespaces and custom tools that stand beside the input', () => {
  const offered = {
    model: 'm',
    tools: [
      { type: 'namespace', name: 'mcp__docs', tools: [wait, { type: 'function', name: 'find' }] },
      { type: 'namespace', name: 'mcp__notes', tools: [{ type: 'function', name: 'find' }] },
      wait,
      exec,
    ],
  };
  const given = (input: unknown, more = {}) => chatOfResponsesRequest({ ...offered, ...more, input });
  const toolNames = (chat: object) =>
    (chat as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name);

  test('are offered, each under a name of its own', () => {
    expect(toolNames(given('Go.'))).toEqual(['wait', 'exec', 'mcp__docs__wait', 'find', 'mcp__notes__find']);
    expect(given('Go.', { tool_choice: { type: 'custom', name: 'exec' } })['tool_choice']).toEqual({
      type: 'function',
      function: { name: 'exec' },
    });
  });

  test('have the same names in the calls of the conversation', () => {
    const called = [
      { type: 'function_call', call_id: 'a', name: 'find', namespace: 'mcp__notes', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'wait', arguments: '{}' },
      { type: 'function_call', call_id: 'c', name: 'gone', namespace: 'mcp__notes', arguments: '{}' },
    ];
    expect(given(called).messages[0]?.tool_calls?.map((call) => call.function.name)).toEqual([
      'mcp__notes__find',
      'wait',
      'gone',
    ]);
  });

  test('are called by their name and namespace, whole and streamed', () => {
    const request = { ...offered, input: 'Go.' };
    const head = { id: 'r', createdAtSeconds: 1, request, chat: chatOfResponsesRequest(request), leftOut: [] };
    const pieces: ChatPiece[] = [
      { type: 'tool-call', index: 0, id: 'a', name: 'mcp__notes__find', argumentsText: '{}' },
      { type: 'tool-call', index: 1, id: 'b', name: 'exec', argumentsText: '{"input":"text(2)"}' },
      { type: 'finish', reason: 'tool_calls' },
    ];
    const calls = [
      { type: 'function_call', name: 'find', namespace: 'mcp__notes', arguments: '{}' },
      { type: 'custom_tool_call', name: 'exec', input: 'text(2)' },
    ];
    const answer = new CollectedAnswer('r');
    for (const piece of pieces) answer.add(piece);
    expect(responsesAnswer(head, answer)).toMatchObject({ output: calls });
    const events = new ResponsesEvents(head);
    for (const piece of pieces) events.push(piece);
    expect(events.end().at(-1)?.data).toMatchObject({ response: { output: calls } });
  });
});

test('a custom tool is called with what the model wrote where that is no JSON', () => {
  expect([customInput('{"input":"a"}'), customInput('text(1)'), customInput('{"code":1}')]).toEqual([
    'a',
    'text(1)',
    '{"code":1}',
  ]);
  expect(offeredTools({ input: 'Hello' })).toEqual([]);
});
