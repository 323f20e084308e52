import { describe, expect, it, vi } from 'vitest';
import { attestationPolicy, hopsOfAttestation, PrivateChatError, PrivateChatSession } from '@/lib/client/private-chat';
import { generateMlKemKeyPair } from '@/lib/protocol/e2ee/ml-kem/pieces';
import { AnswerSealer, eventOf } from '@/lib/protocol/e2ee/ml-kem/recipient';
import { SimulatedEnclave, TAMPERINGS } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { Guide } from '@/lib/sandbox/guide/guide';
import { ChutesControl } from '@/lib/sandbox/inference/chutes-control';
import { InferenceServer } from '@/lib/sandbox/inference/inference-server';
import { PLACE_ENCRYPTION } from '@/lib/sandbox/inference/models';
import { chatGateway } from '@/test/chat-gateway';
import { serve } from '@/test/test-gateway';

// Cryptography in plain JavaScript is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const MODEL = 'chutes-e2ee-guide';
const QUESTION = [{ role: 'user', content: 'How long does unstaking take? 7f3a-canary' }] as const;

/** Changes an answer between client and gateway. Gets its path and body. */
type Between = (path: string, body: string) => string;

/** The sandbox's instances, a gateway on a socket, and our client, with a proxy between client and gateway. */
async function instances(between: Between = (_path, body) => body) {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
  const guide = new Guide([{ document: 'docs/staking.md', heading: 'Unstaking', text: 'Unstaking takes seven days.' }]);
  const models = new InferenceServer({ guide, enclave, place: 'chutes', eventDelayMs: 0 });
  const control = new ChutesControl({
    guide,
    enclave,
    tamperingOf: (nonce) => models.tamperingOf(nonce),
    eventDelayMs: 0,
  });
  const { origin } = await serve((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    void (
      path.startsWith('/v1') ? models.handle(request, response, path.slice(3)) : control.handle(request, response, path)
    ).catch(() => response.destroy());
  });
  const simulatedRoot = Buffer.from(enclave.root).toString('base64');
  const gateway = await chatGateway({
    enclaveUpstreams: [
      { name: 'chutes', url: `${origin}/v1`, controlUrl: origin, encryption: PLACE_ENCRYPTION.chutes },
    ],
    attestation: { roots: [{ certificate: simulatedRoot, simulated: true }], pccsUrl: null, nvidiaUrl: null },
  });
  const sent: { headers: Headers; body: Buffer }[] = [];
  const passing: typeof fetch = async (url, init) => {
    const path = new URL(url as string).pathname;
    if (path.endsWith('/chat/completions'))
      sent.push({ headers: new Headers(init?.headers), body: Buffer.from(init?.body as Uint8Array) });
    const response = await fetch(url, init);
    return new Response(between(path, await response.text()), { status: response.status, headers: response.headers });
  };
  const session = new PrivateChatSession({
    connection: { baseUrl: gateway.origin, apiKey: gateway.key, fetch: passing },
    model: MODEL,
    encrypted: true,
    policy: attestationPolicy({ simulatedRoot }),
    accepted: ['simulated'],
  });
  return { enclave, gateway, models, sent, session };
}

async function codeOf(asking: Promise<unknown>): Promise<string> {
  const error = await asking.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PrivateChatError) return error.code;
  throw error ?? new Error('nothing was refused');
}

const ofChat =
  (alter: (events: string[]) => string[]): Between =>
  (path, body) =>
    path.endsWith('/chat/completions') && body.startsWith('data:')
      ? alter(body.trimEnd().split('\n\n'))
          .map((event) => `${event}\n\n`)
          .join('')
      : body;
const ofReport =
  (alter: (body: string) => string): Between =>
  (path, body) =>
    path.endsWith('/tee/attestation') ? alter(body) : body;
const isPiece = (event: string): boolean => event.startsWith('data: {"e2e":');

describe('our client, through the gateway, with one of several instances', () => {
  it('chats with one that attested and is listed, every hop named, and is charged what stands in the clear', async () => {
    const { enclave, gateway, sent, session } = await instances();
    const { answer, signature, attestation } = await session.ask(QUESTION);
    expect([answer.text, answer.finishReason, signature.outcome]).toEqual([
      expect.stringContaining('seven days'),
      'stop',
      'sealed-pieces',
    ]);
    expect(attestation.verdict.enclaves.map(({ name, isUsed, unusable }) => [name, isUsed, unusable !== null])).toEqual(
      [
        ['instance-1', false, true],
        ['instance-2', true, false],
        ['instance-3', false, false],
      ],
    );
    expect(attestation).toMatchObject({
      encryption: 'ml-kem-768',
      verdict: { conclusion: 'simulated', family: 'chutes' },
    });
    expect(sent.map(({ headers }) => headers.get('x-service-tee-instance'))).toEqual(['instance-2']);
    expect(
      hopsOfAttestation(attestation, { client: 'program' }).map(
        ({ kind, name, reads, standing }) => `${kind} ${name ?? '-'} ${reads} ${standing}`,
      ),
    ).toEqual([
      'client - content own',
      'gateway - metadata simulated',
      'provider chutes metadata simulated',
      'model instance-2 content simulated',
      'gpu - content claim',
    ]);
    expect((await gateway.charges()).map(({ detail, resource }) => [detail, resource])).toEqual([
      [`${answer.usage?.promptTokens} + ${answer.usage?.completionTokens} tokens`, `chat/${MODEL}`],
    ]);
    expect(enclave.instances.listed.map(({ id }) => id)).toEqual(['instance-2', 'instance-3', 'instance-4']);
  });

  it('lets nobody in between read a word of question, parameters or answer', async () => {
    const passed: string[] = [];
    const { sent, session } = await instances(
      (path, body) => (path.endsWith('/chat/completions') && passed.push(body), body),
    );
    await session.ask(QUESTION, { parameters: { max_tokens: 77 } });
    for (const word of ['canary', 'max_tokens', 'messages', 'seven', 'content'])
      expect((sent[0]?.body.toString('latin1') ?? '') + passed.join('')).not.toContain(word);
  });

  it('tells no client the nonces that instances are asked with', async () => {
    const reports: string[] = [];
    const { session } = await instances(ofReport((body) => (reports.push(body), body)));
    await session.start();
    expect(reports.join('')).toContain('e2e_pubkey');
    expect(reports.join('')).not.toContain('nonces');
  });

  it('holds a conversation under one attestation, each request to a key of its own', async () => {
    const { gateway, sent, session } = await instances();
    const first = await session.ask(QUESTION);
    await session.ask([
      ...QUESTION,
      { role: 'assistant', content: first.answer.text },
      { role: 'user', content: 'And then?' },
    ]);
    expect(new Set(sent.map(({ body }) => body.subarray(0, 64).toString('hex'))).size).toBe(2);
    expect(await gateway.charges()).toHaveLength(2);
  });

  it('goes on with another instance where the one that attested is gone, and is charged once', async () => {
    const { enclave, gateway, sent, session } = await instances();
    await session.start();
    enclave.rotateKey();
    expect((await session.ask(QUESTION)).signature.outcome).toBe('sealed-pieces');
    expect(sent.map(({ headers }) => headers.get('x-service-tee-instance'))).toEqual(['instance-2', 'instance-6']);
    expect(await gateway.charges()).toHaveLength(1);
  });

  it('hears of what the instance refuses, and is charged nothing', async () => {
    const { gateway, session } = await instances();
    await expect(session.ask(QUESTION, { parameters: { max_tokens: -1 } })).rejects.toMatchObject({
      status: 400,
      detail: { code: 'MODEL_REFUSED' },
    });
    expect(await gateway.charges()).toEqual([]);
  });
});

describe('nothing is sent', () => {
  it.each(TAMPERINGS)('where the evidence is false (%s)', async (tampering) => {
    const { models, sent, session } = await instances();
    models.tampering = tampering;
    // One hash covers nonce and key, so the check cannot tell which is wrong.
    expect([await codeOf(session.ask(QUESTION)), sent]).toEqual(['ATTESTATION_FAILED', []]);
  });

  it('where somebody puts a key of its own in the place of an instance’s', async () => {
    const own = Buffer.from(generateMlKemKeyPair().publicKey).toString('base64');
    const { sent, session } = await instances(
      ofReport((body) => body.replace(/(instance-2\\",\\"e2e_pubkey\\":\\")[^"\\]+/, `$1${own}`)),
    );
    expect([await codeOf(session.ask(QUESTION)), sent]).toEqual(['ATTESTATION_FAILED', []]);
  });

  it('where the keys of two instances are swapped', async () => {
    const { sent, session } = await instances(
      ofReport((body) =>
        body
          .replace(/instance-2(\\",\\"e2e_pubkey)/, 'instance-x$1')
          .replace(/instance-3(\\",\\"e2e_pubkey)/, 'instance-2$1')
          .replace(/instance-x(\\",\\"e2e_pubkey)/, 'instance-3$1'),
      ),
    );
    expect([await codeOf(session.ask(QUESTION)), sent]).toEqual(['ATTESTATION_FAILED', []]);
  });

  it('where no instance that attested has a key in the list', async () => {
    const { sent, session } = await instances(
      ofReport((body) =>
        body.replace(/instance-[23](\\",\\"e2e_pubkey)/g, 'instance-9$1').replace('instance-9', 'instance-8'),
      ),
    );
    expect([await codeOf(session.ask(QUESTION)), sent]).toEqual(['ATTESTATION_NOT_CHECKABLE', []]);
  });
});

describe('an answer is stopped', () => {
  it.each<[string, (events: string[]) => string[], string]>([
    ['with a piece that comes again', (events) => [...events.slice(0, 2), ...events.slice(1)], 'REPLY_NOT_DECRYPTABLE'],
    [
      'with a bit flipped',
      (events) =>
        events.map((event, index) =>
          index === 2
            ? event.replace(
                /("e2e":".{30})(.)/,
                (_all, before: string, at: string) => before + (at === 'A' ? 'B' : 'A'),
              )
            : event,
        ),
      'REPLY_NOT_DECRYPTABLE',
    ],
    [
      'with a piece of somebody else',
      (events) => [
        events[0] as string,
        new AnswerSealer(generateMlKemKeyPair().publicKey).piece('data: {}').trim(),
        ...events.slice(1),
      ],
      'REPLY_NOT_DECRYPTABLE',
    ],
    [
      'with words in the clear',
      (events) => [
        ...events.slice(0, 2),
        'data: {"choices":[{"index":0,"delta":{"content":"Trust me."}}]}',
        ...events.slice(2),
      ],
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'with words in the clear beside a usage',
      (events) => [
        ...events.slice(0, 2),
        eventOf({
          usage: { prompt_tokens: 1, completion_tokens: 1 },
          choices: [{ index: 0, delta: { content: 'Trust me.' } }],
        }).trim(),
        ...events.slice(2),
      ],
      'REPLY_NOT_ENCRYPTED',
    ],
    ['that ends before it has told why', (events) => [...events.slice(0, 3), 'data: [DONE]'], 'REPLY_CUT'],
    ['without an end', (events) => events.slice(0, -1), 'REPLY_CUT'],
    [
      'whose last words come after its end',
      (events) =>
        [
          events[0],
          ...events.filter(isPiece).reverse(),
          ...events.slice(1).filter((event) => !isPiece(event)),
        ] as string[],
      'REPLY_MALFORMED',
    ],
    [
      'that was never encrypted',
      () => ['data: {"choices":[{"index":0,"delta":{"content":"Trust me."},"finish_reason":"stop"}]}', 'data: [DONE]'],
      'REPLY_NOT_ENCRYPTED',
    ],
  ])('%s', async (_what, alter, code) => {
    const { session } = await instances(ofChat(alter));
    expect(await codeOf(session.ask(QUESTION))).toBe(code);
  });

  it('not where a piece in its middle was left out: which is why it is vouched for piece by piece', async () => {
    const { session } = await instances(ofChat((events) => events.filter((_, index) => index !== 3)));
    const { signature } = await session.ask(QUESTION);
    expect([signature.outcome, signature.reason]).toEqual([
      'sealed-pieces',
      expect.stringContaining('does not prove that no piece was removed'),
    ]);
  });
});
