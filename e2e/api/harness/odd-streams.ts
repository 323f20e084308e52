/** Stream of a model server, and the result that every reader must return. */
export interface OddStream {
  name: string;
  /** Body after the headers. */
  body: string;
  /** `text/event-stream` by default; null for no header. */
  contentType?: string | null;
  /** What happens to the connection after the body. */
  then?: 'ends' | 'breaks' | 'stays open';
  expected: Found;
}

/** Result of a reader. */
export interface Found {
  text: string;
  reasoning: string;
  calls: readonly { id: string; name: string; argumentsText: string }[];
  usage: { promptTokens: number; completionTokens: number } | null;
  /** The model's finish reason, `cut` if the stream breaks off, or the text of an error. */
  end: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'cut' | { error: string };
  /**
   * True if output came before an error or break. Without output, the gateway asks another server and charges nothing.
   */
  hasBegun: boolean;
}

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
export const DONE = 'data: [DONE]\n\n';
export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'plain' };
export const chunk = (delta: object | null, finish: string | null = null, more: object = {}): string =>
  sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }], ...more });
const ROLE = chunk({ role: 'assistant', content: '' });
const HELLO = chunk({ content: 'Hello.' });
const STOP = chunk({}, 'stop');
const COUNT = sse({ ...head, choices: [], usage: USAGE });
const ALL = ROLE + HELLO + STOP + COUNT + DONE;
const whole = (message: object, finish = 'stop', more: object = {}): string =>
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: USAGE,
    ...more,
  });

const hello: Found = {
  text: 'Hello.',
  reasoning: '',
  calls: [],
  usage: { promptTokens: 7, completionTokens: 3 },
  end: 'stop',
  hasBegun: true,
};
const uncounted: Found = { ...hello, usage: null };
const fails = (error: string, found: Partial<Found> = {}): Found => ({
  ...uncounted,
  text: '',
  hasBegun: false,
  ...found,
  end: { error },
});
const failsLate = (error: string): Found => fails(error, { text: 'Hello.', hasBegun: true });
const cut = (found: Partial<Found> = {}): Found => ({ ...uncounted, ...found, end: 'cut' });
const FILTERED = { hate: { filtered: false, severity: 'safe' } };

/** Formats of lines, events and bodies. */
const WRITTEN: readonly OddStream[] = [
  { name: 'as OpenAI writes it', body: ALL, expected: hello },
  { name: 'with CR LF', body: ALL.replaceAll('\n', '\r\n'), expected: hello },
  { name: 'with CR', body: ALL.replaceAll('\n', '\r'), expected: hello },
  {
    name: 'with line ends of all kinds',
    body: ROLE.replaceAll('\n', '\r\n') + HELLO.replaceAll('\n', '\r') + STOP + COUNT + DONE,
    expected: hello,
  },
  { name: 'after a byte order mark', body: `\ufeff${ALL}`, expected: hello },
  { name: 'after blank lines', body: `\n\r\n\n${ALL}`, expected: hello },
  {
    name: 'with data over several lines',
    body: ROLE + HELLO.replace('"choices":', '\ndata: "choices":\ndata: ') + STOP + COUNT + DONE,
    expected: hello,
  },
  { name: 'without a space after data:', body: ALL.replaceAll('data: ', 'data:'), expected: hello },
  { name: 'with two spaces after data:', body: ALL.replaceAll('data: ', 'data:  '), expected: hello },
  {
    name: 'with data: alone',
    body: `data:\n\n${ROLE}data: \n\n${HELLO}data\n\n${STOP}${COUNT}${DONE}`,
    expected: hello,
  },
  {
    name: 'with comments',
    body: `: OPENROUTER PROCESSING\n\n${ROLE}:\n\n${HELLO}: x\n${STOP}${COUNT}:\n\n${DONE}`,
    expected: hello,
  },
  {
    name: 'with pings of text',
    body: `event: ping\ndata: ping\n\n${ROLE}event: ping\ndata: 2026-01-01\n\n${HELLO}${STOP}${COUNT}${DONE}`,
    expected: hello,
  },
  {
    name: 'with heartbeats of text',
    body: `${ROLE}event: heartbeat\ndata: ok\n\n${HELLO}${STOP}${COUNT}event: keep-alive\ndata\n\n${DONE}`,
    expected: hello,
  },
  {
    name: 'with pings of JSON',
    body: `event: ping\ndata: {"type":"ping"}\n\n${ROLE}${sse({})}${HELLO}${STOP}${COUNT}${DONE}`,
    expected: hello,
  },
  {
    name: 'with names, ids and retry times',
    body: ALL.replaceAll('data: {', 'event: message\nid: 1\nretry: 5\ndata: {'),
    expected: hello,
  },
  {
    name: 'under names of its own',
    body: ALL.replaceAll('data: {', 'event: chat.completion.chunk\ndata: {'),
    expected: hello,
  },
  {
    name: 'in capitals of the content type',
    body: ALL,
    contentType: 'Text/Event-Stream; Charset=UTF-8',
    expected: hello,
  },
  { name: 'with a parameter and no space', body: ALL, contentType: 'text/event-stream;charset=utf-8', expected: hello },
  { name: 'as text/plain', body: ALL, contentType: 'text/plain; charset=utf-8', expected: hello },
  { name: 'as text/plain, after a comment', body: `: hi\n\n${ALL}`, contentType: 'TEXT/PLAIN', expected: hello },
  { name: 'as application/octet-stream', body: ALL, contentType: 'application/octet-stream', expected: hello },
  { name: 'as application/json', body: ALL, contentType: 'application/json', expected: hello },
  { name: 'without a content type', body: ALL, contentType: null, expected: hello },
  { name: 'whole, as JSON', body: whole({ content: 'Hello.' }), contentType: 'application/json', expected: hello },
  { name: 'whole, as an event stream', body: whole({ content: 'Hello.' }), expected: hello },
  {
    name: 'whole, as text/plain, indented',
    body: `\n${JSON.stringify(JSON.parse(whole({ content: 'Hello.' })), null, 2)}\n`,
    contentType: 'text/plain',
    expected: hello,
  },
  {
    name: 'whole, cut by its length',
    body: whole({ content: 'Hello.' }, 'length'),
    contentType: 'application/json',
    expected: { ...hello, end: 'length' },
  },
  {
    name: 'whole, thinking',
    body: whole({ content: 'Hello.', reasoning_content: 'Hm.' }),
    contentType: 'application/json',
    expected: { ...hello, reasoning: 'Hm.' },
  },
  {
    name: 'in an event of a megabyte and more',
    body: ROLE + chunk({ content: 'x'.repeat(3_000_000) }) + STOP + COUNT + DONE,
    expected: { ...hello, text: 'x'.repeat(3_000_000) },
  },
];

/** Ends of streams, and positions of the usage. */
const ENDS: readonly OddStream[] = [
  { name: 'without [DONE] after its reason to end', body: ROLE + HELLO + STOP + COUNT, expected: hello },
  { name: 'without [DONE] and usage', body: HELLO + STOP, expected: uncounted },
  { name: 'without a reason to end', body: HELLO + COUNT + DONE, expected: hello },
  { name: 'with [DONE] and no blank line', body: `${HELLO}${STOP}${COUNT}data: [DONE]`, expected: hello },
  { name: 'with white space around [DONE]', body: `${HELLO}${STOP}${COUNT}data:  [DONE] \n\n`, expected: hello },
  { name: 'with words after [DONE]', body: `${HELLO}${STOP}${COUNT}data: [DONE] bye\n\n`, expected: hello },
  { name: 'with [DONE] twice', body: ALL + DONE, expected: hello },
  { name: 'with a comment after [DONE]', body: `${ALL}: bye\n\n`, expected: hello },
  { name: 'with usage before its reason to end', body: HELLO + COUNT + STOP + DONE, expected: hello },
  { name: 'with usage in its last chunk', body: HELLO + chunk({}, 'stop', { usage: USAGE }) + DONE, expected: hello },
  {
    name: 'with usage and null of choices',
    body: HELLO + STOP + sse({ ...head, choices: null, usage: USAGE }) + DONE,
    expected: hello,
  },
  { name: 'with usage and no choices', body: HELLO + STOP + sse({ usage: USAGE }) + DONE, expected: hello },
  {
    name: 'with null of usage in every event',
    body:
      ROLE + chunk({ content: 'Hello.' }, null, { usage: null }) + chunk({}, 'stop', { usage: null }) + COUNT + DONE,
    expected: hello,
  },
  { name: 'with usage after [DONE]', body: HELLO + STOP + DONE + COUNT, expected: hello },
  {
    name: 'with usage after [DONE], which stays open',
    body: HELLO + STOP + DONE + COUNT,
    then: 'stays open',
    expected: hello,
  },
  { name: 'and stays open after [DONE]', body: ALL, then: 'stays open', expected: hello },
  {
    name: 'and stays open after [DONE], uncounted',
    body: HELLO + STOP + DONE,
    then: 'stays open',
    expected: uncounted,
  },
  { name: 'and breaks after [DONE]', body: ALL, then: 'breaks', expected: hello },
  { name: 'by its length', body: HELLO + chunk({}, 'length') + COUNT + DONE, expected: { ...hello, end: 'length' } },
  { name: 'within an event', body: HELLO + STOP.slice(0, -20), expected: cut() },
  {
    name: 'within an event that says why it ends',
    body: HELLO + STOP.replace('\n\n', '').slice(0, -2),
    expected: cut(),
  },
  { name: 'after an empty reason to end', body: HELLO + chunk({}, ''), expected: cut() },
  { name: 'by a break after an empty reason to end', body: HELLO + chunk({}, ''), then: 'breaks', expected: cut() },
  { name: 'without a reason to end or [DONE]', body: ROLE + HELLO, expected: cut() },
  { name: 'before an answer begins', body: `: hi\n\n${ROLE}`, expected: cut({ text: '', hasBegun: false }) },
  {
    name: 'by a break before an answer begins',
    body: `: hi\n\n${ROLE}`,
    then: 'breaks',
    expected: cut({ text: '', hasBegun: false }),
  },
];

const shortened: Found = { ...hello, end: 'length' };

/** Contents of chunks. */
const CHUNKS: readonly OddStream[] = [
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

const CALLS: readonly OddStream[] = [
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

/** Errors in the formats of many servers. */
const ERRORS: readonly OddStream[] = [
  {
    name: 'fails first, with an object',
    body: sse({ error: { message: 'Overloaded.', code: 503 } }),
    expected: fails('Overloaded.'),
  },
  { name: 'fails first, with a sentence', body: sse({ error: 'Overloaded.' }) + DONE, expected: fails('Overloaded.') },
  {
    name: 'fails first, by the name of the event',
    body: 'event: error\ndata: {"message":"Overloaded."}\n\n',
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, by the name of the event, in text',
    body: 'event: error\ndata: Overloaded.\n\n',
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, in a field of its own (llama.cpp)',
    body: 'error: {"code":500,"message":"Overloaded."}\n\n',
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, beside choices (OpenRouter)',
    body: `: OPENROUTER PROCESSING\n\n${chunk({ role: 'assistant', content: '' }, 'error', { error: { code: 502, message: 'Overloaded.' } })}${DONE}`,
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails after its role',
    body: ROLE + sse({ error: { message: 'Overloaded.' } }),
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, as vLLM says it',
    body: sse({ object: 'error', message: 'Overloaded.', type: 'InternalServerError', code: 500 }) + DONE,
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, as Anthropic says it',
    body: sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded.' } }),
    expected: fails('Overloaded.'),
  },
  { name: 'fails first, with detail', body: sse({ detail: 'Overloaded.' }), expected: fails('Overloaded.') },
  {
    name: 'fails first, with a list of details',
    body: sse({ detail: [{ loc: ['body'], msg: 'Overloaded.', type: 'x' }] }),
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, with a detail of an object',
    body: sse({ detail: { message: 'Overloaded.' } }),
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails first, with a status and a sentence',
    body: sse({ status: 503, message: 'Overloaded.' }),
    expected: fails('Overloaded.'),
  },
  {
    name: 'fails in the middle',
    body: ROLE + HELLO + sse({ error: { message: 'Out of memory.' } }) + DONE,
    expected: failsLate('Out of memory.'),
  },
  {
    name: 'fails in the middle, beside choices',
    body: HELLO + chunk({ content: '' }, 'error', { error: { code: 502, message: 'Out of memory.' } }),
    expected: failsLate('Out of memory.'),
  },
  {
    name: 'fails in the middle, by the name of the event',
    body: `${HELLO}event: error\ndata: Out of memory.\n\n`,
    expected: failsLate('Out of memory.'),
  },
  {
    name: 'fails in the middle, with detail',
    body: HELLO + sse({ detail: 'Out of memory.' }),
    expected: failsLate('Out of memory.'),
  },
  {
    name: 'fails in the middle, as vLLM says it',
    body: HELLO + sse({ object: 'error', message: 'Out of memory.', type: 'X', code: 500 }) + DONE,
    expected: failsLate('Out of memory.'),
  },
  {
    name: 'fails in the middle, in a field of its own (llama.cpp)',
    body: `${HELLO}error: {"code":500,"message":"Out of memory."}\n\n`,
    expected: failsLate('Out of memory.'),
  },
  {
    name: 'fails in the middle, quoting a key',
    body: HELLO + sse({ error: { message: 'Out of memory.', param: 'Bearer sk-secret-of-the-server' } }) + DONE,
    expected: failsLate('Out of memory.'),
  },
];

export const ODD_STREAMS: readonly OddStream[] = [...WRITTEN, ...ENDS, ...CHUNKS, ...CALLS, ...ERRORS];
