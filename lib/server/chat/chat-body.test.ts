import { describe, expect, it } from 'vitest';
import type { ApiError } from '@/lib/protocol/errors';
import { readChatBody, withMembers } from './chat-body';

const bodyOf = (messages: unknown[]) => Buffer.from(JSON.stringify({ model: 'm', messages }));
const SOUND = { role: 'user', content: 'Hello?' };

function faultsOf(bytes: Uint8Array): { indexes: string[]; message: string } {
  try {
    readChatBody(bytes);
  } catch (error) {
    const { details, message } = error as ApiError;
    const { _errors: _none, ...messages } = (details as unknown as { messages: Record<string, unknown> }).messages;
    return { indexes: Object.keys(messages), message };
  }
  throw new Error('It was read.');
}

describe('the faults of messages', () => {
  it('are all told where they are few, wherever they stand', () => {
    const messages = Array.from({ length: 5_000 }, (_, index) => (index % 500 === 499 ? { content: 'x' } : SOUND));
    expect(faultsOf(bodyOf(messages)).indexes).toEqual(
      Array.from({ length: 10 }, (_, index) => String(500 * index + 499)),
    );
  });

  it.each([[{}], [0], [null], [{ role: 0 }]])(
    'are the first of them where ten thousand are %j: telling all takes too long',
    (message) => {
      const startedAt = performance.now();
      const { indexes, message: sentence } = faultsOf(bodyOf(new Array<unknown>(10_000).fill(message)));
      expect(indexes).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
      expect(sentence).toMatch(/^The field "messages\.0/);
      // Reporting all messages took 250 ms, and 1.5 MB.
      expect(performance.now() - startedAt).toBeLessThan(150);
    },
  );

  it('do not keep a long conversation from being read', () => {
    expect(readChatBody(bodyOf(new Array<unknown>(9_000).fill(SOUND))).request.messages).toHaveLength(9_000);
  });
});

describe('a body in which members are set', () => {
  const changed = (body: string, changes: Record<string, unknown>) =>
    Buffer.from(withMembers(readChatBody(Buffer.from(body)), changes)).toString();

  it('keeps every other byte: spaces, the order of members, all digits of numbers', () => {
    const body =
      '{ "model" : "m", "seed": 12345678901234567890, "max_tokens":9 ,"messages":[{"role":"user","content":"}"}] }\n';
    expect(changed(body, { max_tokens: 5 })).toBe(body.replace('"max_tokens":9', '"max_tokens":5'));
    expect(changed(body, { stream_options: { include_usage: true } })).toBe(
      body.replace('] }', '] ,"stream_options":{"include_usage":true}}'),
    );
    expect(changed(body, { model: 'a longer name', max_tokens: 5, top_p: 1, n: 2 })).toBe(
      body
        .replace('"m"', '"a longer name"')
        .replace('"max_tokens":9', '"max_tokens":5')
        .replace('] }', '] ,"top_p":1,"n":2}'),
    );
    expect(changed(body, {})).toBe(body);
  });

  it('has what stands last in it replaced as well, beside what is added', () => {
    expect(changed('{"messages":[{"role":"user","content":"x"}],"model":"m"}', { model: 'n', top_p: 1 })).toBe(
      '{"messages":[{"role":"user","content":"x"}],"model":"n","top_p":1}',
    );
    expect(changed('{"messages":[{"role":"user","content":"x"}],"model":"m","n":1}', { n: 2, top_p: 1 })).toBe(
      '{"messages":[{"role":"user","content":"x"}],"model":"m","n":2,"top_p":1}',
    );
  });
});
