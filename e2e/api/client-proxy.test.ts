/**
 * @not next: turnpike-client.test.ts and private-chat.test.ts send the same requests through Next.
 * @not postgres: charges are the same as for other calls. chat.test.ts and x402.test.ts check them on Postgres.
 */
import { request as httpRequest } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText } from 'ai';
import { JsonRpcProvider } from 'ethers';
import OpenAI from 'openai';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { type RunningProxyCommand, runCommand, startProxyCommand } from './harness/command-line';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type Meddler, startMeddler } from './harness/meddler';
import type { Caller } from './harness/operator';
import { startSandboxGateway } from './harness/sandbox-gateway';

/**
 * `turnpike-client proxy` with a whole gateway: unmodified programs, accepted and refused callers, and its accounts.
 */

const SECRET_WORDS = 'How does staking work?';
const messages = [{ role: 'user' as const, content: SECRET_WORDS }];
const MODEL = 'e2ee-guide';

let gateway: GatewayUnderTest;
let meddler: Meddler;
let caller: Caller;
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
  meddler = await startMeddler(gateway.url);
  caller = await gateway.operator.createCaller({ usd: '5' });
}, 120_000);
afterEach(() => {
  meddler.change = null;
  meddler.asked.length = 0;
});
afterAll(async () => {
  await meddler?.close();
  await gateway?.stop();
});

const keyed = () => ({ TURNPIKE_URL: meddler.url, TURNPIKE_API_KEY: caller.key });
const chatsSent = () => meddler.asked.filter(({ path }) => path === '/api/v1/chat/completions');
const openaiOf = ({ url, token }: RunningProxyCommand) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });

describe('programs that know nothing of it are private', () => {
  let proxy: RunningProxyCommand;
  beforeAll(async () => {
    proxy = await startProxyCommand(['--allow-simulated'], keyed());
  });
  afterAll(() => proxy?.stop());
  /** Expects that every chat reached the gateway as ciphertext, and that each answer was proven. */
  const expectPrivate = async (chats: number) => {
    expect(chatsSent()).toHaveLength(chats);
    expect(
      chatsSent()
        .map(({ body }) => body)
        .join(),
    ).not.toMatch(/staking work|Be brief/);
    expect(
      (await proxy.heard('signature', signaturesBefore + chats)).slice(signaturesBefore).map(({ outcome }) => outcome),
    ).toEqual(Array(chats).fill('verified'));
  };
  let signaturesBefore = 0;
  beforeEach(() => {
    signaturesBefore = proxy.told('signature').length;
  });

  test('the OpenAI SDK: chats whole and streamed, under one attestation', async () => {
    const openai = openaiOf(proxy);
    const whole = await openai.chat.completions.create({ model: MODEL, messages, max_tokens: 200 });
    expect(whole.choices[0]?.message.content).toMatch(/stak/i);
    expect(whole.usage?.total_tokens).toBeGreaterThan(10);
    let text = '';
    for await (const { choices } of await openai.chat.completions.create({ model: MODEL, messages, stream: true }))
      text += choices[0]?.delta.content ?? '';
    expect(text).toMatch(/stak/i);
    await expectPrivate(2);
    expect(proxy.told('attested')).toMatchObject([{ model: MODEL, verdict: 'simulated' }]);
  });

  test('the OpenAI SDK: the Responses API whole and streamed', async () => {
    const openai = openaiOf(proxy);
    const whole = await openai.responses.create({
      model: MODEL,
      instructions: 'Be brief.',
      input: SECRET_WORDS,
      max_output_tokens: 300,
    });
    expect(whole).toMatchObject({ status: 'completed', object: 'response' });
    expect(whole.output_text).toMatch(/stak/i);
    expect(whole.usage?.input_tokens).toBeGreaterThan(3);
    const stream = openai.responses.stream({ model: MODEL, input: [{ role: 'user', content: SECRET_WORDS }] });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => (text += delta));
    const final = await stream.finalResponse();
    expect(final.output).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text }] }]);
    expect(text).toMatch(/stak/i);
    await expectPrivate(2);
  });

  test('the Anthropic SDK: messages whole and streamed', async () => {
    const anthropic = new Anthropic({ baseURL: proxy.url, apiKey: proxy.token, maxRetries: 0 });
    const request = {
      model: MODEL,
      max_tokens: 300,
      system: 'Be brief.',
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: SECRET_WORDS }] }],
    };
    const whole = await anthropic.messages.create(request);
    expect(whole).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: MODEL,
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: expect.stringMatching(/stak/i) as string }],
    });
    expect(whole.usage.output_tokens).toBeGreaterThan(10);
    const stream = anthropic.messages.stream(request);
    const [text, final] = [await stream.finalText(), await stream.finalMessage()];
    expect(text).toMatch(/stak/i);
    expect(final).toMatchObject({ stop_reason: 'end_turn', usage: { output_tokens: whole.usage.output_tokens } });
    await expectPrivate(2);
  });

  test('the AI SDK’s provider, whole and streamed', async () => {
    const model = createOpenAICompatible({ name: 'proxy', baseURL: `${proxy.url}/v1`, apiKey: proxy.token })(MODEL);
    expect((await generateText({ model, prompt: SECRET_WORDS, maxRetries: 0 })).text).toMatch(/stak/i);
    expect(await streamText({ model, prompt: SECRET_WORDS, maxRetries: 0 }).text).toMatch(/stak/i);
    await expectPrivate(2);
  });

  test('LangChain, whole and streamed', async () => {
    const model = new ChatOpenAI({
      model: MODEL,
      apiKey: proxy.token,
      maxRetries: 0,
      configuration: { baseURL: `${proxy.url}/v1` },
    });
    expect(String((await model.invoke(SECRET_WORDS)).content)).toMatch(/stak/i);
    let text = '';
    for await (const part of await model.stream(SECRET_WORDS)) text += String(part.content);
    expect(text).toMatch(/stak/i);
    await expectPrivate(2);
  });

  test('Python’s openai, by what it sends', async () => {
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate',
      'content-type': 'application/json',
      'user-agent': 'OpenAI/Python 2.8.0',
      'x-stainless-arch': 'x64',
      'x-stainless-async': 'false',
      'x-stainless-lang': 'python',
      'x-stainless-os': 'Linux',
      'x-stainless-package-version': '2.8.0',
      'x-stainless-read-timeout': '600',
      'x-stainless-retry-count': '0',
      'x-stainless-runtime': 'CPython',
      'x-stainless-runtime-version': '3.12.3',
      authorization: `Bearer ${proxy.token}`,
    };
    const whole = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ messages, model: MODEL }),
    });
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(whole.headers.get('x-request-id')).toMatch(/./);
    expect(((await whole.json()) as OpenAI.ChatCompletion).choices[0]?.message.content).toMatch(/stak/i);
    const streamed = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ messages, model: MODEL, stream: true, stream_options: { include_usage: true } }),
    });
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = (await streamed.text()).split('\n\n').filter(Boolean);
    expect(events.at(-1)).toBe('data: [DONE]');
    expect(JSON.parse(events.at(-2)?.slice(6) ?? '')).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) as number },
    });
    await expectPrivate(2);
  });

  test('beside chats it has models, embeddings, pictures, speech and chains', async () => {
    const openai = openaiOf(proxy);
    expect((await openai.models.list()).data.map(({ id }) => id)).toContain(MODEL);
    const speech = await openai.audio.speech.create({
      model: 'tts-kokoro',
      voice: 'af_sky',
      input: 'A toll.',
      response_format: 'mp3',
    });
    expect((await speech.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    const vectors = await openai.embeddings.create({ model: 'stand-in-embedding', input: ['A toll.', 'A road.'] });
    expect(vectors.data.map(({ embedding }) => embedding.length)).toEqual([1_024, 1_024]);
    const pictures = await openai.images.generate({ model: 'stand-in-image', prompt: 'A road', size: '512x512' });
    expect(pictures.data?.[0]?.b64_json?.length).toBeGreaterThan(1_000);
    const picture = await fetch(`${proxy.url}/v1/image/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${proxy.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'stand-in-image',
        prompt: 'A road',
        width: 512,
        height: 512,
        return_binary: true,
      }),
    });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
    const client = createPublicClient({
      chain: mainnet,
      transport: http(`${proxy.url}/${proxy.token}/rpc/ethereum-mainnet`, { retryCount: 0 }),
    });
    expect(await client.getChainId()).toBe(1);
    const provider = new JsonRpcProvider(`${proxy.url}/${proxy.token}/rpc/ethereum-mainnet`);
    expect((await provider.getNetwork()).chainId).toBe(1n);
    provider.destroy();
  });

  test('embeddings are encrypted for models that accept it: the gateway never sees a text', async () => {
    const ask = (model: string) => openaiOf(proxy).embeddings.create({ model, input: ['A toll.', 'A road.'] });
    const [sealed, plain] = [await ask('tinfoil-embedding'), await ask('stand-in-embedding')];
    expect(sealed.data).toEqual(plain.data);
    const sent = meddler.asked.filter(({ path }) => path === '/api/v1/embeddings');
    expect(sent.map(({ body }) => body.includes('A toll'))).toEqual([false, true]);
    const refused = openaiOf(proxy).embeddings.create({ model: 'tinfoil-embedding', input: '' });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('not valid') as string });
  });

  test.each([
    [
      'tools',
      { tools: [{ type: 'function' as const, function: { name: 'look' } }] },
      /"tools" would be sent unencrypted.*--privacy attested/,
    ],
    ['a model that takes no encryption', { model: 'guide' }, /does not support encrypted chats/],
  ])('refuses %s with what to do, and sends nothing', async (_, changed, sentence) => {
    await expect(
      openaiOf(proxy).chat.completions.create({ model: MODEL, messages, ...changed } as never),
    ).rejects.toMatchObject({ status: 403, message: expect.stringMatching(sentence) as string });
    expect(chatsSent()).toEqual([]);
    expect(proxy.told('call').at(-1)).toMatchObject({
      status: 403,
      costUsd: null,
      problem: expect.stringMatching(sentence) as string,
    });
  });
});

describe('where something is tampered with it refuses, with the reason on its terminal', () => {
  const withProxy = async (args: readonly string[], run: (proxy: RunningProxyCommand) => Promise<void>) => {
    const proxy = await startProxyCommand(['--allow-simulated', ...args], keyed());
    try {
      await run(proxy);
    } finally {
      await proxy.stop();
    }
  };
  /** Changes a byte in the middle of a report's or signature's longest text, which is the quote or the signer. */
  const otherQuote = (text: string) =>
    text.replace(
      /"(intel_quote|quote)":"([^"]{200})(.)/,
      (_, name: string, before: string, digit: string) => `"${name}":"${before}${digit === 'a' ? 'b' : 'a'}`,
    );
  const otherSignature = (text: string) =>
    text.replace(
      /("signature":"(?:0x)?[0-9a-f]{40})(.)/,
      (_, before: string, digit: string) => before + (digit === 'a' ? 'b' : 'a'),
    );
  const meddle = (changed: string, change: (text: string) => string) => (path: string, text: string) => {
    if (!path.startsWith(changed)) return text;
    const other = change(text);
    expect(other).not.toBe(text);
    return other;
  };
  const plainWords = (text: string) => text.replace('stak', 'sink');

  test.each(['encrypted', 'attested'])('the report, before anything is sent (%s)', async (privacy) => {
    await withProxy(['--privacy', privacy], async (proxy) => {
      meddler.change = meddle('/api/v1/tee/attestation', otherQuote);
      await expect(openaiOf(proxy).chat.completions.create({ model: MODEL, messages })).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('TEE attestation verification failed') as string,
      });
      expect(chatsSent()).toEqual([]);
      expect(await proxy.heard('call', 1)).toMatchObject([
        { status: 403, problem: expect.stringContaining('TEE attestation verification failed') as string },
      ]);
    });
  });

  test.each(['encrypted', 'attested'])(
    'the signature, whole: no word of the answer is handed on (%s)',
    async (privacy) => {
      await withProxy(['--privacy', privacy], async (proxy) => {
        meddler.change = meddle('/api/v1/tee/signature', otherSignature);
        await expect(openaiOf(proxy).chat.completions.create({ model: MODEL, messages })).rejects.toMatchObject({
          status: 403,
          message: expect.stringContaining('The signature of the reply is not valid') as string,
        });
        expect(await proxy.heard('signature', 1)).toMatchObject([{ outcome: 'invalid' }]);
        expect(await proxy.heard('call', 1)).toMatchObject([
          { status: 403, problem: expect.stringContaining('signature') as string },
        ]);
      });
    },
  );

  test.each([
    ['encrypted', 'chat'],
    ['attested', 'chat'],
    ['encrypted', 'responses'],
    ['encrypted', 'messages'],
  ])('the signature, streamed: the stream ends with the error, as its SDK tells it (%s, %s)', async (privacy, api) => {
    await withProxy(['--privacy', privacy], async (proxy) => {
      meddler.change = meddle('/api/v1/tee/signature', otherSignature);
      const read = async () => {
        if (api === 'messages')
          return void (await new Anthropic({ baseURL: proxy.url, apiKey: proxy.token, maxRetries: 0 }).messages
            .stream({ model: MODEL, max_tokens: 200, messages })
            .finalText());
        if (api === 'responses')
          return void (await openaiOf(proxy).responses.stream({ model: MODEL, input: SECRET_WORDS }).finalResponse());
        for await (const _part of await openaiOf(proxy).chat.completions.create({
          model: MODEL,
          messages,
          stream: true,
        }));
      };
      await expect(read()).rejects.toThrow(/The signature of the reply is not valid/);
      expect(await proxy.heard('call', 1)).toMatchObject([
        { status: 200, problem: expect.stringContaining('The signature of the reply is not valid') as string },
      ]);
    });
  });

  test('the answer of a model that is attested, and not encrypted', async () => {
    await withProxy(['--privacy', 'attested'], async (proxy) => {
      const openai = openaiOf(proxy);
      expect(
        (await openai.chat.completions.create({ model: 'tee-guide', messages })).choices[0]?.message.content,
      ).toMatch(/stak/i);
      meddler.change = meddle('/api/v1/chat/completions', plainWords);
      await expect(openai.chat.completions.create({ model: 'tee-guide', messages })).rejects.toThrow(
        /signature of the reply is not valid/,
      );
    });
  });

  test('a model whose enclave attested no key to sign with, before anything is sent or paid for', async () => {
    await withProxy(['--privacy', 'attested'], async (proxy) => {
      await expect(openaiOf(proxy).chat.completions.create({ model: 'chutes-guide', messages })).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('The answers of this model could not be verified') as string,
      });
      expect(chatsSent()).toEqual([]);
      expect(await proxy.heard('call', 1)).toMatchObject([{ status: 403, costUsd: null }]);
    });
  });

  test('an enclave that is only a simulator, where nobody allowed one', async () => {
    const proxy = await startProxyCommand([], keyed());
    await expect(openaiOf(proxy).chat.completions.create({ model: MODEL, messages })).rejects.toMatchObject({
      status: 403,
    });
    expect(chatsSent()).toEqual([]);
    const embeddings = openaiOf(proxy).embeddings.create({ model: 'tinfoil-embedding', input: 'A toll.' });
    await expect(embeddings).rejects.toMatchObject({ status: 403 });
    await proxy.stop();
  });
});

describe('it answers nobody but who holds its token', () => {
  let proxy: RunningProxyCommand;
  beforeAll(async () => {
    proxy = await startProxyCommand(['--privacy', 'plain'], keyed());
  });
  afterAll(() => proxy?.stop());

  /** Sends a request with this Host header, which fetch cannot set. */
  function ask(
    headers: Record<string, string | undefined>,
    path = '/v1/models',
    method = 'GET',
  ): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port: proxy.port,
          path,
          method,
          headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
        },
        (response) => {
          let text = '';
          response.on('data', (part: Buffer) => (text += part.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
        },
      );
      request.on('error', reject);
      request.end();
    });
  }
  const right = () => ({ authorization: `Bearer ${proxy.token}` });

  test('as a Bearer, as x-api-key, and in the path', async () => {
    expect((await ask(right())).status).toBe(200);
    expect((await ask({ 'x-api-key': proxy.token })).status).toBe(200);
    expect((await ask({}, `/${proxy.token}/v1/models`)).status).toBe(200);
    expect((await ask({ ...right(), host: `localhost:${proxy.port}` })).status).toBe(200);
  });

  test('a program without it, or with a part of it: 401 with a sentence', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': proxy.token.slice(0, -1) },
      { authorization: `Basic ${proxy.token}` },
    ]) {
      const { status, text } = await ask(headers);
      expect([status, (JSON.parse(text) as { error: { message: string } }).error.message]).toEqual([
        401,
        expect.stringContaining('printed it when it started'),
      ]);
    }
  });

  test('a page in a browser without it: 403, a preflight too, and no leave to read', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: `http://127.0.0.1:${proxy.port}` },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null', authorization: 'Bearer nonsense' },
    ]) {
      const answer = await ask(headers);
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(
      (
        await ask(
          { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
          '/v1/chat/completions',
          'OPTIONS',
        )
      ).status,
    ).toBe(403);
  });

  test('a name that was rebound to loopback: 403, with the token too', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${proxy.port}`,
      `127.0.0.1.evil.example:${proxy.port}`,
      `127.0.0.1:${proxy.port + 1}`,
      '127.0.0.1',
    ]) {
      const { status, text } = await ask({ ...right(), host });
      expect([status, text]).toEqual([403, expect.stringContaining('only loopback addresses')]);
    }
  });

  test('what is not there is 404 with what is, and the token stands in no line of the terminal', async () => {
    const { status, text } = await ask(right(), '/v1/characters', 'POST');
    expect([status, text]).toEqual([404, expect.stringContaining('/v1/chat/completions')]);
    await ask({}, `/${proxy.token}/v1/nothing`);
    expect((await proxy.heard('call', 2)).length).toBeGreaterThan(1);
    expect(proxy.err()).not.toContain(proxy.token);
  });
});

describe('money', () => {
  async function fundedKey(): Promise<{ key: string; address: string }> {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    const response = await fetch(`${gateway.url}/api/sandbox/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    });
    expect(response.status).toBe(200);
    return { key, address };
  }

  test('a wallet tops up within its budget, and what the proxy told equals the books to the unit', async () => {
    const { key } = await fundedKey();
    const before = gateway.books.charges().length;
    const proxy = await startProxyCommand(['--allow-simulated', '--per-day', '5'], {
      TURNPIKE_URL: gateway.url,
      TURNPIKE_PRIVATE_KEY: key,
    });
    const openai = openaiOf(proxy);
    await openai.chat.completions.create({ model: MODEL, messages });
    for await (const _part of await openai.chat.completions.create({ model: MODEL, messages, stream: true }));
    await openai.responses.create({ model: MODEL, input: SECRET_WORDS });
    await (await openai.audio.speech.create({ model: 'tts-kokoro', voice: 'af_sky', input: 'A toll.' })).arrayBuffer();
    const batch = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: id === 2 ? 'eth_chainId' : 'eth_blockNumber',
      params: [],
    }));
    for (const body of [batch[0], batch])
      expect(
        (
          await fetch(`${proxy.url}/${proxy.token}/rpc/ethereum-mainnet`, {
            method: 'POST',
            body: JSON.stringify(body),
          })
        ).status,
      ).toBe(200);
    const calls = await proxy.heard('call', 6);
    expect(await proxy.stop()).toBe(0);
    expect(calls.map(({ problem }) => problem)).toEqual(Array(6).fill(null));
    const charges = gateway.books.charges().slice(before);
    expect(new Set(charges.map(({ accountId }) => accountId)).size).toBe(1);
    const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
    expect(calls.map(({ costUsd }) => costUsd)).not.toContain(null);
    expect(calls.reduce((sum, { costUsd }) => sum + parseUsd(String(costUsd)), 0)).toBe(charged);
    expect(proxy.told('top-up-credited')).toMatchObject([{ amountUsd: 5 }]);
    expect(proxy.told('ended')).toMatchObject([{ calls: 6, toppedUpUsd: 5 }]);
    expect(parseUsd(String(proxy.told('ended')[0]?.chargedUsd))).toBe(charged);
  });

  test('beyond the budget nothing is signed, and the error says by how much, to SDKs and to JSON-RPC', async () => {
    const { key } = await fundedKey();
    const proxy = await startProxyCommand(['--privacy', 'plain', '--per-day', '4.5'], {
      TURNPIKE_URL: gateway.url,
      TURNPIKE_PRIVATE_KEY: key,
    });
    await expect(openaiOf(proxy).chat.completions.create({ model: 'guide', messages })).rejects.toMatchObject({
      status: 402,
      message: expect.stringContaining('0.5 USD more than --per-day allows') as string,
    });
    const rpc = await fetch(`${proxy.url}/${proxy.token}/rpc/ethereum-mainnet`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    });
    expect([rpc.status, await rpc.json()]).toEqual([
      402,
      expect.objectContaining({ code: 'BUDGET_EXCEEDED', error: expect.stringContaining('0.5 USD more') as string }),
    ]);
    expect(proxy.told('top-up-begins')).toEqual([]);
    await proxy.stop();
  });

  test('a key without money is told the gateway’s own sentence', async () => {
    const poor = await gateway.operator.createCaller({ usd: '0' });
    const proxy = await startProxyCommand(['--allow-simulated'], {
      TURNPIKE_URL: gateway.url,
      TURNPIKE_API_KEY: poor.key,
    });
    await expect(openaiOf(proxy).chat.completions.create({ model: MODEL, messages })).rejects.toMatchObject({
      status: 402,
    });
    await expect(
      new Anthropic({ baseURL: proxy.url, apiKey: proxy.token, maxRetries: 0 }).messages.create({
        model: MODEL,
        max_tokens: 10,
        messages,
      }),
    ).rejects.toMatchObject({ status: 402, error: { type: 'error', error: { type: 'billing_error' } } });
    await proxy.stop();
  });
});

describe('where it cannot start', () => {
  test('a port that is taken is said, with what to do', async () => {
    const proxy = await startProxyCommand(['--privacy', 'plain'], keyed());
    const { code, err } = await runCommand(['proxy', '--privacy', 'plain', '--port', String(proxy.port)], {
      env: keyed(),
    });
    expect([code, err]).toEqual([2, `Port ${proxy.port} is taken. Choose another with --port.\n`]);
    await proxy.stop();
  });
});
