import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { generateMlKemKeyPair } from '@/lib/protocol/e2ee/ml-kem/pieces';
import { AnswerSealer, eventOf, openBody, sealWholeAnswer } from '@/lib/protocol/e2ee/ml-kem/recipient';
import { AnswerOpener, sealBody } from '@/lib/protocol/e2ee/ml-kem/sender';
import { charged, chatGateway, type ChatGateway } from '@/test/chat-gateway';
import { chunk, completionText, DONE, scriptedModel } from '@/test/scripted-model';
import { serve } from '@/test/test-gateway';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const INSTANCE = generateMlKemKeyPair();
const CHUTE = '0f4ca714-b8e5-4cbb-a3f4-69908b959dbb';
const CHAT = { model: 'sealed', stream: true, messages: [{ role: 'user', content: 'what nobody else may read' }] };
const MODEL = { id: 'sealed', chute_id: CHUTE, context_length: 1_000, max_completion_tokens: 200 };
const EVENTS = [chunk('Hello, whoever'), chunk('lo.')];

interface Invoked {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Control {
  origin: string;
  invoked: Invoked[];
  /** Number of requests for the list of instances. */
  lists: number;
  nonces: string[];
}

type Script = (invoked: Invoked, response: ServerResponse, count: number) => void | Promise<void>;

/** Serves Chutes' API for one instance. The test scripts its answers. */
async function controlServer(script: Script): Promise<Control> {
  const control: Control = { origin: '', invoked: [], lists: 0, nonces: [] };
  const { origin } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (part: Buffer) => chunks.push(part));
    request.on('end', () => {
      if (request.url === `/e2e/instances/${CHUTE}`) {
        const nonces = [0, 1, 2, 3].map((index) => `nonce-${control.lists}-${index}`);
        control.lists++;
        control.nonces.push(...nonces);
        return void response.end(
          JSON.stringify({
            instances: [
              { instance_id: 'instance-1', e2e_pubkey: Buffer.from(INSTANCE.publicKey).toString('base64'), nonces },
            ],
            nonce_expires_in: 60,
          }),
        );
      }
      const invoked = { headers: request.headers, body: Buffer.concat(chunks) };
      control.invoked.push(invoked);
      void script(invoked, response, control.invoked.length);
    });
  });
  return Object.assign(control, { origin });
}

interface Answer {
  parts?: readonly string[];
  /** Unencrypted text that follows the parts. */
  after?: string;
  breaksAfter?: number;
}

/** Decrypts what was encrypted to the instance, and answers with the given events. */
function answers({ parts = EVENTS, after = DONE, breaksAfter = Infinity }: Answer = {}, read: unknown[] = []): Script {
  return async ({ headers, body }, response) => {
    const { request, answerKey } = await openBody(body, INSTANCE.secretKey, 1_000_000);
    read.push(request);
    if (headers['x-e2e-stream'] !== 'true')
      return void response
        .writeHead(200, { 'content-type': 'application/octet-stream' })
        .end(sealWholeAnswer(completionText('Hello.', null), answerKey));
    const sealer = new AnswerSealer(answerKey);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sealer.beginning);
    await sleep(5);
    for (const [index, part] of parts.entries()) {
      if (index >= breaksAfter) return void response.destroy();
      response.write(sealer.piece(part));
      await sleep(1);
    }
    response.end(after);
  };
}

async function gatewayOver(script: Script, settings: Record<string, unknown> = {}) {
  const [control, model] = [await controlServer(script), await scriptedModel(() => undefined, [MODEL])];
  const gateway = await chatGateway({
    enclaveUpstreams: [
      {
        name: 'chutes',
        url: model.url,
        controlUrl: `${control.origin}/`,
        encryption: 'ml-kem-768',
        key: 'upstream-secret',
      },
    ],
    ...settings,
  });
  return { control, model, gateway };
}

async function ask(
  { origin, key }: ChatGateway,
  {
    headers = {},
    body,
    stream = true,
    signal,
  }: {
    headers?: Record<string, string | undefined>;
    body?: Uint8Array | string;
    stream?: boolean;
    signal?: AbortSignal;
  } = {},
) {
  const sealed = sealBody({ ...CHAT, stream }, INSTANCE.publicKey);
  const all: Record<string, string | undefined> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/octet-stream',
    'x-service-tee-model': 'sealed',
    'x-service-tee-instance': 'instance-1',
    'x-e2e-stream': String(stream),
    ...headers,
  };
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined),
    body: (body ?? sealed.body) as BodyInit,
    ...(signal && { signal }),
  });
  const bytes = await response.arrayBuffer().then(
    (buffer) => Buffer.from(buffer),
    (error: unknown) => Buffer.from(String(error)),
  );
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text: bytes.toString(),
    secretKey: sealed.secretKey,
    body: sealed.body,
  };
}

const codeOf = (text: string) => (JSON.parse(text) as { code: string }).code;

const usage = (prompt: number, completion: number) =>
  eventOf({ usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } });
/** A quarter of the request's bytes, not counting its keys. */
const estimateOf = (body: Uint8Array) => Math.ceil((body.length - 1_116 - 1_604) / 4);
const ESTIMATED_PROMPT = estimateOf(sealBody(CHAT, INSTANCE.publicKey).body);

describe('a chat that is encrypted to an instance', () => {
  it('goes to it with a nonce of its own, and is charged what stands in the clear of the answer', async () => {
    const read: unknown[] = [];
    const { control, model, gateway } = await gatewayOver(answers({ after: usage(67, 42) + DONE }, read));
    const { status, headers, bytes, secretKey, body } = await ask(gateway);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(
      new AnswerOpener(secretKey)
        .push(bytes)
        .map((part) => Buffer.from(part).toString())
        .join(''),
    ).toContain(EVENTS[1]);
    expect(read).toEqual([CHAT]);
    expect(control.invoked[0]?.headers).toMatchObject({
      authorization: 'Bearer upstream-secret',
      'content-type': 'application/octet-stream',
      'x-chute-id': CHUTE,
      'x-instance-id': 'instance-1',
      'x-e2e-nonce': 'nonce-0-0',
      'x-e2e-stream': 'true',
      'x-e2e-path': '/v1/chat/completions',
    });
    expect(control.invoked[0]?.body.equals(body)).toBe(true);
    expect(model.asked).toEqual([]);
    expect(await gateway.charges()).toEqual([
      { amount: 67 * 1_000 + 42 * 2_000, detail: '67 + 42 tokens', resource: 'chat/sealed' },
    ]);
  });

  it('is relayed byte for byte, and its plain text is nowhere in it', async () => {
    const sent: Buffer[] = [];
    const script = answers();
    const { control, gateway } = await gatewayOver((invoked, response, count) => {
      const write = response.write.bind(response) as (part: string) => boolean;
      response.write = ((part: string) => (sent.push(Buffer.from(part)), write(part))) as typeof response.write;
      return script(invoked, response, count);
    });
    const { bytes } = await ask(gateway);
    expect(bytes.toString()).toBe(Buffer.concat(sent).toString() + DONE);
    for (const plain of ['content', 'whoever', 'nobody'])
      expect(bytes.toString() + (control.invoked[0]?.body.toString('latin1') ?? '')).not.toContain(plain);
  });

  it('that is not streamed is charged an estimate, since nothing of it is told', async () => {
    const { gateway } = await gatewayOver(answers());
    const { status, headers, bytes, body } = await ask(gateway, { stream: false });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    expect((await gateway.charges())[0]?.detail).toBe(
      `${estimateOf(body)} + ${Math.ceil((bytes.length - 1_116) / 4)} tokens`,
    );
  });

  it.each(['', eventOf({ usage: { prompt_tokens: -1, completion_tokens: 1 } }), eventOf({ usage: {} })])(
    'is charged the estimate of its pieces where the usage is %j',
    async (after) => {
      const { gateway } = await gatewayOver(answers({ after: after + DONE }));
      await ask(gateway);
      expect((await gateway.charges())[0]?.detail).toBe(`${ESTIMATED_PROMPT} + 2 tokens`);
    },
  );

  it.each([
    ['nothing at all', 0, 0, `${ESTIMATED_PROMPT} + 2 tokens`],
    ['no completion', 7, 0, '7 + 2 tokens'],
    ['no prompt', 0, 9, `${ESTIMATED_PROMPT} + 9 tokens`],
  ])('is charged an estimate beside its pieces where the usage is of %s', async (_what, prompt, completion, detail) => {
    const { gateway } = await gatewayOver(answers({ after: usage(prompt, completion) + DONE }));
    await ask(gateway);
    expect((await gateway.charges())[0]?.detail).toBe(detail);
  });

  it('is held at a full context and the longest answer, however short it is, and never charged more', async () => {
    const { gateway } = await gatewayOver(answers({ after: usage(999_999, 999_999) + DONE }));
    await ask(gateway);
    expect((await gateway.charges())[0]?.amount).toBe(1_000 * 1_000 + 200 * 2_000);
    const poor = await gateway.caller(1_000 * 1_000 + 200 * 2_000 - 1);
    expect((await ask({ ...gateway, key: poor })).status).toBe(402);
  });

  it('uses a nonce once, and asks for others when these are used', async () => {
    const { control, gateway } = await gatewayOver(answers());
    for (let i = 0; i < 6; i++) expect((await ask(gateway)).status).toBe(200);
    const used = control.invoked.map(({ headers }) => headers['x-e2e-nonce']);
    expect([new Set(used).size, control.lists]).toEqual([6, 2]);
  });

  it('takes another nonce where one was refused, and has the model asked once', async () => {
    const read: unknown[] = [];
    const script = answers({}, read);
    const { control, gateway } = await gatewayOver((invoked, response, count) =>
      count === 1
        ? void response.writeHead(403).end('{"detail":"Invalid, expired, or already-used nonce"}')
        : script(invoked, response, count),
    );
    expect((await ask(gateway)).status).toBe(200);
    expect([control.invoked.map(({ headers }) => headers['x-e2e-nonce']), read.length]).toEqual([
      ['nonce-0-0', 'nonce-0-1'],
      1,
    ]);
    expect(await gateway.charges()).toHaveLength(1);
  });

  it('is given up after a few refused nonces, charged nothing', async () => {
    const { control, gateway } = await gatewayOver(
      (_invoked, response) => void response.writeHead(403).end('{"detail":"no"}'),
    );
    const { status, text } = await ask(gateway);
    expect([status, codeOf(text), control.invoked.length]).toEqual([503, 'MODEL_MISCONFIGURED', 3]);
    expect(await gateway.charges()).toEqual([]);
  });

  it('pays for its prompt where it is left before the answer', async () => {
    const { control, gateway } = await gatewayOver(() => undefined);
    const leaving = new AbortController();
    const asking = ask(gateway, { signal: leaving.signal }).catch(() => undefined);
    while (control.invoked.length === 0) await sleep(5);
    leaving.abort();
    await asking;
    expect((await charged(gateway)).map(({ detail }) => detail)).toEqual([`${ESTIMATED_PROMPT} + 0 tokens`]);
  });

  it('leaves nothing of itself in the database', async () => {
    const { gateway } = await gatewayOver(answers({ after: usage(5, 7) + DONE }));
    const { body } = await ask(gateway);
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
      Buffer.from(body).subarray(8, 40).toString('hex'),
      Buffer.from(body).subarray(8, 40).toString('base64'),
      'nonce-0-0',
      'instance-1',
    ])
      expect(kept).not.toContain(secret);
  });
});

describe('an answer of an instance that is not what was asked', () => {
  it.each([
    ['in the clear', 200, 'application/json', 502, 'MODEL_ANSWER_INVALID'],
    ['that is not streamed', 200, 'application/octet-stream', 502, 'MODEL_ANSWER_INVALID'],
    ['that leads elsewhere', 302, 'text/plain', 502, 'MODEL_ANSWER_INVALID'],
    ['of a credential that is not taken', 401, 'application/json', 503, 'MODEL_MISCONFIGURED'],
    ['of an instance that is not there', 404, 'application/json', 422, 'E2EE_INSTANCE_GONE'],
    ['of an instance that is gone', 410, 'application/json', 422, 'E2EE_INSTANCE_GONE'],
    ['of an instance that is full', 429, 'application/json', 503, 'MODEL_BUSY'],
    ['of a server that fails', 500, 'application/json', 503, 'MODEL_UNAVAILABLE'],
    ['of an instance that wants other keys', 502, 'application/json', 503, 'MODEL_UNAVAILABLE'],
    ['that refuses', 400, 'application/json', 400, 'MODEL_REFUSED'],
  ])('%s is an error, and charged nothing', async (_what, said, contentType, status, code) => {
    const { gateway } = await gatewayOver(
      (_invoked, response) =>
        void response.writeHead(said, { 'content-type': contentType }).end('{"detail":"in the clear"}'),
    );
    const answer = await ask(gateway);
    expect([answer.status, codeOf(answer.text)]).toEqual([status, code]);
    expect(await gateway.charges()).toEqual([]);
  });

  it('with words in the clear within is broken off before them', async () => {
    const { gateway } = await gatewayOver(answers({ after: chunk('Trust me.') + DONE }));
    const { text } = await ask(gateway);
    expect(text).not.toContain('Trust');
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 2 tokens$/);
  });

  it('that breaks off is charged what came; before its first piece nothing', async () => {
    for (const [breaksAfter, tokens] of [
      [1, 1],
      [0, null],
    ] as const) {
      const { gateway } = await gatewayOver(answers({ breaksAfter }));
      expect((await ask(gateway)).text).toMatch(/terminated|aborted|closed/);
      if (tokens === null) await sleep(100);
      expect((await (tokens === null ? gateway.charges() : charged(gateway))).map(({ detail }) => detail)).toEqual(
        tokens === null ? [] : [`${ESTIMATED_PROMPT} + ${tokens} tokens`],
      );
    }
  });

  it('that says that it failed before its first piece is handed on, and charged nothing', async () => {
    const { gateway } = await gatewayOver(
      answers({ parts: [], after: eventOf({ e2e_error: { message: 'out of memory' } }) + DONE }),
    );
    expect((await ask(gateway)).text).toContain('out of memory');
    await sleep(100);
    expect(await gateway.charges()).toEqual([]);
  });

  it('of more pieces than one completion of the most can have is broken off, and charged', async () => {
    const { gateway } = await gatewayOver(answers({ parts: Array.from({ length: 300 }, () => chunk('x')) }));
    expect((await ask(gateway)).text).toMatch(/terminated|aborted|closed/);
    expect((await charged(gateway))[0]?.detail).toMatch(/ \+ 265 tokens$/);
  });
});

describe('a request that is encrypted to an instance', () => {
  it.each([
    ['no name of an instance that can be one', { headers: { 'x-service-tee-instance': 'a b' } }, 400, 'E2EE_INSTANCE'],
    ['an empty one', { headers: { 'x-service-tee-instance': '' } }, 400, 'E2EE_INSTANCE'],
    ['no word on streaming that is one', { headers: { 'x-e2e-stream': 'yes' } }, 400, 'E2EE_INSTANCE'],
    [
      'the headers of encrypted messages beside it',
      { headers: { 'x-service-tee-signing-algo': 'ecdsa' } },
      400,
      'E2EE_INSTANCE',
    ],
    ['another instance under its other name', { headers: { 'x-instance-id': 'other' } }, 400, 'E2EE_INSTANCE'],
    ['a nonce of its own', { headers: { 'x-e2e-nonce': 'ab' } }, 400, 'E2EE_INSTANCE'],
    ['the model under the name of another API', { headers: { 'x-chute-id': 'ab' } }, 400, 'E2EE_INSTANCE'],
    ['no model', { headers: { 'x-service-tee-model': undefined } }, 400, 'EHBP_MODEL'],
    ['an unknown model', { headers: { 'x-service-tee-model': 'other' } }, 404, 'MODEL_NOT_FOUND'],
    ['an unknown instance', { headers: { 'x-service-tee-instance': 'other' } }, 422, 'E2EE_INSTANCE_GONE'],
    ['a content type that cannot be read', { headers: { 'content-type': 'x' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['plain text', { body: JSON.stringify(CHAT) }, 400, 'E2EE_BODY'],
    ['nothing', { body: '' }, 400, 'E2EE_BODY'],
    ['an envelope without anything in it', { body: new Uint8Array(1_116) }, 400, 'E2EE_BODY'],
    ['more bytes than are read', { body: new Uint8Array(5_000) }, 413, 'BODY_TOO_LARGE'],
  ] as const)('with %s is refused, and no instance hears of it', async (_what, options, status, code) => {
    const { control, gateway } = await gatewayOver(answers(), { requestBytesMax: 4_096 });
    const answer = await ask(gateway, options as Parameters<typeof ask>[1]);
    expect([answer.status, codeOf(answer.text)]).toEqual([status, code]);
    expect(control.invoked).toEqual([]);
    expect(await gateway.charges()).toEqual([]);
  });

  it('in another way than its model takes is refused, and so are encrypted messages', async () => {
    const { control, gateway } = await gatewayOver(answers());
    const framed = await ask(gateway, {
      headers: { 'x-service-tee-instance': undefined, 'ehbp-encapsulated-key': 'ab'.repeat(32) },
      body: Buffer.concat([Buffer.from('00000020', 'hex'), new Uint8Array(32)]),
    });
    expect([framed.status, codeOf(framed.text)]).toEqual([400, 'E2EE_MODEL']);
    const key = Buffer.from(generateE2eeKeyPair().publicKey).toString('hex');
    const messages = await gateway.ask(CHAT, {
      headers: {
        'x-service-tee-client-pub-key': key,
        'x-service-tee-model-pub-key': key,
        'x-service-tee-signing-algo': 'ecdsa',
      },
    });
    expect([messages.status, messages.json.code]).toEqual([400, 'E2EE_MODEL']);
    expect(control.invoked).toEqual([]);
  });
});

it('lists of models say how their instances are encrypted to', async () => {
  const { gateway } = await gatewayOver(answers());
  const { json } = await gateway.get('/models');
  expect((json['data'] as { model_spec: { encryption: string } }[])[0]?.model_spec.encryption).toBe('ml-kem-768');
});
