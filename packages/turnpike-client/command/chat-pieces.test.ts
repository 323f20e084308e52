import { describe, expect, test } from 'vitest';
import type { ChatPiece } from '@/lib/protocol/translation/chat-piece';
import { readChatPieces } from './chat-pieces';

/** Guarantee: a chat's answer is parsed piece by piece, and a truncated answer never counts as complete. */

async function read(body: string, contentType = 'text/event-stream'): Promise<ChatPiece[]> {
  const pieces: ChatPiece[] = [];
  for await (const piece of readChatPieces(new Response(body, { headers: { 'content-type': contentType } })))
    pieces.push(piece);
  return pieces;
}
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });

describe('a stream', () => {
  test('of text, reasoning, calls, its reason to end and its usage', async () => {
    const body =
      delta({ role: 'assistant', content: '' }) +
      delta({ reasoning_content: 'Hm' }) +
      delta({ content: 'Hi' }) +
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }] }) +
      delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }) +
      delta({}, 'tool_calls') +
      event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }) +
      'data: [DONE]\n\n';
    expect(await read(body)).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Hi' },
      { type: 'tool-call', index: 0, id: 'a', name: 'look', argumentsText: '' },
      { type: 'tool-call', index: 0, id: null, name: null, argumentsText: '{}' },
      { type: 'finish', reason: 'tool_calls' },
      { type: 'usage', promptTokens: 1, completionTokens: 2 },
    ]);
  });

  test.each([
    ['breaks off', delta({ content: 'Hi' }), 'ANSWER_BROKEN'],
    ['is empty', '', 'ANSWER_BROKEN'],
    ['says that it failed', event({ error: { message: 'The model broke.' } }), 'REFUSED'],
  ])('that %s is an error', async (_, body, code) => {
    await expect(read(body)).rejects.toMatchObject({ name: 'TurnpikeError', code });
  });

  test('of something else is an error', async () => {
    await expect(read('data: <html>\n\ndata: [DONE]\n\n')).rejects.toMatchObject({ code: 'ANSWER_MALFORMED' });
  });
});

test('a whole answer is read as it is', async () => {
  expect(
    await read(
      JSON.stringify({
        choices: [
          {
            message: { content: 'Hi', tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{}' } }] },
            finish_reason: 'stop',
          },
        ],
      }),
      'application/json',
    ),
  ).toEqual([
    { type: 'text', text: 'Hi' },
    { type: 'tool-call', index: 0, id: 'a', name: 'look', argumentsText: '{}' },
    { type: 'finish', reason: 'stop' },
  ]);
});
