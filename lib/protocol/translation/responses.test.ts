import { describe, expect, test } from 'vitest';
import type { ChatPiece } from './chat-piece';
import { type ChatRequestBody, Untranslatable } from './chat-turns';
import { chatOfResponsesRequest } from './responses-request';
import { answerOf, eventsOf } from './testing/answers';

/** Guarantee: a Responses request becomes the same conversation as a chat, or the refusal names the field. */

const BASE = { model: 'm', input: 'Hello' };

async function* of(...pieces: ChatPiece[]): AsyncGenerator<ChatPiece, void, undefined> {
  yield* pieces;
}
const responsesAnswer = (chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>) =>
  answerOf('responses', chat, pieces);
const responsesEvents = (chat: ChatRequestBody, pieces: AsyncIterable<ChatPiece>) =>
  eventsOf('responses', chat, pieces);
const chat = chatOfResponsesRequest(BASE);
const USAGE: ChatPiece = { type: 'usage', promptTokens: 7, completionTokens: 3 };

describe('a request', () => {
  test('of one text, with instructions and numbers', () => {
    expect(
      chatOfResponsesRequest({
        ...BASE,
        instructions: 'Be brief.',
        max_output_tokens: 9,
        temperature: 0.5,
        top_p: 1,
        reasoning: { effort: 'low' },
      }),
    ).toEqual({
      model: 'm',
      stream: false,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 9,
      temperature: 0.5,
      top_p: 1,
      reasoning_effort: 'low',
    });
  });

  test('of a conversation with calls of tools, made at once in one turn', () => {
    const input = [
      { role: 'developer', content: 'Use tools.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Weather' },
          { type: 'input_text', text: 'here?' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"at":1}' },
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{"at":2}' },
      { type: 'function_call_output', call_id: 'a', output: 'Sun' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'Rain' }] },
    ];
    expect(chatOfResponsesRequest({ ...BASE, input }).messages).toEqual([
      { role: 'system', content: 'Use tools.' },
      { role: 'user', content: 'Weather\nhere?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '{"at":2}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Sun' },
      { role: 'tool', tool_call_id: 'b', content: 'Rain' },
    ]);
  });

  test('of calls with a message between them, all in the turn before their results', () => {
    const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' });
    const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: id });
    const between = [
      { role: 'assistant', content: 'And there.' },
      { role: 'developer', content: 'Be quick.' },
    ];
    const input = [call('a'), ...between, call('b'), output('a'), output('b'), { role: 'assistant', content: 'Sun.' }];
    expect(chatOfResponsesRequest({ ...BASE, input }).messages).toEqual([
      { role: 'system', content: 'Be quick.' },
      {
        role: 'assistant',
        content: 'And there.',
        tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
      },
      { role: 'tool', tool_call_id: 'a', content: 'a' },
      { role: 'tool', tool_call_id: 'b', content: 'b' },
      { role: 'assistant', content: 'Sun.' },
    ]);
  });

  test('with tools and a schema', () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    expect(
      chatOfResponsesRequest({
        ...BASE,
        tools: [{ type: 'function', name: 'look', description: 'Looks', parameters: schema, strict: true }],
        tool_choice: { type: 'function', name: 'look' },
        text: { format: { type: 'json_schema', name: 'x', schema, strict: true } },
      }),
    ).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters: schema, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } },
    });
  });

  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'p' } }],
    ['input', { input: 5 }],
    ['input[0].role', { input: [{ role: 'nobody', content: 'x' }] }],
    ['input', { input: [{ type: 'computer_call' }] }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'rs_1' }] }],
    ['input', { input: [{ type: 'function_call_output', output: 'x' }] }],
    ['model', { model: undefined }],
    ['text.format', { text: { format: { type: 'xml' } } }],
  ])('with %s that cannot be translated is refused by name', (param, changed) => {
    expect(() => chatOfResponsesRequest({ ...BASE, ...changed })).toThrow(Untranslatable);
    try {
      chatOfResponsesRequest({ ...BASE, ...changed });
    } catch (error) {
      expect((error as Untranslatable).param).toBe(param);
    }
  });
});

describe('an answer', () => {
  test('of text is a message, and says when it was cut', async () => {
    expect(
      await responsesAnswer(
        chat,
        of({ type: 'text', text: 'Hi ' }, { type: 'text', text: 'there' }, { type: 'finish', reason: 'stop' }, USAGE),
      ),
    ).toMatchObject({
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi there' }] }],
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
    });
    expect(
      await responsesAnswer(chat, of({ type: 'text', text: 'Hi' }, { type: 'finish', reason: 'length' })),
    ).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage: null });
  });

  test('streamed has the same items whole at its end, text and calls, each numbered', async () => {
    const pieces = of(
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', index: 0, id: 'a', name: 'look', argumentsText: '' },
      { type: 'tool-call', index: 0, id: null, name: null, argumentsText: '{"at":1}' },
      { type: 'finish', reason: 'tool_calls' },
      USAGE,
    );
    const events: { type: string; sequence_number: number; response?: { output: object[] } }[] = [];
    for await (const { data } of responsesEvents(chat, pieces)) events.push(data as (typeof events)[number]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.at(-1)?.response?.output).toMatchObject([
      { type: 'message', content: [{ text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"at":1}' },
    ]);
  });
});
