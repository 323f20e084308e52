import { CALLS, CHUNKS } from './odd-chunks';
import {
  ALL,
  chunk,
  COUNT,
  cut,
  DONE,
  fails,
  failsLate,
  head,
  HELLO,
  hello,
  type OddStream,
  ROLE,
  sse,
  STOP,
  uncounted,
  USAGE,
  whole,
} from './odd-stream';

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
