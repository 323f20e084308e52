import { describe, expect, it } from 'vitest';
import {
  attestationPolicy,
  type ChatMessage,
  type PrivateChatError,
  type PrivateChatEvent,
  type PrivateChatOptions,
  streamChat,
} from './index';
import { readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { TAMPERINGS } from '@/lib/sandbox/enclave/enclave';
import { codeOf, outcomeOf, textOf, typesOf } from '@/test/private-chat/chat-outcome';
import { altering, resigning } from '@/test/private-chat/in-between';
import { gatewayOfTests, sessionsWith } from '@/test/private-chat/sessions';
import type { PassedAnswer } from '@/test/private-chat/enclave-gateway';

const CANARY = 'How does staking work? 7f3a-canary';
const question: ChatMessage[] = [{ role: 'user', content: CANARY }];
const gateway = await gatewayOfTests();
const sessionOf = sessionsWith(gateway, 'e2ee-guide');

const plainSession = (change: Partial<PrivateChatOptions> = {}) =>
  sessionOf({ model: 'tee-guide', encrypted: false, ...change });

describe('a private chat', () => {
  it('attests, encrypts, decrypts, and verifies the signature over the bytes', async () => {
    const { events, error } = await outcomeOf(sessionOf().send(question));
    expect(error).toBeNull();
    expect(typesOf(events)).toEqual(['attested', 'sent', 'began', 'delta', 'usage', 'signature', 'done']);
    expect(textOf(events)).toContain('daily allocation');
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      signature: { outcome: 'verified', reason: null, signer: gateway.enclave.address },
      answer: { finishReason: 'stop', usage: { completionTokens: expect.any(Number) } },
    });
  });

  it('lets nobody in between read a word of question or answer', async () => {
    const { answer } = await sessionOf().ask([{ role: 'system', content: 'system-canary' }, ...question]);
    const [request] = gateway.completions();
    expect(request?.body.toString()).toBe(answer.sent.bodyText);
    for (const word of ['canary', 'staking']) expect(request?.body.toString()).not.toContain(word);
    expect(answer.received.text()).not.toContain('allocation');
    expect(answer.received.text()).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('has log probabilities encrypted too, and reads them', async () => {
    const { answer } = await sessionOf().ask(question, {
      parameters: { logprobs: true, top_logprobs: 1, max_tokens: 12 },
    });
    expect(gateway.completions()[0]?.headers['x-encrypt-all-fields']).toBe('true');
    expect(answer.logprobs?.map(({ token }) => token).join('')).toBe(answer.text);
    expect(answer.logprobs?.[0]?.topLogprobs[0]?.token).toBe(answer.logprobs?.[0]?.token);
    expect(Buffer.from(answer.logprobs?.flatMap(({ bytes }) => bytes ?? []) ?? []).toString()).toBe(answer.text);
    expect(answer.received.text()).not.toContain(JSON.stringify(answer.logprobs?.[0]?.token));
  });

  it.each([
    [
      'a token',
      (stream: string) =>
        stream.replace(
          '"logprobs":null',
          '"logprobs":{"content":[{"token":"Trust","logprob":0,"bytes":null,"top_logprobs":[]}]}',
        ),
    ],
    ['a refusal', (stream: string) => stream.replace('"role":"assistant"', '"role":"assistant","refusal":"Trust me."')],
    [
      'an alternative',
      (stream: string) =>
        stream.replace(
          '"logprobs":null',
          '"logprobs":{"content":[{"token":"","logprob":0,"top_logprobs":[{"token":"Trust"}]}]}',
        ),
    ],
    [
      'bytes of a token',
      (stream: string) =>
        stream.replace('"logprobs":null', '"logprobs":{"refusal":[{"token":"","logprob":0,"bytes":[84]}]}'),
    ],
    [
      'a call',
      (stream: string) =>
        stream.replace(
          '"role":"assistant"',
          '"role":"assistant","tool_calls":[{"index":0,"function":{"name":"trust","arguments":""}}]',
        ),
    ],
    [
      'a call of another form',
      (stream: string) =>
        stream.replace(
          '"role":"assistant"',
          '"role":"assistant","tool_calls":[{"index":0,"custom":{"input":"trust"}}]',
        ),
    ],
  ])('stops at %s in plain text', async (_what, alter) => {
    gateway.interpose(altering(alter));
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe('REPLY_NOT_ENCRYPTED');
  });

  it('makes a new client key for every request, and attests once for a conversation', async () => {
    const session = sessionOf();
    const first = await session.ask(question);
    await session.ask([
      ...question,
      { role: 'assistant', content: first.answer.text },
      { role: 'user', content: 'How do I top up?' },
    ]);
    const keys = gateway.completions().map(({ headers }) => headers['x-service-tee-client-pub-key']);
    expect(new Set(keys).size).toBe(2);
    expect(gateway.seen.filter(({ path }) => path.startsWith('/api/v1/tee/attestation'))).toHaveLength(1);
  });

  it('sends no earlier answer as a message of the assistant, and is understood', async () => {
    const { answer } = await sessionOf().ask([
      ...question,
      { role: 'assistant', content: 'Stake TPK.' },
      { role: 'user', content: 'How is a top-up paid?' },
    ]);
    const { messages } = JSON.parse(answer.sent.bodyText) as { messages: { role: string; content: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['user']);
    expect(answer.text).toContain('USDC on Base');
  });

  it('attests anew on demand, with another nonce, and after the time that was set', async () => {
    const session = sessionOf({ attestationAgeMaxMs: 0 });
    const [first, again] = [await session.start(), await session.reattest()];
    expect(first.nonce).not.toBe(again.nonce);
    expect((await outcomeOf(session.send(question))).events[0]).toMatchObject({ type: 'attested', because: 'age' });
  });

  it('gives an attestation that others can check again', async () => {
    const attestation = await sessionOf().start();
    expect(readExportedAttestation(attestation.exportText())).toMatchObject({
      claimedConclusion: 'simulated',
      expected: { nonce: attestation.nonce, model: 'e2ee-guide', needsPublicKey: true },
    });
  });

  it('has nothing to send where the last message is an answer', async () => {
    expect(codeOf((await outcomeOf(sessionOf().send([{ role: 'assistant', content: 'a' }]))).error)).toBe(
      'NOTHING_TO_SEND',
    );
    expect(gateway.completions()).toEqual([]);
  });

  it('presents a key or a sign-in, as it is when a call is made', async () => {
    const connections = [
      { baseUrl: gateway.url, signIn: 'first' },
      { baseUrl: gateway.url, signIn: 'second' },
      { baseUrl: gateway.url, apiKey: 'third' },
    ];
    let calls = 0;
    await sessionOf({ connection: () => connections[calls++] ?? { baseUrl: gateway.url } }).ask(question);
    expect(gateway.seen.map(({ headers }) => headers['sign-in-with-x'] ?? headers.authorization)).toEqual(
      expect.arrayContaining(['first', 'second', 'Bearer third']),
    );
  });
});

describe('a chat with a model that is attested and not encrypted', () => {
  it('is signed over the bytes as well', async () => {
    const { events, error } = await outcomeOf(plainSession().send(question));
    expect(error).toBeNull();
    expect(events.at(-1)).toMatchObject({ type: 'done', signature: { outcome: 'verified' } });
    expect(gateway.completions()[0]?.body.toString()).toContain(CANARY);
  });

  it('is not verified where another key answered than the one attested before, though that key attests afterwards', async () => {
    const session = plainSession();
    const before = await session.start();
    gateway.enclave.rotateKey();
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toBeNull();
    expect(typesOf(events)).toEqual(['sent', 'began', 'delta', 'usage', 'attested', 'signature', 'done']);
    expect(events.filter(({ type }) => type === 'attested')).toMatchObject([
      { because: 'rotation', attestation: { verdict: { key: { address: gateway.enclave.address } } } },
    ]);
    const reason = `The key ${gateway.enclave.address} signed the answer, but the attested key was ${before.verdict.key?.address}. The new key was attested only after the answer.`;
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      signature: {
        outcome: 'attested-after',
        reason,
        signer: gateway.enclave.address,
        attestedAddress: before.verdict.key?.address,
      },
      attestation: { verdict: { key: { address: gateway.enclave.address } } },
    });
  });

  it('is told of in the middle of a conversation, and verified again with the next answer', async () => {
    const session = plainSession();
    const outcomes = [(await session.ask(question)).signature.outcome];
    gateway.enclave.rotateKey();
    outcomes.push((await session.ask(question)).signature.outcome, (await session.ask(question)).signature.outcome);
    expect(outcomes).toEqual(['verified', 'attested-after', 'verified']);
  });

  it.each(TAMPERINGS)(
    'ends with an error where the key that answered does not attest (%s), and the attestation that failed',
    async (tampering) => {
      for (const signature of ['required', 'reported'] as const) {
        gateway.reset();
        const session = plainSession({ signature });
        await session.start();
        gateway.enclave.rotateKey();
        gateway.models.enclave.tampering = tampering;
        const { events, error } = await outcomeOf(session.send(question));
        expect(events.at(-1)).toMatchObject({
          type: 'signature',
          check: {
            outcome: 'invalid',
            reason: expect.stringContaining('The new key could not be attested') as unknown,
          },
        });
        expect(error).toMatchObject({
          code: 'SIGNATURE_INVALID',
          isTampering: true,
          hint: expect.not.stringContaining('Nothing was sent') as unknown,
          attestation: { verdict: { conclusion: 'failed' } },
        });
        expect(session.attestation).toBeNull();
      }
    },
  );

  it.each([
    ['no attestation is to be had', 502],
    ['the gateway wants no more calls', 429],
  ])('does not hold where %s afterwards', async (_, status) => {
    const session = plainSession({ signature: 'reported' });
    await session.start();
    gateway.enclave.rotateKey();
    gateway.interpose((answer, { path }) =>
      path.startsWith('/api/v1/tee/attestation')
        ? {
            ...answer,
            status,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"error":"Not now."}'),
          }
        : answer,
    );
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toBeNull();
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      signature: { outcome: 'invalid', reason: expect.stringContaining('Not now.') as unknown },
    });
    expect(session.attestation).toBeNull();
  });

  it('does not hold where yet another key attests afterwards', async () => {
    const session = plainSession();
    await session.start();
    gateway.enclave.rotateKey();
    gateway.interpose((answer, { path }) => {
      if (path.startsWith('/api/v1/tee/signature')) gateway.enclave.rotateKey();
      return answer;
    });
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toMatchObject({
      code: 'SIGNATURE_INVALID',
      detail: expect.stringContaining('did not prove the new key either') as unknown,
    });
    expect(typesOf(events)).not.toContain('attested');
  });

  it('attests nothing on the word of a signature over other bytes, by whatever key', async () => {
    const session = plainSession();
    await session.start();
    const address = gateway.enclave.address;
    gateway.interpose(
      resigning((signed) => {
        gateway.enclave.rotateKey();
        const text = `${signed.text.split(':')[0]}:${'cd'.repeat(32)}`;
        return { ...signed, text, signature: gateway.enclave.sign(text), signing_address: gateway.enclave.address };
      }),
    );
    expect((await outcomeOf(session.send(question))).error).toMatchObject({
      code: 'SIGNATURE_INVALID',
      detail: expect.stringContaining('another request or another response') as unknown,
    });
    expect(gateway.seen.filter(({ path }) => path.startsWith('/api/v1/tee/attestation'))).toHaveLength(1);
    expect(address).not.toBe(gateway.enclave.address);
  });

  it('is refused where a word of the answer was changed', async () => {
    gateway.interpose(altering((stream) => stream.replace('allocation', 'donation')));
    expect(codeOf((await outcomeOf(plainSession().send(question))).error)).toBe('SIGNATURE_INVALID');
  });
});

describe('a tampered enclave stops a chat before anything is sent', () => {
  const SENTENCES = {
    'wrong-key': 'TEE attestation verification failed',
    'wrong-nonce': 'Attestation nonce mismatch',
    debug: 'TDX debug mode detected',
  };

  it.each(TAMPERINGS)('%s', async (tampering) => {
    gateway.models.enclave.tampering = tampering;
    for (const session of [sessionOf(), plainSession()]) {
      const { events, error } = await outcomeOf(session.send(question));
      expect(events).toEqual([]);
      expect(error).toMatchObject({
        message: SENTENCES[tampering],
        isTampering: true,
        hint: expect.stringContaining('Nothing was sent'),
        attestation: { verdict: { conclusion: 'failed' } },
      });
    }
    expect(gateway.completions()).toEqual([]);
  });

  it.each(TAMPERINGS)('%s in the middle of a conversation', async (tampering) => {
    const session = sessionOf();
    await session.ask(question);
    gateway.models.enclave.tampering = tampering;
    await expect(session.reattest()).rejects.toThrow(SENTENCES[tampering]);
    expect(session.attestation).toBeNull();
    expect((await outcomeOf(session.send(question))).error).toMatchObject({ message: SENTENCES[tampering] });
    expect(gateway.completions()).toHaveLength(1);
  });

  it.each<[string, (report: Record<string, unknown>) => object, string]>([
    [
      'that only says so of itself',
      () => ({ verified: true, verdict: 'verified', signing_key: '04', tee_provider: 'tdx' }),
      'ATTESTATION_NOT_CHECKABLE',
    ],
    [
      'without its collateral',
      ({ collateral, ...report }) => ({ ...report, verified: true, none: collateral === null }),
      'ATTESTATION_NOT_CHECKABLE',
    ],
    [
      'without a public key',
      (report) => ({ ...report, signing_key: null, signing_public_key: null }),
      'ATTESTATION_FAILED',
    ],
    ['about another model', (report) => ({ ...report, model: 'other' }), 'ATTESTATION_FAILED'],
  ])('an attestation %s', async (_what, change, code) => {
    gateway.interpose((answer: PassedAnswer) => ({
      ...answer,
      body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString()) as Record<string, unknown>))),
    }));
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe(code);
    expect(gateway.completions()).toEqual([]);
  });

  it.each<[string, () => string, string]>([
    ['longer than any is', () => `{"info": "${'x'.repeat(20_000_000)}"}`, 'ATTESTATION_NOT_CHECKABLE'],
    ['nested deeper than any is', () => `{"info": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'ATTESTATION_FAILED'],
  ])('an attestation %s, which can be exported where there is one', async (_what, body, code) => {
    gateway.interpose((answer) => ({ ...answer, body: Buffer.from(body()) }));
    const { error } = await outcomeOf(sessionOf().send(question));
    expect(codeOf(error)).toBe(code);
    expect((error as PrivateChatError).attestation?.exportText() ?? '').not.toContain('[[[[');
    expect(gateway.completions()).toEqual([]);
  });

  it('a simulator, unless it was accepted expressly and its root given', async () => {
    expect(
      codeOf((await outcomeOf(sessionOf({ accepted: ['verified', 'unknown-workload'] }).send(question))).error),
    ).toBe('ATTESTATION_NOT_ACCEPTED');
    expect(codeOf((await outcomeOf(sessionOf({ policy: attestationPolicy() }).send(question))).error)).toBe(
      'ATTESTATION_FAILED',
    );
    expect(gateway.completions()).toEqual([]);
  });

  it.each(['!', 'AAAA', ''])('refuses an invalid simulator root: %j', (simulatedRoot) => {
    expect(() => attestationPolicy({ simulatedRoot })).toThrow(Malformed);
  });

  it('takes no root for a simulator’s that does not call itself simulated', () => {
    const intel = Buffer.from(DEFAULT_POLICY.roots[0]?.certificate.der ?? []).toString('base64');
    expect(() => attestationPolicy({ simulatedRoot: intel })).toThrow('is not marked as simulated');
  });

  it('takes collateral from its caller where the report has none', async () => {
    gateway.interpose((answer, { path }) =>
      path.startsWith('/api/v1/tee/attestation')
        ? {
            ...answer,
            body: Buffer.from(JSON.stringify({ ...(JSON.parse(answer.body.toString()) as object), collateral: null })),
          }
        : answer,
    );
    const collateral = gateway.enclave.collateral(Date.now());
    expect((await sessionOf({ collateral }).start()).verdict.conclusion).toBe('simulated');
  });
});

describe('an encrypted chat', () => {
  it('never holds by another key than it was encrypted to, and attests nothing for it', async () => {
    const session = sessionOf();
    await session.start();
    gateway.interpose(
      resigning((signed) => {
        gateway.enclave.rotateKey();
        return { ...signed, signature: gateway.enclave.sign(signed.text), signing_address: gateway.enclave.address };
      }),
    );
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toMatchObject({
      code: 'SIGNATURE_INVALID',
      detail: expect.stringContaining('not made with the attested key') as unknown,
    });
    expect(events.filter(({ type }) => type === 'attested')).toEqual([]);
  });
});

describe('an enclave that has changed its key', () => {
  it('is attested and asked once more, before any text was given', async () => {
    const session = sessionOf();
    await session.ask(question);
    gateway.enclave.rotateKey();
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toBeNull();
    expect(typesOf(events)).toEqual(['sent', 'attested', 'sent', 'began', 'delta', 'usage', 'signature', 'done']);
    expect(events[1]).toMatchObject({
      because: 'rotation',
      attestation: { verdict: { key: { address: gateway.enclave.address } } },
    });
    expect(textOf(events)).toContain('daily allocation');
    expect(gateway.completions()).toHaveLength(3);
  });

  it('is asked once more only, and not at all where its new key does not attest', async () => {
    const session = sessionOf();
    await session.start();
    gateway.interpose((answer, { path }) => {
      if (path === '/api/v1/chat/completions')
        return {
          ...answer,
          status: 400,
          headers: { ...answer.headers, 'content-type': 'application/json' },
          body: Buffer.from('{"error":"Failed to decrypt field","code":"MODEL_REFUSED"}'),
        };
      gateway.enclave.rotateKey();
      return answer;
    });
    expect((await outcomeOf(session.send(question))).error).toMatchObject({
      status: 400,
      message: 'Failed to decrypt field',
    });
    expect(gateway.completions().length).toBeLessThanOrEqual(2);
    gateway.reset();
    const other = sessionOf();
    await other.start();
    gateway.enclave.rotateKey();
    gateway.models.enclave.tampering = 'debug';
    expect(codeOf((await outcomeOf(other.send(question))).error)).toBe('ATTESTATION_DEBUG');
    expect(gateway.completions()).toHaveLength(1);
  });

  it('is not asked again where the key is the same: the refusal is the answer', async () => {
    gateway.interpose((answer, { path }) =>
      path === '/api/v1/chat/completions'
        ? {
            ...answer,
            status: 400,
            headers: { ...answer.headers, 'content-type': 'application/json' },
            body: Buffer.from('{"error":"Too long.","code":"MODEL_REFUSED"}'),
          }
        : answer,
    );
    expect((await outcomeOf(sessionOf().send(question))).error).toMatchObject({ status: 400, message: 'Too long.' });
    expect(gateway.completions()).toHaveLength(1);
  });
});

describe('a chat that is given up', () => {
  it('sends nothing where it was given up before', async () => {
    const { error } = await outcomeOf(sessionOf().send(question, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: 'UnreachableError', aborted: true });
    expect(gateway.completions()).toEqual([]);
  });

  it.each(['began', 'delta'] as const)('ends at once, at its first "%s"', async (type) => {
    const closed = hanging();
    const abort = new AbortController();
    const seen: PrivateChatEvent[] = [];
    const { error } = await outcomeOf(
      (async function* () {
        for await (const event of sessionOf().send(question, { signal: abort.signal })) {
          seen.push(event);
          if (event.type === type) abort.abort();
          yield event;
        }
      })(),
    );
    expect(error).toMatchObject({ name: 'UnreachableError', aborted: true });
    expect(seen.at(-1)?.type).toBe(type);
    expect(seen.filter((event) => event.type === 'delta')).toHaveLength(type === 'delta' ? 1 : 0);
    await closed;
  });

  it.each([
    ['does not begin', 0],
    ['does not go on', 1_500],
  ])('ends where the reply %s in time', async (_what, bytes) => {
    const closed = hanging(bytes);
    const timeouts = bytes === 0 ? { firstByteMs: 100, idleMs: 60_000 } : { firstByteMs: 60_000, idleMs: 100 };
    const { events, error } = await outcomeOf(sessionOf({ timeouts }).send(question));
    expect(codeOf(error)).toBe('REPLY_TIMEOUT');
    expect(typesOf(events)).toEqual(bytes === 0 ? ['attested', 'sent'] : ['attested', 'sent', 'began', 'delta']);
    await closed;
  });

  it('ends the request where nobody goes on reading', async () => {
    const closed = hanging();
    for await (const { type } of sessionOf().send(question)) if (type === 'delta') break;
    await closed;
  });

  /** Starts an answer that stalls. @returns a promise that resolves when the client disconnects */
  function hanging(bytes = 1_500): Promise<void> {
    return new Promise((resolve) => {
      gateway.interpose((answer, { path }, response) => {
        if (path !== '/api/v1/chat/completions') return answer;
        response.on('close', () => resolve());
        if (bytes === 0) return null;
        response.writeHead(200, answer.headers);
        response.write(answer.body.subarray(0, bytes));
        return null;
      });
    });
  }
});

describe('an ordinary chat', () => {
  const call = (change = {}) =>
    streamChat({ connection: { baseUrl: gateway.url }, model: 'guide', messages: question, ...change });

  it('streams text and usage, with the request’s id', async () => {
    const { events, error } = await outcomeOf(call({ parameters: { max_tokens: 5, model: 'other', stream: false } }));
    expect(error).toBeNull();
    expect(typesOf(events)).toEqual(['sent', 'began', 'delta', 'usage', 'done']);
    expect(events.at(-1)).toMatchObject({
      answer: { finishReason: 'length', usage: { completionTokens: 5 }, requestId: 'r'.repeat(32) },
    });
  });

  it('passes on a refusal of the gateway, and an error within the stream', async () => {
    expect((await outcomeOf(call({ model: 'none' }))).error).toMatchObject({ name: 'GatewayError', status: 404 });
    gateway.interpose(
      altering(
        (stream) => `${stream.slice(0, stream.indexOf('\n\n') + 2)}data: {"error":{"message":"Out of memory."}}\n\n`,
      ),
    );
    expect((await outcomeOf(call())).error).toMatchObject({ code: 'REPLY_ERROR', detail: 'Out of memory.' });
  });

  it('says where nobody answers', async () => {
    expect((await outcomeOf(call({ connection: { baseUrl: 'http://127.0.0.1:1' } }))).error).toMatchObject({
      name: 'UnreachableError',
      aborted: false,
    });
  });
});
