import { describe, expect, it } from 'vitest';
import { readChatChunk } from './chat-chunk';
import { EventReader } from './event-stream';

const utf8 = new TextEncoder();
/** Reads a stream in chunks of this many bytes. */
function read(text: string | Uint8Array, bytes = Number.POSITIVE_INFINITY): string[] {
  const whole = typeof text === 'string' ? utf8.encode(text) : text;
  const reader = new EventReader();
  const events: string[] = [];
  for (let start = 0; start < whole.length; start += bytes)
    events.push(...reader.push(whole.subarray(start, Math.min(start + bytes, whole.length))));
  return [...events, ...reader.end()];
}

describe('an event stream', () => {
  it.each<[string, string, string[]]>([
    ['events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['lines that end with CR LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['no space, or more of them', 'data:a\n\ndata:  b\n\n', ['a', ' b']],
    ['data of several lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['comments and other fields', ': hello\n\nevent: message\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['text of all alphabets', 'data: Grüße, 世界 🦊\n\n', ['Grüße, 世界 🦊']],
    ['[DONE] without its empty line', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
    [
      'pings, whatever their names and texts',
      'event: ping\ndata: ok\n\nevent: heartbeat\ndata\n\ndata:\n\ndata: a\n\n',
      ['a'],
    ],
    ['nothing', '', []],
  ])('is read with %s, however it is cut into parts', (_what, text, events) => {
    for (const bytes of [1, 2, 3, 7, 1_000]) expect(read(text, bytes)).toEqual(events);
  });

  it.each(['data: a', 'data: a\n', 'data: [DONE', 'data: a\n\ndata: {"half'])(
    'is refused where its end is not whole: %j',
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ code: 'REPLY_CUT' }));
    },
  );

  it('is refused where it is not UTF-8', () => {
    expect(() => read(Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a))).toThrow(
      expect.objectContaining({ code: 'REPLY_MALFORMED' }),
    );
    expect(() => read(Uint8Array.of(0xe4, 0xb8))).toThrow(expect.objectContaining({ code: 'REPLY_MALFORMED' }));
  });

  it('is refused where an event does not end', () => {
    const reader = new EventReader();
    const part = utf8.encode(`data: ${'x'.repeat(1024 * 1024)}`);
    expect(() => {
      for (let count = 0; count < 40; count++) reader.push(part);
    }).toThrow(expect.objectContaining({ code: 'REPLY_TOO_LONG' }));
    const lines = new EventReader();
    expect(() => {
      for (let count = 0; count < 40; count++) lines.push(utf8.encode(`data: ${'x'.repeat(1024 * 1024)}\n`));
    }).toThrow(expect.objectContaining({ code: 'REPLY_TOO_LONG' }));
  });
});

describe('a chunk of a chat', () => {
  it('is read with what a conversation needs', () => {
    expect(
      readChatChunk(
        '{"id":"c","choices":[{"index":0,"delta":{"content":"a","reasoning":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
      ),
    ).toEqual({
      id: 'c',
      model: null,
      content: 'a',
      reasoning: 'b',
      other: null,
      finishReason: 'stop',
      usage: { promptTokens: 1, completionTokens: 2 },
    });
    expect(readChatChunk('{"choices":[]}')).toMatchObject({ content: null, usage: null });
  });

  it.each([
    '',
    'null',
    '[]',
    '"a"',
    '{',
    '{"choices":{}}',
    '{"choices":[1]}',
    '{"choices":[{"delta":"a"}]}',
    '{"choices":[{"delta":{"content":1}}]}',
    '{"id":1}',
    '{"choices":[{},{}]}',
    '{"choices":[{"index":1}]}',
  ])('is refused as %j', (data) => {
    expect(() => readChatChunk(data)).toThrow(expect.objectContaining({ code: 'REPLY_MALFORMED' }));
  });

  it.each([
    ['{"error":"gone"}', 'gone'],
    ['{"error":{"message":"gone"}}', 'gone'],
    ['{"detail":[{"msg":"gone"}]}', 'gone'],
    ['{"object":"error","message":"gone"}', 'gone'],
    ['{"error":true}', 'The error has no message.'],
  ])('is an error as %j', (data, sentence) => {
    expect(() => readChatChunk(data)).toThrow(expect.objectContaining({ code: 'REPLY_ERROR', detail: sentence }));
  });
});
