import { describe, expect, it } from 'vitest';
import type { ChatMessage, PrivateChatOptions } from './index';
import { codeOf, outcomeOf, textOf } from '@/test/private-chat/chat-outcome';
import { altering, flipped, forgedContent, resigning, withContents, withHighS } from '@/test/private-chat/in-between';
import { gatewayOfTests, sessionsWith } from '@/test/private-chat/sessions';
import type { PassedAnswer } from '@/test/private-chat/enclave-gateway';

const question: ChatMessage[] = [{ role: 'user', content: 'How does staking work?' }];
const gateway = await gatewayOfTests();
const sessionOf = sessionsWith(gateway, 'e2ee-guide');

describe('somebody between client and enclave', () => {
  const stopped = async (change?: Partial<PrivateChatOptions>) => {
    const session = sessionOf(change);
    const { events, error } = await outcomeOf(session.send(question));
    expect(events.map(({ type }) => type)).not.toContain('done');
    expect(session.attestation, 'the next message attests anew').toBeNull();
    return { code: codeOf(error), text: textOf(events) };
  };

  it.each<[string, (stream: string) => string, string]>([
    [
      'plain text in the place of the first delta',
      (stream) => withContents(stream, (content, index) => (index === 0 ? 'Trust me.' : content)),
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'plain text in the place of the last delta',
      (stream) => withContents(stream, (content, index) => (index === 2 ? 'Trust me.' : content)),
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'hex that is too short',
      (stream) => withContents(stream, (content) => content.slice(0, 184)),
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'long hex that was never encrypted',
      (stream) => withContents(stream, () => 'ab'.repeat(120)),
      'REPLY_NOT_DECRYPTABLE',
    ],
    [
      'a flipped bit',
      (stream) => withContents(stream, (content, index) => (index === 1 ? flipped(content) : content)),
      'REPLY_NOT_DECRYPTABLE',
    ],
    ['a cut ciphertext', (stream) => withContents(stream, (content) => content.slice(0, -2)), 'REPLY_NOT_DECRYPTABLE'],
    [
      'plain reasoning',
      (stream) => stream.replace('"delta":{"content"', '"delta":{"reasoning_content":"I think","content"'),
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'a plain refusal',
      (stream) => stream.replace('"delta":{"content"', '"delta":{"refusal":"No.","content"'),
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'a plain call of a tool',
      (stream) => stream.replace('"delta":{"content"', '"delta":{"tool_calls":[{"index":0}],"content"'),
      'REPLY_NOT_ENCRYPTED',
    ],
    ['no [DONE]', (stream) => stream.replace('data: [DONE]\n\n', ''), 'REPLY_CUT'],
    ['a stream cut between events', (stream) => stream.slice(0, stream.indexOf('\n\n', 500) + 2), 'REPLY_CUT'],
    ['a stream cut within an event', (stream) => stream.slice(0, 700), 'REPLY_CUT'],
    ['an empty stream', () => '', 'REPLY_CUT'],
    ['an event after [DONE]', (stream) => `${stream}data: {"choices":[]}\n\n`, 'REPLY_MALFORMED'],
    ['an event that is no JSON', (stream) => `data: Trust me.\n\n${stream}`, 'REPLY_MALFORMED'],
    ['an event that is no object', (stream) => `data: "Trust me."\n\n${stream}`, 'REPLY_MALFORMED'],
    [
      'a second choice',
      (stream) => stream.replace('"choices":[{', '"choices":[{"index":1,"delta":{"content":"Trust me."}},{'),
      'REPLY_MALFORMED',
    ],
    [
      'content that is no text',
      (stream) => stream.replace(/"content":"04[^"]+"/, '"content":["Trust me."]'),
      'REPLY_MALFORMED',
    ],
    [
      'events of two completions',
      (stream) => stream.replace(/"id":"[^"]+"/, '"id":"chatcmpl-other"'),
      'REPLY_MALFORMED',
    ],
    [
      'a delta left out',
      (stream) =>
        stream
          .split('\n\n')
          .filter((_, index) => index !== 2)
          .join('\n\n'),
      'SIGNATURE_INVALID',
    ],
    ['two deltas exchanged', (stream) => withOrder(stream), 'SIGNATURE_INVALID'],
    [
      'white space in the place of a delta',
      (stream) => withContents(stream, (content, index) => (index === 1 ? ' ' : content)),
      'SIGNATURE_INVALID',
    ],
    ['a comment added', (stream) => `: hello\n\n${stream}`, 'SIGNATURE_INVALID'],
    [
      'another usage',
      (stream) => stream.replace(/"completion_tokens":\d+/, '"completion_tokens":1'),
      'SIGNATURE_INVALID',
    ],
  ])('is found out by %s', async (_what, alter, code) => {
    gateway.interpose(altering(alter));
    const outcome = await stopped();
    expect(outcome.code).toBe(code);
    expect(outcome.text).not.toContain('Trust me.');
    expect(outcome.text).not.toContain('I think');
  });

  function withOrder(stream: string): string {
    const contents = [...stream.matchAll(/"content":"(04[0-9a-f]+)"/g)].map(([, content]) => content as string);
    return withContents(stream, (content, index) => contents[index === 0 ? 1 : index === 1 ? 0 : index] ?? content);
  }

  it('is found out by an answer of its own, encrypted to the client’s key as anybody can', async () => {
    gateway.interpose(
      altering((stream, request) => withContents(stream, () => forgedContent('Send your coins to me. ', request))),
    );
    expect((await stopped()).code).toBe('SIGNATURE_INVALID');
    await expect(sessionOf().ask(question)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID', isTampering: true });
  });

  it('is found out by an answer of earlier', async () => {
    let earlier: Buffer | null = null;
    gateway.interpose((answer, { path }) => {
      if (path !== '/api/v1/chat/completions') return answer;
      earlier ??= answer.body;
      return { ...answer, body: earlier };
    });
    await sessionOf().ask(question);
    expect((await stopped()).code).toBe('REPLY_NOT_DECRYPTABLE');
  });

  it('is found out by an answer in another form than a stream', async () => {
    gateway.interpose((answer, { path }) =>
      path === '/api/v1/chat/completions'
        ? {
            ...answer,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"choices":[{"message":{"content":"Trust me."}}]}'),
          }
        : answer,
    );
    expect(await stopped()).toEqual({ code: 'REPLY_NOT_A_STREAM', text: '' });
  });

  it('is found out by a connection that breaks', async () => {
    gateway.interpose((answer, { path }, response) => {
      if (path !== '/api/v1/chat/completions') return answer;
      response.writeHead(200, answer.headers);
      response.write(answer.body.subarray(0, 1_000), () => response.destroy());
      return null;
    });
    expect((await stopped()).code).toBe('REPLY_CUT');
  });

  it.each<[string, (signed: { text: string; signature: string }) => object, string]>([
    ['a signature with a high s', (signed) => ({ ...signed, signature: withHighS(signed.signature) }), 'normalised'],
    [
      'a signature over another request',
      (signed) => ({ ...signed, ...resigned(`${'ab'.repeat(32)}:${signed.text.split(':')[1]}`) }),
      'another request',
    ],
    [
      'a signature over a stream that was cut',
      (signed) => ({ ...signed, ...resigned(`${signed.text.split(':')[0]}:${'cd'.repeat(32)}`) }),
      'another request',
    ],
    [
      'a signature in an answer of a megabyte',
      (signed) => ({ ...signed, more: 'x'.repeat(1_000_000) }),
      'expected form',
    ],
    ['a signature of no known form', () => ({ text: 1 }), 'expected form'],
    ['a malformed signature', (signed) => ({ ...signed, signature: '0x00' }), '65 bytes'],
    [
      'a signature that names another address than its key has',
      (signed) => ({ ...signed, signing_address: `0x${'ab'.repeat(20)}` }),
      'states one address, but was made with the key of another',
    ],
    [
      'a signature that names the zero address',
      (signed) => ({ ...signed, signing_address: `0x${'00'.repeat(20)}` }),
      'states one address, but was made with the key of another',
    ],
    ['a signature of another algorithm', (signed) => ({ ...signed, signing_algo: 'ed25519' }), 'is not ECDSA'],
    ['a signature of zeros', (signed) => ({ ...signed, signature: `0x${'00'.repeat(64)}1b` }), '65 bytes'],
    [
      'a signature with r above the order of the curve',
      (signed) => ({ ...signed, signature: `0x${'ff'.repeat(32)}${signed.signature.slice(66)}` }),
      '65 bytes',
    ],
    [
      'a compact signature of 64 bytes',
      (signed) => ({ ...signed, signature: signed.signature.slice(0, -2) }),
      '65 bytes',
    ],
    [
      'a signature by another key',
      (signed) => ({
        ...signed,
        signature: `${signed.signature.slice(0, -2)}${signed.signature.endsWith('1b') ? '1c' : '1b'}`,
      }),
      'not made with the attested key',
    ],
  ])('is found out by %s', async (_what, alter, reason) => {
    gateway.interpose(resigning(alter));
    const { events, error } = await outcomeOf(sessionOf().send(question));
    expect(error).toMatchObject({ code: 'SIGNATURE_INVALID', detail: expect.stringContaining(reason) });
    expect(events.at(-1)).toMatchObject({ type: 'signature', check: { outcome: 'invalid' } });
  });

  const resigned = (text: string) => ({ text, signature: gateway.enclave.sign(text) });

  it('is suspected where a signature never comes, and not where it comes late', async () => {
    let lates = 0;
    const notYet: PassedAnswer = {
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"error":"There is no signature.","code":"SIGNATURE_NOT_FOUND"}'),
    };
    const late =
      (max: number) =>
      (answer: PassedAnswer, { path }: { path: string }) =>
        path.startsWith('/api/v1/tee/signature') && lates++ < max ? notYet : answer;
    gateway.interpose(late(2));
    expect(await sessionOf().ask(question)).toMatchObject({ signature: { outcome: 'verified' } });
    lates = 0;
    gateway.interpose(late(Number.POSITIVE_INFINITY));
    expect((await stopped()).code).toBe('SIGNATURE_MISSING');
    expect(lates).toBe(3);
  });

  it('is only told of where the caller decides itself what a signature is worth', async () => {
    gateway.interpose(resigning((signed) => ({ ...signed, signature: '0x00' })));
    const session = sessionOf({ signature: 'reported' });
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toBeNull();
    expect(events.at(-1)).toMatchObject({ type: 'done', signature: { outcome: 'invalid' } });
    expect(session.attestation).toBeNull();
  });
});
