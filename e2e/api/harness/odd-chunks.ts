import {
  chunk,
  COUNT,
  DONE,
  FILTERED,
  type Found,
  head,
  HELLO,
  hello,
  type OddStream,
  ROLE,
  sse,
  STOP,
  USAGE,
  whole,
} from './odd-stream';

const shortened: Found = { ...hello, end: 'length' };

/** Contents of chunks. */
export const CHUNKS: readonly OddStream[] = [
  {
    name: 'with an empty reason to end in every chunk',
    body: chunk({ role: 'assistant' }, '') + chunk({ content: 'Hello.' }, '') + STOP + COUNT + DONE,
    expected: hello,
  },
  {
    name: 'with a role in every chunk',
    body:
      chunk({ role: 'assistant', content: 'Hel' }) + chunk({ role: 'assistant', content: 'lo.' }) + STOP + COUNT + DONE,
    expected: hello,
  },
  {
    name: 'with null of choices',
    body: sse({ ...head, choices: null }) + HELLO + STOP + COUNT + DONE,
    expected: hello,
  },
  { name: 'with empty choices', body: sse({ ...head, choices: [] }) + HELLO + STOP + COUNT + DONE, expected: hello },
  { name: 'with null of delta', body: chunk(null) + HELLO + STOP + COUNT + DONE, expected: hello },
  {
    name: 'with null of content',
    body: chunk({ role: 'assistant', content: null }) + HELLO + chunk({ content: null }, 'stop') + COUNT + DONE,
    expected: hello,
  },
  {
    name: 'with content as parts',
    body:
      chunk({ content: [{ type: 'text', text: 'Hel' }] }) +
      chunk({
        content: [
          { type: 'text', text: 'lo' },
          { type: 'text', text: '.' },
        ],
      }) +
      STOP +
      COUNT +
      DONE,
    expected: hello,
  },
  {
    name: 'with content as parts, whole',
    body: whole({ content: [{ type: 'text', text: 'Hello.' }] }),
    contentType: 'application/json',
    expected: hello,
  },
  {
    name: 'thinking in parts (Mistral)',
    body:
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }) +
      HELLO +
      STOP +
      COUNT +
      DONE,
    expected: { ...hello, reasoning: 'Hm.' },
  },
  {
    name: 'thinking as reasoning_content',
    body: chunk({ reasoning_content: 'Hm.', content: null }) + HELLO + STOP + COUNT + DONE,
    expected: { ...hello, reasoning: 'Hm.' },
  },
  {
    name: 'thinking as reasoning',
    body: chunk({ reasoning: 'Hm.', content: '' }) + HELLO + STOP + COUNT + DONE,
    expected: { ...hello, reasoning: 'Hm.' },
  },
  {
    name: 'thinking under both names',
    body: chunk({ reasoning: 'Hm.', reasoning_content: 'Hm.' }) + HELLO + STOP + COUNT + DONE,
    expected: { ...hello, reasoning: 'Hm.' },
  },
  {
    name: 'with an empty id first and last (Azure)',
    body:
      sse({ ...head, id: '', choices: [] }) + HELLO + STOP + sse({ ...head, id: '', choices: [], usage: USAGE }) + DONE,
    expected: hello,
  },
  {
    name: 'with results of the prompt first (Azure)',
    body:
      sse({
        id: '',
        model: '',
        created: 0,
        object: '',
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: FILTERED }],
      }) +
      ROLE +
      HELLO +
      STOP +
      COUNT +
      DONE,
    expected: hello,
  },
  {
    name: 'with an error of its content filter in a choice (Azure)',
    body:
      sse({
        ...head,
        choices: [
          {
            index: 0,
            delta: { role: 'assistant' },
            finish_reason: null,
            content_filter_result: {
              error: { code: 'content_filter_error', message: 'The contents are not filtered' },
            },
          },
        ],
      }) +
      HELLO +
      STOP +
      COUNT +
      DONE,
    expected: hello,
  },
  {
    name: 'with an error of its content filter in every choice (Azure)',
    body:
      sse({
        ...head,
        choices: [
          {
            index: 0,
            delta: { content: 'Hello.' },
            finish_reason: null,
            content_filter_result: { error: { code: 'x', message: 'y' } },
          },
        ],
      }) +
      STOP +
      COUNT +
      DONE,
    expected: hello,
  },
  {
    name: 'with empty errors',
    body:
      sse({ ...head, error: {}, choices: [] }) +
      chunk({ content: 'Hello.' }, null, { error: null }) +
      chunk({}, 'stop', { error: '' }) +
      COUNT +
      DONE,
    expected: hello,
  },
  {
    name: 'with an error of empty members',
    body: chunk({ content: 'Hello.' }, null, { error: { code: null, message: '' } }) + STOP + COUNT + DONE,
    expected: hello,
  },
  {
    name: 'with null of errors',
    body: chunk({ content: 'Hello.' }, null, { error: null }) + STOP + COUNT + DONE,
    expected: hello,
  },
  {
    name: 'with a call of nothing beside its text (FastChat)',
    body: chunk({ content: 'Hello.', function_call: { name: null, arguments: null } }) + STOP + COUNT + DONE,
    expected: hello,
  },
  {
    name: 'with empty calls',
    body: chunk({ content: 'Hello.', tool_calls: [{}] }) + chunk({ tool_calls: [{ index: 0 }] }, 'stop') + COUNT + DONE,
    expected: hello,
  },
  { name: 'cut at max_tokens', body: HELLO + chunk({}, 'max_tokens') + COUNT + DONE, expected: shortened },
  { name: 'cut at MAX_TOKENS (Gemini)', body: HELLO + chunk({}, 'MAX_TOKENS') + COUNT + DONE, expected: shortened },
  {
    name: 'cut at model_length (Mistral)',
    body: HELLO + chunk({}, 'model_length') + COUNT + DONE,
    expected: shortened,
  },
  { name: 'which ends at end_turn', body: HELLO + chunk({}, 'end_turn') + COUNT + DONE, expected: hello },
  {
    name: 'with another id in every chunk',
    body:
      HELLO.replace('Hello.', 'Hel') +
      HELLO.replace('Hello.', 'lo.').replace('chatcmpl-1', 'chatcmpl-2') +
      STOP +
      COUNT +
      DONE,
    expected: hello,
  },
  {
    name: 'with words that look like fields',
    body: chunk({ content: '"error":{"message":"x"}, "finish_reason":"stop"\n\ndata: [DONE]' }) + STOP + COUNT + DONE,
    expected: { ...hello, text: '"error":{"message":"x"}, "finish_reason":"stop"\n\ndata: [DONE]' },
  },
];

const CALL = { id: 'call_1', name: 'look', argumentsText: '{"city":"Bern"}' };
const called: Found = { ...hello, text: '', calls: [CALL], end: 'tool_calls' };
const twice: Found = { ...called, calls: [CALL, { id: 'call_2', name: 'look', argumentsText: '{}' }] };
const begun = (id: string, text: string, index?: number): object => ({
  ...(index !== undefined && { index }),
  id,
  type: 'function',
  function: { name: 'look', arguments: text },
});
const fragment = (call: object): string => chunk({ tool_calls: [call] });
const END_OF_CALLS = chunk({}, 'tool_calls') + COUNT + DONE;

export const CALLS: readonly OddStream[] = [
  {
    name: 'calls in fragments',
    body:
      ROLE +
      fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }) +
      fragment({ index: 0, function: { arguments: '{"city":' } }) +
      fragment({ index: 0, function: { arguments: '"Bern"}' } }) +
      END_OF_CALLS,
    expected: called,
  },
  {
    name: 'calls at once',
    body:
      fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } }) +
      END_OF_CALLS,
    expected: called,
  },
  {
    name: 'calls with arguments as an object',
    body:
      fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: { city: 'Bern' } } }) +
      END_OF_CALLS,
    expected: called,
  },
  {
    name: 'calls with null of content',
    body:
      chunk({
        role: 'assistant',
        content: null,
        tool_calls: [
          { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } },
        ],
      }) + END_OF_CALLS,
    expected: called,
  },
  {
    name: 'calls with the whole of an answer',
    body: whole(
      {
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } }],
      },
      'tool_calls',
    ),
    contentType: 'application/json',
    expected: called,
  },
  {
    name: 'calls two, one after the other',
    body:
      fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } }) +
      fragment({ index: 1, id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } }) +
      END_OF_CALLS,
    expected: twice,
  },
  {
    name: 'calls two, all with the index 0',
    body: fragment(begun('call_1', '{"city":"Bern"}', 0)) + fragment(begun('call_2', '{}', 0)) + END_OF_CALLS,
    expected: twice,
  },
  {
    name: 'calls two, all with the index 0, in fragments',
    body:
      fragment(begun('call_1', '', 0)) +
      fragment({ index: 0, function: { arguments: '{"city":"Bern"}' } }) +
      fragment(begun('call_2', '', 0)) +
      fragment({ index: 0, function: { arguments: '{}' } }) +
      END_OF_CALLS,
    expected: twice,
  },
  {
    name: 'calls two, without an index',
    body:
      fragment(begun('call_1', '{"city":')) +
      fragment({ function: { arguments: '"Bern"}' } }) +
      fragment(begun('call_2', '{}')) +
      END_OF_CALLS,
    expected: twice,
  },
  {
    name: 'calls two, fragments interleaved',
    body:
      fragment(begun('call_1', '{"city":', 0)) +
      fragment(begun('call_2', '{', 1)) +
      fragment({ index: 0, function: { arguments: '"Bern"}' } }) +
      fragment({ index: 1, function: { arguments: '}' } }) +
      END_OF_CALLS,
    expected: twice,
  },
  {
    name: 'calls two in one chunk',
    body: chunk({ tool_calls: [begun('call_1', '{"city":"Bern"}', 0), begun('call_2', '{}', 1)] }) + END_OF_CALLS,
    expected: twice,
  },
  {
    name: 'calls with an id that comes late',
    body:
      fragment({ index: 0, function: { name: 'look', arguments: '{"city":' } }) +
      fragment({ index: 0, id: 'call_1', function: { arguments: '"Bern"}' } }) +
      END_OF_CALLS,
    expected: called,
  },
  {
    name: 'calls with another id in every fragment (vLLM)',
    body:
      fragment(begun('call_1', '{"city":', 0)) +
      fragment({ index: 0, id: 'call_x', function: { arguments: '"Bern' } }) +
      fragment({ index: 0, id: 'call_y', function: { arguments: '"}' } }) +
      END_OF_CALLS,
    expected: called,
  },
  {
    name: 'calls with numbers as ids',
    body: fragment({ index: 0, id: 5, function: { name: 'look', arguments: '{"city":"Bern"}' } }) + END_OF_CALLS,
    expected: { ...called, calls: [{ ...CALL, id: '5' }] },
  },
  {
    name: 'calls with its id in every fragment',
    body:
      fragment(begun('call_1', '{"city":', 0)) +
      fragment({ index: 0, id: 'call_1', function: { name: '', arguments: '"Bern"}' } }) +
      END_OF_CALLS,
    expected: called,
  },
];
