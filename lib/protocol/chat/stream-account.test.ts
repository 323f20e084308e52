import { describe, expect, it } from 'vitest';
import { isUsageEvent, StreamAccount } from './stream-account';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string) => event({ id: 'c', choices: [{ index: 0, delta: { content } }], usage: null });
const FINAL = event({ id: 'c', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });

function follow(text: string, size = text.length): { account: StreamAccount; passed: string } {
  const account = new StreamAccount();
  const bytes = encode(text);
  let passed = '';
  for (let at = 0; at < bytes.length; at += size) passed += account.push(bytes.subarray(at, at + size)).map(decode).join('');
  return { account, passed: passed + decode(account.end()) };
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
    const { account } = follow(event({ choices: [{ delta: { role: 'assistant', content: '' } }] }) + delta('a').repeat(9));
    expect(account.estimatedTokens).toBe(9);
  });

  it('reasoning and the arguments of tool calls are production too', () => {
    const { account } = follow(event({ choices: [{ delta: { reasoning_content: 'x'.repeat(40), tool_calls: [{ function: { arguments: '{"a":1234}' } }] } }] }));
    expect(account.estimatedTokens).toBeGreaterThanOrEqual(13);
  });

  it('content that speaks of usage is not taken for it', () => {
    const { account } = follow(delta('"usage":{"prompt_tokens":1,"completion_tokens":1}'));
    expect(account.usage).toBeNull();
  });

  it.each(['data: {"usage":{"prompt_tokens":-1,"completion_tokens":2}}\n\n', 'data: {"usage":{"prompt_tokens":"1"}}\n\n', 'data: {"usage":\n\n', 'data: {"usage":{"prompt_tokens":1e99,"completion_tokens":1}}\n\n'])(
    'usage that cannot be read is none: %j',
    (text) => expect(follow(text).account.usage).toBeNull(),
  );

  it('an event without end is refused', () => {
    const account = new StreamAccount();
    expect(() => {
      for (let i = 0; i < 20; i++) account.push(new Uint8Array(100_000).fill(0x61));
    }).toThrow('');
  });
});

describe('the event that an upstream adds when it is asked to count', () => {
  it('is told from those that carry choices', () => {
    expect(isUsageEvent(encode(FINAL))).toBe(true);
    expect(isUsageEvent(encode(delta('x')))).toBe(false);
    expect(isUsageEvent(encode(event({ choices: [{ delta: {} }], usage: { prompt_tokens: 1, completion_tokens: 1 } })))).toBe(false);
    expect(isUsageEvent(encode('data: [DONE]\n\n'))).toBe(false);
  });
});
