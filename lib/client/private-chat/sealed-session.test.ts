import { describe, expect, it } from 'vitest';
import { attestationPolicy, type ChatMessage } from './index';
import { PrivateEmbeddings } from './private-embeddings';
import { frameOf } from '@/lib/protocol/e2ee/ehbp/frames';
import { ResponseCipher } from '@/lib/protocol/e2ee/ehbp/suite';
import { drawImage } from '@/lib/sandbox/images/draw-image';
import { TAMPERINGS } from '@/lib/sandbox/enclave/enclave';
import { codeOf, outcomeOf, textOf, typesOf } from '@/test/private-chat/chat-outcome';
import { gatewayOfTests, sessionsWith } from '@/test/private-chat/sessions';
import type { PassedAnswer, SeenRequest } from '@/test/private-chat/enclave-gateway';

const CANARY = 'How does staking work? 7f3a-canary';
const question: ChatMessage[] = [{ role: 'user', content: CANARY }];
const gateway = await gatewayOfTests();
const sessionOf = sessionsWith(gateway, 'tinfoil-guide');

/** Alters the answer to a chat and relays other answers unchanged. */
const altering =
  (alter: (answer: PassedAnswer) => PassedAnswer) =>
  (answer: PassedAnswer, { path }: SeenRequest) =>
    path === '/api/v1/chat/completions' || path === '/api/v1/embeddings' ? alter(answer) : answer;

/** Returns the frames of a body, each with its header. */
function framesOf(body: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < body.length; at += 4 + body.readUInt32BE(at))
    frames.push(body.subarray(at, at + 4 + body.readUInt32BE(at)));
  return frames;
}

describe('a chat with a model of Tinfoil’s family', () => {
  it('attests, encrypts the whole body to the attested key, and is answered by nobody else', async () => {
    const { events, error } = await outcomeOf(sessionOf().send(question));
    expect(error).toBeNull();
    expect(typesOf(events)).toEqual(['attested', 'sent', 'began', 'delta', 'usage', 'signature', 'done']);
    expect(textOf(events)).toContain('daily allocation');
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      signature: { outcome: 'sealed', signer: null },
      answer: { finishReason: 'stop' },
      attestation: { encryption: 'x25519-hpke', verdict: { conclusion: 'simulated', family: 'tinfoil' } },
    });
  });

  it('lets nobody in between read a word of question, parameters or answer', async () => {
    const { answer } = await sessionOf().ask(
      [
        { role: 'system', content: 'system-canary' },
        ...question,
        { role: 'assistant', content: 'assistant-canary' },
        ...question,
      ],
      { parameters: { max_tokens: 77 } },
    );
    const [request] = gateway.completions();
    expect(request?.body.toString('hex')).toBe(answer.sent.bodyText);
    for (const word of ['canary', 'staking', 'max_tokens', 'messages'])
      expect(request?.body.toString('latin1')).not.toContain(word);
    expect(answer.received.text()).toBe(Buffer.from(answer.received.bytes()).toString('hex'));
    expect(Buffer.from(answer.received.bytes()).toString('latin1')).not.toMatch(/data:|allocation/);
    expect(request?.headers).toMatchObject({
      'x-service-tee-model': 'tinfoil-guide',
      'ehbp-encapsulated-key': expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
  });

  it('carries a picture inside the encrypted body, which the enclave sees', async () => {
    const picture = await drawImage({ prompt: 'x', negativePrompt: '', seed: 3, width: 64, height: 32 });
    const url = `data:image/png;base64,${picture.toString('base64')}`;
    const { answer } = await sessionOf().ask([
      {
        role: 'user',
        content: [
          { type: 'text', text: CANARY },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    expect(answer.text).toContain('PNG, 64 × 32 pixels');
    const sent = gateway.completions()[0]?.body.toString('latin1') ?? '';
    for (const word of ['canary', 'image_url', url.slice(30, 60)]) expect(sent).not.toContain(word);
  });

  it('encapsulates a key of its own for every request, and attests once for a conversation', async () => {
    const session = sessionOf();
    const first = await session.ask(question);
    await session.ask([
      ...question,
      { role: 'assistant', content: first.answer.text },
      { role: 'user', content: 'How do I top up?' },
    ]);
    expect(new Set(gateway.completions().map(({ headers }) => headers['ehbp-encapsulated-key'])).size).toBe(2);
    expect(gateway.seen.filter(({ path }) => path.startsWith('/api/v1/tee/attestation'))).toHaveLength(1);
  });

  it('has nothing to send where the last message is an answer', async () => {
    expect(codeOf((await outcomeOf(sessionOf().send([...question, { role: 'assistant', content: 'a' }]))).error)).toBe(
      'NOTHING_TO_SEND',
    );
    expect(gateway.completions()).toEqual([]);
  });

  it.each(TAMPERINGS)('sends nothing where the attestation is false (%s)', async (tampering) => {
    gateway.models.tinfoil.tampering = tampering;
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe('ATTESTATION_NONCE');
    expect(gateway.completions()).toEqual([]);
  });

  it('sends nothing where somebody put another key into the document', async () => {
    const own = Buffer.from(gateway.enclave.hpkeKeys.publicKey).toString('hex');
    gateway.interpose((answer, { path }) =>
      path.startsWith('/api/v1/tee/attestation')
        ? { ...answer, body: Buffer.from(answer.body.toString().replace(own, 'b2'.repeat(32))) }
        : answer,
    );
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe('ATTESTATION_FAILED');
    expect(gateway.completions()).toEqual([]);
  });

  it('sends nothing under a verdict that was not accepted', async () => {
    expect(codeOf((await outcomeOf(sessionOf({ accepted: ['verified'] }).send(question))).error)).toBe(
      'ATTESTATION_NOT_ACCEPTED',
    );
    expect(gateway.completions()).toEqual([]);
  });

  it('attests anew where the enclave has another key by now, and asks once more', async () => {
    const session = sessionOf();
    await session.start();
    gateway.enclave.rotateKey();
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toBeNull();
    expect(events.filter(({ type }) => type === 'attested')).toMatchObject([{ because: 'rotation' }]);
    expect(gateway.completions()).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ signature: { outcome: 'sealed' } });
  });

  it('tells of a refusal in the enclave, which only the client reads', async () => {
    const { error } = await outcomeOf(sessionOf().send(question, { parameters: { max_tokens: -1 } }));
    expect(error).toMatchObject({ code: 'REPLY_ERROR', detail: expect.stringContaining('max_tokens') as unknown });
    expect(gateway.completions().length).toBeGreaterThan(0);
  });
});

describe('an answer that is encrypted as a whole is stopped', () => {
  const codeWhere = async (alter: (answer: PassedAnswer) => PassedAnswer) => {
    gateway.interpose(altering(alter));
    const { events, error } = await outcomeOf(sessionOf().send(question));
    expect(events.some(({ type }) => type === 'done' || type === 'signature')).toBe(false);
    return codeOf(error);
  };
  const withFrames = (change: (frames: Buffer[]) => Uint8Array[]) => (answer: PassedAnswer) => ({
    ...answer,
    body: Buffer.concat(change(framesOf(answer.body))),
  });

  it('with a bit flipped, wherever', async () => {
    for (const [frame, at] of [
      [0, 6],
      [3, 10],
      [-1, -1],
    ] as const) {
      const flip = withFrames((frames) =>
        frames.map((each, index) =>
          each === frames.at(frame)
            ? each.map((byte, place) => (place === (at + each.length) % each.length ? byte ^ 1 : byte))
            : (frames[index] as Buffer),
        ),
      );
      expect(await codeWhere(flip)).toBe('REPLY_NOT_DECRYPTABLE');
    }
  });

  it.each<[string, (frames: Buffer[]) => Uint8Array[], string]>([
    ['a frame repeated', ([first = Buffer.of(), ...rest]) => [first, first, ...rest], 'REPLY_NOT_DECRYPTABLE'],
    [
      'two frames swapped',
      ([first = Buffer.of(), second = Buffer.of(), ...rest]) => [second, first, ...rest],
      'REPLY_NOT_DECRYPTABLE',
    ],
    ['a frame left out', ([first = Buffer.of(), , ...rest]) => [first, ...rest], 'REPLY_NOT_DECRYPTABLE'],
    ['its last frames left out', (frames) => frames.slice(0, -2), 'REPLY_CUT'],
    ['an end within a frame', (frames) => [...frames.slice(0, 3), (frames[3] as Buffer).subarray(0, 9)], 'REPLY_CUT'],
    [
      'a frame that is said to be endless',
      (frames) => [frames[0] as Buffer, Buffer.from('ffffffff00', 'hex')],
      'REPLY_TOO_LONG',
    ],
    [
      'a frame of somebody else',
      (frames) => [
        frameOf(
          new ResponseCipher(
            { exportedSecret: new Uint8Array(32), encapsulatedKey: new Uint8Array(32) },
            new Uint8Array(32),
          ).seal(Buffer.from('data: {}\n\n')),
        ),
        ...frames,
      ],
      'REPLY_NOT_DECRYPTABLE',
    ],
  ])('with %s', async (_what, change, code) => {
    expect(await codeWhere(withFrames(change))).toBe(code);
  });

  it('under another nonce, or none: then it is in the clear', async () => {
    expect(
      await codeWhere((answer) => ({
        ...answer,
        headers: { ...answer.headers, 'ehbp-response-nonce': '00'.repeat(32) },
      })),
    ).toBe('REPLY_NOT_DECRYPTABLE');
    expect(
      await codeWhere((answer) => ({
        ...answer,
        headers: { 'content-type': 'text/event-stream' },
        body: Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Trust me."}}]}\n\ndata: [DONE]\n\n'),
      })),
    ).toBe('REPLY_NOT_ENCRYPTED');
  });

  it('where it answers another request', async () => {
    const kept: PassedAnswer[] = [];
    gateway.interpose(altering((answer) => (kept.push(answer), kept[0] as PassedAnswer)));
    const session = sessionOf();
    await session.ask(question);
    expect(codeOf((await outcomeOf(session.send(question))).error)).toBe('REPLY_NOT_DECRYPTABLE');
  });
});

describe('embeddings by a model of Tinfoil’s family', () => {
  const body = JSON.stringify({ model: 'tinfoil-embedding', input: [CANARY] });
  const enclaveOf = (attested: unknown[] = []) =>
    new PrivateEmbeddings({
      connection: { baseUrl: gateway.url, apiKey: 'key' },
      model: 'tinfoil-embedding',
      policy: attestationPolicy({ simulatedRoot: gateway.simulatedRoot }),
      accepted: ['simulated'],
      onAttestation: (attestation) => attested.push(attestation),
    });
  const sent = () => gateway.seen.filter(({ path }) => path === '/api/v1/embeddings');
  const reports = () => gateway.seen.filter(({ path }) => path.startsWith('/api/v1/tee/attestation'));
  const codeWhere = async (alter: (answer: PassedAnswer) => PassedAnswer) => {
    gateway.interpose(altering(alter));
    return enclaveOf()
      .ask(body)
      .then(() => null, codeOf);
  };

  it('are read by the enclave alone, which is attested once', async () => {
    const attested: unknown[] = [];
    const enclave = enclaveOf(attested);
    const [first, second] = [await enclave.ask(body), await enclave.ask(body)];
    expect(JSON.parse(first.text)).toMatchObject({ data: [{ index: 0, embedding: expect.any(Array) as unknown }] });
    expect(second.text).toBe(first.text);
    for (const request of sent())
      for (const word of ['canary', 'staking', 'input']) expect(request.body.toString('latin1')).not.toContain(word);
    expect(new Set(sent().map(({ headers }) => headers['ehbp-encapsulated-key'])).size).toBe(2);
    expect([reports().length, attested.length]).toEqual([1, 1]);
  });

  it.each(TAMPERINGS)('are not sent where the attestation is false (%s)', async (tampering) => {
    gateway.models.tinfoil.tampering = tampering;
    await expect(enclaveOf().ask(body)).rejects.toMatchObject({ code: 'ATTESTATION_NONCE' });
    expect(sent()).toEqual([]);
  });

  it('are sent once more to a key that the enclave has by now, and that it attests', async () => {
    const enclave = enclaveOf();
    await enclave.start();
    gateway.enclave.rotateKey();
    expect(JSON.parse((await enclave.ask(body)).text)).toHaveProperty('data');
    expect([sent().length, reports().length]).toEqual([2, 2]);
  });

  it('that the enclave refuses are told by it, encrypted, and it stays attested', async () => {
    const enclave = enclaveOf();
    const bad = JSON.stringify({ model: 'tinfoil-embedding', input: '' });
    await expect(enclave.ask(bad)).rejects.toMatchObject({ code: 'REPLY_ERROR' });
    await enclave.ask(body);
    expect(reports()).toHaveLength(1);
  });

  it.each<[string, (answer: PassedAnswer) => PassedAnswer, string]>([
    ['a bit flipped', (answer) => ({ ...answer, body: flipped(answer.body) }), 'REPLY_NOT_DECRYPTABLE'],
    ['no end', (answer) => ({ ...answer, body: answer.body.subarray(0, -5) }), 'REPLY_CUT'],
    ['nothing in it', (answer) => ({ ...answer, body: Buffer.of() }), 'REPLY_CUT'],
    ['another nonce', (answer) => withNonce(answer, '00'.repeat(32)), 'REPLY_NOT_DECRYPTABLE'],
    [
      'plain text',
      () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"data":[]}') }),
      'REPLY_NOT_ENCRYPTED',
    ],
  ])('with an answer with %s are refused', async (_what, alter, code) => {
    expect(await codeWhere(alter)).toBe(code);
  });

  const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)));
  const withNonce = (answer: PassedAnswer, nonce: string) => ({
    ...answer,
    headers: { ...answer.headers, 'ehbp-response-nonce': nonce },
  });

  it('are attested again after an unreadable answer', async () => {
    const enclave = enclaveOf();
    gateway.interpose(altering((answer) => ({ ...answer, body: Buffer.of() })));
    await expect(enclave.ask(body)).rejects.toMatchObject({ code: 'REPLY_CUT' });
    gateway.interpose(null);
    await enclave.ask(body);
    expect(reports()).toHaveLength(2);
  });
});
