import { describe, expect, test } from 'vitest';
import { type ChatPiece, ChatPieceReader } from './chat-piece';
import { CollectedAnswer } from './collected-answer';

/** Guarantee: the reader separates tool calls, whatever indices the server gives them. */

const call = (name: string | null, argumentsText: unknown, more: object = {}) => ({
  ...more,
  function: { ...(name !== null && { name }), arguments: argumentsText },
});
const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });

function callsOf(chunks: readonly object[], member: 'delta' | 'message' = 'delta') {
  const [reader, answer] = [new ChatPieceReader(), new CollectedAnswer('x')];
  for (const each of chunks)
    for (const piece of reader.read(each as Readonly<Record<string, unknown>>, member)) answer.add(piece as ChatPiece);
  return answer.toolCalls.map(({ id, name, argumentsText }) => [id, name, argumentsText]);
}

const TWO = [
  ['a', 'look', '{"at":1}'],
  ['b', 'look', '{"at":2}'],
];

describe('two calls come out of a stream', () => {
  test.each<[what: string, chunks: object[]]>([
    [
      'whose server gives every call index 0',
      [
        chunk({ tool_calls: [call('look', '{"at":1}', { index: 0, id: 'a' })] }),
        chunk({ tool_calls: [call('look', '{"at":2}', { index: 0, id: 'b' })] }),
      ],
    ],
    [
      'whose fragments have no index',
      [
        chunk({ tool_calls: [call('look', '{"at"', { id: 'a' })] }),
        chunk({ tool_calls: [call(null, ':1}')] }),
        chunk({ tool_calls: [call('look', '{"at":2}', { id: 'b' })] }),
      ],
    ],
    [
      'whose fragments are interleaved',
      [
        chunk({
          tool_calls: [call('look', '{"at"', { index: 0, id: 'a' }), call('look', '{"at"', { index: 1, id: 'b' })],
        }),
        chunk({ tool_calls: [call(null, ':2}', { index: 1 }), call(null, ':1}', { index: 0 })] }),
      ],
    ],
    [
      'whose fragments are interleaved by id alone',
      [
        chunk({ tool_calls: [call('look', '{"at"', { index: 0, id: 'a' })] }),
        chunk({ tool_calls: [call('look', '{"at"', { index: 0, id: 'b' })] }),
        chunk({ tool_calls: [call(null, ':1}', { index: 0, id: 'a' })] }),
        chunk({ tool_calls: [call(null, ':2}', { index: 0, id: 'b' })] }),
      ],
    ],
    [
      'whose ids come late',
      [
        chunk({ tool_calls: [call('look', '{"at":', { index: 0 }), call('look', '{"at":', { index: 1 })] }),
        chunk({ tool_calls: [call(null, '1}', { index: 0, id: 'a' }), call(null, '2}', { index: 1, id: 'b' })] }),
      ],
    ],
    [
      'whose arguments are objects',
      [chunk({ tool_calls: [call('look', { at: 1 }, { id: 'a' }), call('look', { at: 2 }, { id: 'b' })] })],
    ],
  ])('%s', (_what, chunks) => {
    expect(callsOf(chunks)).toEqual(TWO);
  });

  test('whose server gives no ids, under ids of their own', () => {
    expect(
      callsOf([
        chunk({ tool_calls: [call('look', '{"at":1}', { index: 0 })] }),
        chunk({ tool_calls: [call('look', '{"at":2}', { index: 0 })] }),
      ]),
    ).toEqual([
      ['call_x0', 'look', '{"at":1}'],
      ['call_x1', 'look', '{"at":2}'],
    ]);
  });
});

test('one call stays one though its name comes with each fragment, and its id is empty', () => {
  expect(
    callsOf([
      chunk({ tool_calls: [call('look', '{"at":', { index: 0, id: 'a' })] }),
      chunk({ tool_calls: [call('look', '1}', { index: 0, id: '' })] }),
      chunk({ tool_calls: [call('look', '', { index: 0 })] }),
    ]),
  ).toEqual([TWO[0]]);
});

test('an old function_call is a call', () => {
  expect(
    callsOf([
      chunk({ function_call: { name: 'look', arguments: '{"at":' } }),
      chunk({ function_call: { arguments: '1}' } }),
    ]),
  ).toEqual([['call_x0', 'look', '{"at":1}']]);
  expect(
    callsOf([{ choices: [{ message: { function_call: { name: 'look', arguments: { at: 1 } } } }] }], 'message'),
  ).toEqual([['call_x0', 'look', '{"at":1}']]);
});

test('whole calls stay apart whatever they share', () => {
  expect(
    callsOf(
      [
        {
          choices: [
            {
              message: {
                tool_calls: [call('look', '{}', { index: 0, id: '' }), call('look', '{}', { index: 0, id: '' })],
              },
            },
          ],
        },
      ],
      'message',
    ),
  ).toHaveLength(2);
});
