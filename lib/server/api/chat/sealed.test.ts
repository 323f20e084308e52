import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { Identity, KeyConfigMismatchError, Transport } from 'ehbp';
import { describe, expect, it } from 'vitest';
import { frameOf } from '@/lib/protocol/e2ee/ehbp/frames';
import { generateHpkeKeyPair, openBody } from '@/lib/protocol/e2ee/ehbp/recipient';
import { ResponseCipher } from '@/lib/protocol/e2ee/ehbp/suite';
import { sealBody } from '@/lib/protocol/e2ee/ehbp/sender';
import { charged, chatGateway, type ChatGateway } from '@/test/chat-gateway';
import { type AskedModel, chunk, completionText, DONE, refuses, scriptedModel } from '@/test/scripted-model';

const ENCLAVE_KEYS = generateHpkeKeyPair();
const CHAT = { model: 'sealed', stream: true, messages: [{ role: 'user', content: 'what nobody else may read' }] };
const NONCE = 'cd'.repeat(32);
const MODEL = { id: 'sealed', context_length: 1_000, max_completion_tokens: 200 };
const KEY_PROBLEM = { type: 'urn:ietf:params:ehbp:error:key-config', title: 'key configuration mismatch' };

interface Answer {
  parts: readonly string[];
  status?: number;
  contentType?: string;
  /** Usage in the trailer of a stream, or in the header of a whole answer. */
  usage?: string;
  usageIn?: 'trailer' | 'header';
  /** Trailer in addition to a header. */
  trailer?: string;
  /** Ends the connection after this many parts. */
  breaksAfter?: number;
  nonce?: string | null;
}

/** Simulates an enclave that decrypts requests, and answers each part as a frame. */
function answers({
  parts,
  status = 200,
  contentType = 'text/event-stream',
  usage,
  usageIn = 'trailer',
  trailer,
  breaksAfter = Infinity,
  nonce = NONCE,
}: Answer) {
  const read: string[] = [];
  const script = async ({ method, bytes, headers }: AskedModel, response: ServerResponse) => {
    // A receipt asks for an attestation report, which this enclave does not have.
    if (method === 'GET') return void response.writeHead(404).end();
    const { body, secrets } = await openBody(bytes, String(headers['ehbp-encapsulated-key']), ENCLAVE_KEYS.secretKey);
    read.push(new TextDecoder().decode(body));
    const cipher = new ResponseCipher(secrets, Buffer.from(NONCE, 'hex'));
    response.writeHead(status, {
      'content-type': contentType,
      ...(nonce === null ? {} : { 'ehbp-response-nonce': nonce }),
      ...(usage !== undefined &&
        (usageIn === 'trailer' ? { trailer: 'X-Tinfoil-Usage-Metrics' } : { 'x-tinfoil-usage-metrics': usage })),
    });
    for (const [index, part] of parts.entries()) {
      if (index >= breaksAfter) return void response.destroy();
      response.write(frameOf(cipher.seal(utf8ToBytes(part))));
      await sleep(1);
    }
    const told = usageIn === 'trailer' ? usage : trailer;
    if (told !== undefined) response.addTrailers({ 'X-Tinfoil-Usage-Metrics': told });
    response.end();
  };
  return { script, read };
}

async function enclave(answer: Answer, settings: Record<string, unknown> = {}) {
  const { script, read } = answers(answer);
  const model = await scriptedModel(script, [MODEL]);
  return {
    model,
    read,
    gateway: await chatGateway({
      enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp', key: 'upstream-secret' }],
      ...settings,
    }),
  };
}

/** Creates the client of the protocol's authors, with the gateway's address and the enclave's key. */
async function theirClient({ origin, key }: ChatGateway, publicKey = ENCLAVE_KEYS.publicKey) {
  const transport = new Transport(await Identity.fromPublicKeyHex(bytesToHex(publicKey)), new URL(origin).host);
  return (body: unknown = CHAT) =>
    transport.post(`${origin}/api/v1/chat/completions`, JSON.stringify(body), {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-service-tee-model': 'sealed' },
    });
}

async function ask(
  { origin, key }: ChatGateway,
  {
    headers = {},
    body,
    path = '/chat/completions',
  }: { headers?: Record<string, string | undefined>; body?: Uint8Array | string; path?: string } = {},
) {
  const sealed = await sealBody(utf8ToBytes(JSON.stringify(CHAT)), ENCLAVE_KEYS.publicKey);
  const all: Record<string, string | undefined> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-service-tee-model': 'sealed',
    ...sealed.headers,
    ...headers,
  };
  const response = await fetch(`${origin}/api/v1${path}`, {
    method: 'POST',
    headers: Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined),
    body: (body ?? sealed.body) as BodyInit,
  });
  const text = await response.text().catch((error: unknown) => String(error));
  return { status: response.status, headers: response.headers, text };
}

const EVENTS = [chunk('Hel'), chunk('lo.'), DONE];

describe('a chat that is encrypted as a whole', () => {
  it('goes through from the unmodified client of the protocol’s authors, and is charged by the usage in the trailer', async () => {
    const { model, read, gateway } = await enclave({ parts: EVENTS, usage: 'prompt=67,completion=42,total=109' });
    const response = await (await theirClient(gateway))();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe(EVENTS.join(''));
    expect(read).toEqual([JSON.stringify(CHAT)]);
    expect(model.asked[0]?.headers).toMatchObject({
      authorization: 'Bearer upstream-secret',
      'x-tinfoil-request-usage-metrics': 'true',
    });
    expect(await gateway.charges()).toEqual([
      { amount: 67 * 1_000 + 42 * 2_000, detail: '67 + 42 tokens', resource: 'chat/sealed' },
    ]);
  });

  it('names its model in its receipt', async () => {
    const { gateway } = await enclave({ parts: EVENTS });
    const { headers } = await ask(gateway, { headers: { 'x-receipt': 'true' } });
    const { json } = await gateway.get((headers.get('x-receipt') ?? '').replace('/api/v1', ''));
    const payload = Buffer.from(String(json['signature']).split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(payload)).toMatchObject({ model: 'sealed', charge: { resource: 'chat/sealed' } });
  });

  it('that is not streamed is charged by the usage in the header', async () => {
    const whole = completionText('Hello.', null);
    const { gateway } = await enclave({
      parts: [whole],
      contentType: 'application/json',
      usage: 'prompt=5, completion=7, total=12, model=sealed',
      usageIn: 'header',
    });
    const response = await (await theirClient(gateway))({ ...CHAT, stream: false });
    expect(await response.text()).toBe(whole);
    expect((await gateway.charges())[0]?.detail).toBe('5 + 7 tokens');
  });

  it.each([
    undefined,
    'prompt=x,completion=1',
    'completion=1',
    'prompt=-5,completion=1',
    'prompt=1,prompt=2,completion=1',
    '1',
  ])('is charged the estimate of its frames where the usage is %j', async (usage) => {
    const { gateway } = await enclave({ parts: EVENTS, ...(usage !== undefined && { usage }) });
    const response = await (await theirClient(gateway))();
    await response.text();
    // A quarter of the request's bytes, and one token for each frame with an event.
    expect((await gateway.charges())[0]?.detail).toBe(`${Math.ceil(JSON.stringify(CHAT).length / 4)} + 3 tokens`);
  });

  it('is never charged more than was held', async () => {
    const { gateway } = await enclave({ parts: EVENTS, usage: 'prompt=999999,completion=999999,total=1' });
    await (await (await theirClient(gateway))()).text();
    const held = JSON.stringify(CHAT).length + 4 + 16;
    expect((await gateway.charges())[0]?.amount).toBe(held * 1_000 + 200 * 2_000);
  });

  it.each([
    ['beyond what can be counted', 'prompt=999999999999999,completion=1,total=1'],
    ['of no prompt', 'prompt=0,completion=0,total=0'],
    ['of no completion', `prompt=${Math.ceil(JSON.stringify(CHAT).length / 4)},completion=0`],
  ])('is charged the estimate where the usage is %s', async (_what, usage) => {
    const { gateway } = await enclave({ parts: EVENTS, usage });
    await (await (await theirClient(gateway))()).text();
    expect((await gateway.charges())[0]?.detail).toBe(`${Math.ceil(JSON.stringify(CHAT).length / 4)} + 3 tokens`);
  });

  it.each([
    ['the same', 'prompt=5,completion=7', '5 + 7 tokens'],
    ['others', 'prompt=6,completion=7', `${Math.ceil(JSON.stringify(CHAT).length / 4)} + 3 tokens`],
  ])('is told its usage twice: %s', async (_what, trailer, detail) => {
    const { gateway } = await enclave({ parts: EVENTS, usage: 'prompt=5,completion=7', usageIn: 'header', trailer });
    await (await (await theirClient(gateway))()).text();
    expect((await gateway.charges())[0]?.detail).toBe(detail);
  });

  it('is relayed byte for byte, and its plain text is nowhere in it', async () => {
    const { model, gateway } = await enclave({ parts: EVENTS });
    const sealed = await sealBody(utf8ToBytes(JSON.stringify(CHAT)), ENCLAVE_KEYS.publicKey);
    const { headers, text } = await ask(gateway, { headers: sealed.headers, body: sealed.body });
    expect(Buffer.from(sealed.body).equals(model.asked[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(headers.get('ehbp-response-nonce')).toBe(NONCE);
    expect(text).not.toContain('content');
  });

  it('reaches the client while it runs', async () => {
    const { script } = answers({ parts: [chunk('first'), ...Array.from({ length: 40 }, () => chunk('x'))] });
    const model = await scriptedModel(script, [MODEL]);
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    const reader = (await (await theirClient(gateway))()).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(chunk('first'));
    await reader?.cancel();
    expect((await charged(gateway))[0]?.detail).toMatch(/^\d+ \+ \d+ tokens$/);
  });

  it('pays for its prompt where it is left before the answer, and for what came of it where it is left within', async () => {
    for (const [writes, tokens] of [
      [0, 0],
      [1_600, 336],
    ] as const) {
      const model = await scriptedModel(
        (_asked, response) => {
          if (writes === 0) return;
          response.writeHead(200, { 'content-type': 'application/json', 'ehbp-response-nonce': NONCE });
          response.write(frameOf(new Uint8Array(100_000)).subarray(0, 4 + writes));
        },
        [MODEL],
      );
      const gateway = await chatGateway({
        enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }],
      });
      const { body, headers } = await sealBody(utf8ToBytes(JSON.stringify(CHAT)), ENCLAVE_KEYS.publicKey);
      const leaving = new AbortController();
      const asking = fetch(`${gateway.origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
          'x-service-tee-model': 'sealed',
          ...headers,
        },
        body: body as BodyInit,
        signal: leaving.signal,
      });
      const reading = asking.then((response) => response.body?.getReader().read());
      if (writes > 0) await reading;
      while (model.asked.length === 0) await sleep(5);
      leaving.abort();
      await reading.catch(() => undefined);
      expect(await model.asked[0]?.aborted).toBe(true);
      expect((await charged(gateway)).map(({ detail }) => detail)).toEqual([
        `${Math.ceil(JSON.stringify(CHAT).length / 4)} + ${tokens} tokens`,
      ]);
    }
  });

  it('leaves nothing of itself in the log or the database', async () => {
    const { gateway } = await enclave({ parts: EVENTS, usage: 'prompt=5,completion=7' });
    const { body, headers } = await sealBody(utf8ToBytes(JSON.stringify(CHAT)), ENCLAVE_KEYS.publicKey);
    const { text } = await ask(gateway, { headers, body });
    expect(text).not.toBe('');
    const tables = await gateway.gateway.db.introspection.getTables();
    const rows = await Promise.all(
      tables.map(({ name }) =>
        gateway.gateway.db
          .selectFrom(name as 'ledger')
          .selectAll()
          .execute(),
      ),
    );
    const kept = JSON.stringify(rows, (_key, value: unknown) =>
      value instanceof Uint8Array || value instanceof ArrayBuffer
        ? Buffer.from(value as Uint8Array).toString('hex')
        : value,
    );
    expect(kept).toContain('chat/sealed');
    for (const secret of [
      headers['Ehbp-Encapsulated-Key'] as string,
      Buffer.from(body).subarray(8, 40).toString('hex'),
      Buffer.from(body).subarray(8, 40).toString('base64'),
      NONCE,
    ])
      expect(kept).not.toContain(secret);
  });

  it('has errors that are encrypted handed on under their status, and charged nothing', async () => {
    const { gateway } = await enclave({
      parts: ['{"error":{"message":"no such model"}}'],
      status: 404,
      contentType: 'application/json',
    });
    const response = await (await theirClient(gateway))();
    expect([response.status, await response.text()]).toEqual([404, '{"error":{"message":"no such model"}}']);
    await sleep(50);
    expect(await gateway.charges()).toEqual([]);
  });

  it('to a key that the enclave has no more is told so in the form that clients know, charged nothing', async () => {
    const model = await scriptedModel(refuses(422, KEY_PROBLEM, { 'content-type': 'application/problem+json' }), [
      MODEL,
    ]);
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    await expect((await theirClient(gateway))()).rejects.toBeInstanceOf(KeyConfigMismatchError);
    const { status, headers, text } = await ask(gateway);
    expect([status, headers.get('content-type')]).toEqual([422, 'application/problem+json']);
    expect(JSON.parse(text)).toMatchObject({
      ...KEY_PROBLEM,
      code: 'EHBP_KEY_CONFIG',
      error: expect.stringContaining('does not have'),
    });
    expect(await gateway.charges()).toEqual([]);
  });
});

describe('an answer that is not what was asked', () => {
  it.each([
    ['in the clear', 200, 502, 'MODEL_ANSWER_INVALID'],
    ['that leads elsewhere', 302, 502, 'MODEL_ANSWER_INVALID'],
    ['of a credential that is not taken', 401, 503, 'MODEL_MISCONFIGURED'],
    ['of a server that is busy', 429, 503, 'MODEL_BUSY'],
    ['of a server that fails', 500, 503, 'MODEL_UNAVAILABLE'],
    ['that refuses', 400, 400, 'MODEL_REFUSED'],
  ])('%s is an error, and charged nothing', async (_what, said, status, code) => {
    const model = await scriptedModel(
      refuses(
        said,
        { choices: [], error: { message: 'in the clear' } },
        said === 302 ? { location: 'http://127.0.0.1:1/' } : {},
      ),
      [MODEL],
    );
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    const answer = await ask(gateway);
    expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([status, code]);
    expect(await gateway.charges()).toEqual([]);
  });

  it.each([null, '', 'ab', 'zz'.repeat(32)])('with the nonce %j is in the clear', async (nonce) => {
    const { gateway } = await enclave({ parts: EVENTS, nonce });
    expect((await ask(gateway)).status).toBe(502);
    expect(await gateway.charges()).toEqual([]);
  });

  it('that breaks off is charged what came, and the client sees that it is not whole', async () => {
    const { gateway } = await enclave({ parts: [...EVENTS, DONE], breaksAfter: 2 });
    await expect((await theirClient(gateway))().then((response) => response.text())).rejects.toThrow();
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 2 tokens$/);
  });

  it('that breaks off within its first frame is charged nothing, however long that says it is', async () => {
    const model = await scriptedModel(
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'ehbp-response-nonce': NONCE });
        response.write(Buffer.from('7fffffff00', 'hex'), () => setTimeout(() => response.destroy(), 20));
      },
      [MODEL],
    );
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    await expect((await theirClient(gateway))().then((response) => response.text())).rejects.toThrow();
    await sleep(100);
    expect(await gateway.charges()).toEqual([]);
  });

  it('that breaks off within a later frame is charged what came of that, not what it says it has', async () => {
    const model = await scriptedModel(
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'ehbp-response-nonce': NONCE });
        response.write(Buffer.concat([frameOf(new Uint8Array(40)), Buffer.from('7fffffff00', 'hex')]), () =>
          setTimeout(() => response.destroy(), 20),
        );
      },
      [MODEL],
    );
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    await expect((await theirClient(gateway))().then((response) => response.text())).rejects.toThrow();
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 2 tokens$/);
  });

  it('of more tokens than one completion can have, as where several were asked for, is not passed on, and charged what was held', async () => {
    const whole = completionText('Hello.', null);
    const { gateway } = await enclave({
      parts: [whole],
      contentType: 'application/json',
      usage: 'prompt=5,completion=201',
      usageIn: 'header',
    });
    const answer = await ask(gateway);
    expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([502, 'MODEL_ANSWER_INVALID']);
    expect(answer.text).toContain('charged');
    expect((await gateway.charges())[0]?.detail).toBe('5 + 201 tokens');
  });

  it('without end is broken off where one completion of the most would be over, and charged', async () => {
    const model = await scriptedModel(
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'ehbp-response-nonce': NONCE });
        const write = () =>
          void (response.destroyed || response.write(new Uint8Array(65_536), () => setImmediate(write)));
        write();
      },
      [MODEL],
    );
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    const { status, text } = await ask(gateway);
    expect([status, text]).toEqual([200, expect.stringMatching(/terminated|aborted/)]);
    expect(await model.asked[0]?.aborted).toBe(true);
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 1 tokens$/);
  });

  it('of another model than was named is charged at that one’s price, and where none is told at the dearest that the body can have named', async () => {
    for (const [told, amount, resource] of [
      [',model=sealed', 10 * 1_000 + 20 * 2_000, 'chat/sealed'],
      [',model=dear', 10 * 50_000 + 20 * 100_000, 'chat/dear'],
      [',model=unheard-of', 10 * 50_000 + 20 * 100_000, 'chat/sealed'],
      ['', 10 * 50_000 + 20 * 100_000, 'chat/sealed'],
    ] as const) {
      const { script } = answers({ parts: EVENTS, usage: `prompt=10,completion=20,total=30${told}` });
      const model = await scriptedModel(script, [MODEL, { id: 'dear', context_length: 1_000 }]);
      const gateway = await chatGateway({
        enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }],
        models: { dear: { prices: { inputUsdPerMillionTokens: '50', outputUsdPerMillionTokens: '100' } } },
      });
      await (await (await theirClient(gateway))()).text();
      expect((await gateway.charges()).map((charge) => [charge.amount, charge.resource])).toEqual([[amount, resource]]);
    }
  });

  it('of more frames than one completion of the most can have is broken off, and charged', async () => {
    const { gateway } = await enclave({ parts: Array.from({ length: 300 }, () => chunk('x')) });
    await expect((await theirClient(gateway))().then((response) => response.text())).rejects.toThrow();
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 265 tokens$/);
  });
});

describe('a request that is encrypted as a whole', () => {
  it.each([
    ['an invalid encapsulated key', { headers: { 'Ehbp-Encapsulated-Key': 'ab' } }, 400, 'EHBP_KEY'],
    [
      'the headers of encrypted messages beside it',
      { headers: { 'X-Service-TEE-Signing-Algo': 'ecdsa' } },
      400,
      'EHBP_KEY',
    ],
    ['no model', { headers: { 'x-service-tee-model': undefined } }, 400, 'EHBP_MODEL'],
    ['an unknown model', { headers: { 'x-service-tee-model': 'other' } }, 404, 'MODEL_NOT_FOUND'],
    ['a content type that cannot be read', { headers: { 'content-type': 'x' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['plain text', { body: JSON.stringify(CHAT) }, 400, 'EHBP_BODY'],
    ['more bytes than are read', { body: frameOf(new Uint8Array(5_000)) }, 413, 'BODY_TOO_LARGE'],
    ['nothing', { body: '' }, 400, 'EHBP_BODY'],
    ['empty frames', { body: new Uint8Array(8) }, 400, 'EHBP_BODY'],
    ['half a frame', { body: frameOf(new Uint8Array(40)).subarray(0, 30) }, 400, 'EHBP_BODY'],
    ['bytes after its frames', { body: Buffer.concat([frameOf(new Uint8Array(40)), Buffer.of(0)]) }, 400, 'EHBP_BODY'],
    ['no credential', { headers: { authorization: undefined } }, 402, undefined],
  ] as const)('with %s is refused, and nobody hears of it', async (_what, options, status, code) => {
    const { model, gateway } = await enclave({ parts: EVENTS }, { requestBytesMax: 4_096 });
    const answer = await ask(gateway, options as Parameters<typeof ask>[1]);
    expect([answer.status, (JSON.parse(answer.text) as { code?: string }).code]).toEqual([
      status,
      code ?? (JSON.parse(answer.text) as { code?: string }).code,
    ]);
    expect(model.asked).toEqual([]);
    expect(await gateway.charges()).toEqual([]);
  });

  it('for a model that takes other encryption is refused, and so is that for this one', async () => {
    const { script } = answers({ parts: EVENTS });
    const [other, own] = [await scriptedModel(script, [{ id: 'other' }]), await scriptedModel(script, [MODEL])];
    const gateway = await chatGateway({
      enclaveUpstreams: [
        { name: 'other', url: other.url },
        { name: 'own', url: own.url, encryption: 'ehbp' },
      ],
    });
    const answer = await ask(gateway, { headers: { 'x-service-tee-model': 'other' } });
    expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([400, 'E2EE_MODEL']);
    const key = `04${'ab'.repeat(64)}`;
    const { status, json } = await gateway.ask(CHAT, {
      headers: {
        'X-Service-TEE-Client-Pub-Key': key,
        'X-Service-TEE-Model-Pub-Key': key,
        'X-Service-TEE-Signing-Algo': 'ecdsa',
      },
    });
    expect([status, String(json.code)]).toEqual([400, expect.stringMatching(/^E2EE_/)]);
    expect([...other.asked, ...own.asked]).toEqual([]);
  });

  it('with a key for one model is refused where its body can name another of the server, and taken where the key is for all', async () => {
    const { script } = answers({ parts: EVENTS });
    const model = await scriptedModel(script, [MODEL, { id: 'other', context_length: 1_000 }]);
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    const allowing = async (models: string[]) => {
      await gateway.gateway.db
        .updateTable('api_keys')
        .set({ allow: JSON.stringify({ models }) })
        .execute();
      const { status, text } = await ask(gateway, { headers: { authorization: `Bearer ${gateway.key}` } });
      return [status, status === 200 ? null : (JSON.parse(text) as { code: string }).code];
    };
    expect(await allowing(['sealed'])).toEqual([403, 'API_KEY_NOT_ALLOWED']);
    expect(model.asked).toEqual([]);
    expect(await allowing(['sealed', 'other'])).toEqual([200, null]);
  });

  it('needs a balance that covers the longest answer, since nothing in it can be made shorter', async () => {
    const { model, gateway } = await enclave({ parts: EVENTS });
    const poor = await gateway.caller(100_000);
    const answer = await ask(gateway, { headers: { authorization: `Bearer ${poor}` } });
    expect(answer.status).toBe(402);
    expect(model.asked).toEqual([]);
  });

  it('is told of by GET /models', async () => {
    const { gateway } = await enclave({ parts: EVENTS });
    const { json } = await gateway.get('/models');
    expect(
      (json['data'] as { id: string; model_spec: { encryption?: string } }[]).map(
        ({ id, model_spec: { encryption } }) => [id, encryption],
      ),
    ).toEqual([['sealed', 'ehbp']]);
  });
});

describe('embeddings that are encrypted as a whole', () => {
  const VECTORS = '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}]}';
  const MODELS = [MODEL, { id: 'vectors', type: 'embedding' }, { id: 'dear-vectors', type: 'embedding' }];
  const PRICES = { vectors: { prices: { inputUsdPerMillionTokens: '0.01' } } };
  const DEAR = { 'dear-vectors': { prices: { inputUsdPerMillionTokens: '0.05' } } };

  async function stage(answer: Partial<Answer>, settings: Record<string, unknown> = {}) {
    const { script, read } = answers({
      parts: [VECTORS],
      contentType: 'application/json',
      usageIn: 'header',
      ...answer,
    });
    const server = await scriptedModel(script, MODELS);
    const enclaveUpstreams = [{ name: 'enclave', url: server.url, encryption: 'ehbp' }];
    const gateway = await chatGateway({ enclaveUpstreams, models: { ...PRICES, ...DEAR }, ...settings });
    const embed = (headers: Record<string, string> = {}) =>
      ask(gateway, { path: '/embeddings', headers: { 'x-service-tee-model': 'vectors', ...headers } });
    return { server, read, gateway, embed };
  }
  const BYTES = JSON.stringify(CHAT).length;

  it('are relayed byte for byte, and charged by the usage at the price of the model that it names', async () => {
    const { server, read, gateway, embed } = await stage({ usage: 'prompt=9,completion=0,total=9,model=vectors' });
    const { status, headers, text } = await embed();
    expect([status, headers.get('content-type'), headers.get('ehbp-response-nonce')]).toEqual([
      200,
      'application/json',
      NONCE,
    ]);
    expect([read, text.includes('embedding')]).toEqual([[JSON.stringify(CHAT)], false]);
    expect([server.asked[0]?.path, server.asked[0]?.headers['x-tinfoil-request-usage-metrics']]).toEqual([
      '/v1/embeddings',
      'true',
    ]);
    expect(await gateway.charges()).toEqual([{ amount: 90, detail: '9 tokens', resource: 'embeddings/vectors' }]);
  });

  it('are charged an estimate at the dearest price where no usage is told', async () => {
    const { gateway, embed } = await stage({});
    await embed();
    const tokens = Math.ceil(BYTES / 4);
    expect(await gateway.charges()).toEqual([
      { amount: tokens * 50, detail: `${tokens} tokens`, resource: 'embeddings/vectors' },
    ]);
  });

  it('are never charged more than was held: a token for each byte at the dearest price', async () => {
    const { gateway, embed } = await stage({ usage: 'prompt=9999999,completion=0' });
    await embed();
    expect((await gateway.charges())[0]?.amount).toBe((BYTES + 4 + 16) * 50);
  });

  it('with completion tokens are no embeddings: refused, and charged', async () => {
    const { gateway, embed } = await stage({ usage: 'prompt=5,completion=7' });
    const { status, text } = await embed();
    expect([status, JSON.parse(text)]).toMatchObject([502, { code: 'MODEL_ANSWER_INVALID' }]);
    expect(await gateway.charges()).toHaveLength(1);
  });

  it('may be as long as a whole answer, and are broken off beyond', async () => {
    const parts = ['x'.repeat(200_000)];
    const { embed } = await stage({ parts, usage: 'prompt=9,completion=0' });
    expect((await embed()).status).toBe(200);
    const small = await stage({ parts, usage: 'prompt=9,completion=0' }, { answerBytesMax: 100_000 });
    const { text } = await small.embed().catch((error: unknown) => ({ text: String(error) }));
    expect(text).toMatch(/terminated|aborted|fetch failed/);
  });

  it('are kept under an Idempotency-Key, and charged once', async () => {
    const { gateway, embed } = await stage({ usage: 'prompt=9,completion=0' });
    const sealed = await sealBody(utf8ToBytes(JSON.stringify(CHAT)), ENCLAVE_KEYS.publicKey);
    const headers = { ...sealed.headers, 'x-service-tee-model': 'vectors', 'idempotency-key': 'one' };
    const send = () => ask(gateway, { path: '/embeddings', headers, body: sealed.body });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect(await gateway.charges()).toHaveLength(1);
    expect((await embed()).status).toBe(200);
  });

  it.each([
    ['a model for chats', { 'x-service-tee-model': 'sealed' }, 404, 'MODEL_NOT_FOUND'],
    ['no model', { 'x-service-tee-model': '' }, 400, 'EHBP_MODEL'],
    ['the headers of another encryption', { 'x-e2e-stream': 'true' }, 400, 'EHBP_KEY'],
    ['an invalid key', { 'Ehbp-Encapsulated-Key': 'ab' }, 400, 'EHBP_KEY'],
  ])('are refused for %s, and nothing is sent', async (_name, headers, status, code) => {
    const { server, gateway, embed } = await stage({});
    const answer = await embed(headers as Record<string, string>);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }]);
    expect([server.asked, await gateway.charges()]).toEqual([[], []]);
  });

  it('and chats do not serve each other’s models, and each list has its own', async () => {
    const { gateway } = await stage({});
    expect((await ask(gateway, { headers: { 'x-service-tee-model': 'vectors' } })).status).toBe(404);
    const ids = async (type: string) =>
      ((await gateway.get(`/models?type=${type}`)).json as { data: { id: string }[] }).data.map(({ id }) => id);
    expect([await ids('text'), await ids('embedding')]).toEqual([['sealed'], ['dear-vectors', 'vectors']]);
  });

  it('are of the models that the operator names, where the server’s list does not say what they are', async () => {
    const { script } = answers({ parts: [VECTORS] });
    const server = await scriptedModel(script, [MODEL, { id: 'vectors' }]);
    const gateway = await chatGateway({
      enclaveUpstreams: [{ name: 'enclave', url: server.url, encryption: 'ehbp' }],
      models: { vectors: { type: 'embedding' } },
    });
    expect((await gateway.get('/models?type=embedding')).json).toMatchObject({ data: [{ id: 'vectors' }] });
  });
});
