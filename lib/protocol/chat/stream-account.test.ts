import { describe, expect, it } from 'vitest';
import { StreamAccount } from './stream-account';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string) => event({ id: 'c', choices: [{ index: 0, delta: { content } }], usage: null });
const FINAL = event({ id: 'c', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });

function follow(text: string, size = text.length): { account: StreamAccount; passed: string } {
  const account = new StreamAccount();
  const bytes = encode(text);
  let passed = '';
  for (let at = 0; at < bytes.length; at += size) passed += decode(account.push(bytes.subarray(at, at + size)).bytes);
  return { account, passed: passed + decode(account.end().bytes) };
}

describe('a stream is accounted for as it goes by, byte for byte', () => {
  const stream = `: keep-alive\n\n${delta('Hel')}${delta('lo "w\\o')}${delta('rld ü€😀')}${FINAL}data: [DONE]\n\n`;

  it.each([1, 2, 3, 7, 64, 10_000])('in pieces of %i bytes', (size) => {
    const { account, passed } = follow(stream, size);
    expect(passed).toBe(stream);
    expect(account.usage).toEqual({ promptTokens: 7, completionTokens: 3 });
    expect(account.done).toBe(true);
  });

  it('with CR LF at the ends of lines', () => {
    const { account, passed } = follow(stream.replaceAll('\n', '\r\n'), 5);
    expect(passed).toBe(stream.replaceAll('\n', '\r\n'));
    expect(account).toMatchObject({ usage: { promptTokens: 7, completionTokens: 3 }, done: true });
  });

  it('cut in the middle: what was produced is estimated from its bytes', () => {
    const { account } = follow(delta('x'.repeat(400)) + delta('y').slice(0, -9));
    expect(account.usage).toBeNull();
    expect(account.estimatedTokens).toBe(101);
  });

  it('every chunk counts for a token at least, and one without content for none', () => {
    const { account } = follow(
      event({ choices: [{ delta: { role: 'assistant', content: '' } }] }) + delta('a').repeat(9),
    );
    expect(account.estimatedTokens).toBe(9);
  });

  it('reasoning and the arguments of tool calls are production too', () => {
    const { account } = follow(
      event({
        choices: [
          { delta: { reasoning_content: 'x'.repeat(40), tool_calls: [{ function: { arguments: '{"a":1234}' } }] } },
        ],
      }),
    );
    expect(account.estimatedTokens).toBeGreaterThanOrEqual(13);
  });

  it.each([
    ['raw', (text: string) => text],
    [
      'escaped',
      (text: string) => text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
  ])('letters count as in UTF-8, however JSON writes them: %s', (_how, write) => {
    const words = ['x'.repeat(40), 'слово '.repeat(8), '世界'.repeat(10), '😀'.repeat(10)];
    for (const text of words)
      expect(follow(write(delta(text))).account.estimatedTokens).toBe(Math.ceil(encode(text).length / 4));
  });

  it('thoughts that are told under two names count once', () => {
    const { account } = follow(
      event({
        choices: [{ delta: { reasoning: 'x'.repeat(40), reasoning_content: 'x'.repeat(40), content: 'y'.repeat(4) } }],
      }),
    );
    expect(account.estimatedTokens).toBe(11);
  });

  it('content that speaks of usage is not taken for it', () => {
    const { account } = follow(delta('"usage":{"prompt_tokens":1,"completion_tokens":1}'));
    expect(account.usage).toBeNull();
  });

  it.each([
    'data: {"usage":{"prompt_tokens":-1,"completion_tokens":2}}\n\n',
    'data: {"usage":{"prompt_tokens":"1"}}\n\n',
    'data: {"usage":\n\n',
    'data: {"usage":{"prompt_tokens":1e99,"completion_tokens":1}}\n\n',
  ])('unreadable usage is ignored: %j', (text) => expect(follow(text).account.usage).toBeNull());

  it('an event without end is refused', () => {
    const account = new StreamAccount();
    expect(() => {
      for (let i = 0; i < 40; i++) account.push(new Uint8Array(1_000_000).fill(0x61));
    }).toThrow('');
  });
});

describe('the event that an upstream adds when it is asked to count', () => {
  const bare = (text: string) =>
    new StreamAccount().push(encode(text)).marks.map((mark) => mark.kind === 'usage' && mark.bare);

  it('is told from those that carry choices', () => {
    expect(bare(FINAL)).toEqual([true]);
    expect(bare(event({ usage: { prompt_tokens: 1, completion_tokens: 1 } }))).toEqual([true]);
    expect(bare(event({ choices: [{ delta: {} }], usage: { prompt_tokens: 1, completion_tokens: 1 } }))).toEqual([
      false,
    ]);
    expect(bare(delta('x'))).toEqual([]);
  });

  it('is found in any line and with any spacing', () => {
    for (const text of [
      'data:{"choices" : [], "usage":  {"prompt_tokens": 7, "completion_tokens": 3}}\n\n',
      ': note\nevent: message\ndata: {"choices":[],\ndata: "usage": {"prompt_tokens":7,\ndata: "completion_tokens":3}}\n\n',
    ]) {
      expect(follow(text).account.usage).toEqual({ promptTokens: 7, completionTokens: 3 });
    }
  });

  it('counts what came until then: what follows is estimated beside it', () => {
    const { account } = follow(delta('x'.repeat(400)) + FINAL + delta('y'.repeat(40)));
    expect(account.usage).toEqual({ promptTokens: 7, completionTokens: 3 });
    expect(account.estimatedTokens).toBe(10);
  });
});

describe('marks', () => {
  const marks = (text: string) =>
    new StreamAccount().push(encode(text)).marks.map(({ kind, start, end }) => [kind, text.slice(start, end)]);

  it.each(['data: [DONE]\n\n', 'data:[DONE]\n\n', 'data: [DONE]\r\n\r\n', ': bye\ndata: [DONE]\n\n'])(
    'the end is %j',
    (text) => {
      expect(marks(delta('a') + text)).toEqual([['done', text]]);
    },
  );

  it.each([
    'data: {"error":{"message":"x"}}\n\n',
    'data: {"error": "x"}\n\n',
    'event: error\ndata: {"message":"x"}\n\n',
    'error: {"code":500,"message":"x"}\n\n',
  ])('an error is %j', (text) => {
    expect(marks(delta('a') + text + delta('b'))).toEqual([['error', text]]);
  });

  it.each([delta('[DONE]'), delta('data: [DONE]'), delta('{"error":{}}'), ': error\n\n'])(
    'content is neither an end nor an error: %j',
    (text) => {
      expect(marks(text)).toEqual([]);
    },
  );

  it.each([
    'data: {"choices":[{"delta":{"content":"a"}}],"error":null}\n\n',
    event({ choices: [{ delta: { content: [{ type: 'text', text: 'a' }] } }] }),
    event({ choices: [{ delta: {}, finish_reason: 'eos' }] }),
    event({ choices: null }),
    event({ type: 'ping' }),
    'event: ping\ndata: ping\n\n',
    'data:\n\n',
  ])('an event that clients cannot read is %j', (text) => {
    expect(marks(delta('a') + text + delta('b'))).toEqual([['odd', text]]);
  });

  it('a choice that says why it ends finishes the stream', () => {
    expect(follow(event({ choices: [{ delta: {}, finish_reason: null }] })).account.finished).toBe(false);
    expect(follow(event({ choices: [{ delta: {}, finish_reason: 'stop' }] })).account.finished).toBe(true);
  });
});
