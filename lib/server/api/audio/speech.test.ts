import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import { refusingUrl } from '@/test/scripted-node';
import { levelOf, levelsOf, refusesSpeech, samplesFor, scriptedSpeech, tone, wavHead } from '@/test/scripted-speech';
import { serve } from '@/test/test-gateway';
import { type SpeechGateway, speechGateway } from '@/test/speech-gateway';

const HELLO = { input: 'Hello there.', response_format: 'wav' };
const upstreams = (url: string, more: object = {}) => ({
  upstreams: [{ name: 'test', url, key: 'sk-upstream-secret', ...more }],
});
const SAID = [...HELLO.input].map(levelOf);

async function stage(script = tone(), more: object = {}, speech: object = {}) {
  const server = await scriptedSpeech(script);
  const gateway = await speechGateway({ ...upstreams(server.url, more), ...speech });
  return { server, ...gateway };
}

const spendable = ({ gateway }: Pick<SpeechGateway, 'gateway'>) =>
  gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' });

describe('a header that encrypts chats', () => {
  it.each(['X-Service-TEE-Client-Pub-Key', 'X-Client-Pub-Key', 'Ehbp-Encapsulated-Key', 'X-Instance-Id'])(
    'is refused beside a text that is not encrypted: %s',
    async (name) => {
      const { ask, charges, server } = await stage();
      expect((await ask(HELLO, { headers: { [name]: 'ab' } })).status).toBe(400);
      expect([server.asked, await charges()]).toEqual([[], []]);
    },
  );
});

describe('a whole file', () => {
  it('is WAV with true sizes, and charged by the character', async () => {
    const { ask, charges, server } = await stage();
    const { status, headers, bytes } = await ask(HELLO);
    expect([status, headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    expect(levelsOf(bytes.subarray(44))).toEqual(SAID);
    expect(headers.get('x-service-speech-characters')).toBe('12');
    expect(headers.get('x-service-speech-cost-usd')).toBe('0.00018000');
    expect(headers.get('x-service-speech-engine')).toBe('test');
    expect(await charges()).toEqual([{ amount: 12 * 15_000, detail: '12 characters', resource: 'speech/tts-kokoro' }]);
    expect(server.asked[0]?.headers['authorization']).toBe('Bearer sk-upstream-secret');
    expect(server.asked[0]?.body).toEqual({
      model: 'tts-kokoro',
      input: 'Hello there.',
      voice: 'af_sky',
      response_format: 'wav',
    });
  });

  it('of characters beyond the basic plane is charged by code points', async () => {
    const { ask, charges, units } = await stage();
    expect((await ask({ ...HELLO, input: '😀👩‍🚀é' })).status).toBe(200);
    expect((await charges())[0]?.detail).toBe('5 characters');
    expect(await units()).toEqual([5]);
  });

  it.each([
    ['pcm', { formats: ['pcm'] }],
    ['wav', { formats: ['wav'] }],
    ['wav', { formats: ['pcm', 'wav', 'mp3'] }],
  ])('is made from %s where the upstream has %j', async (asked, more) => {
    const { ask, server } = await stage(tone(), more);
    expect(levelsOf((await ask({ ...HELLO, response_format: 'pcm' })).bytes)).toEqual(SAID);
    expect(server.asked[0]?.body.response_format).toBe(asked);
  });

  it('that the upstream encodes itself is passed on', async () => {
    const { ask } = await stage(
      (_asked, response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3 as it is'),
      { formats: ['wav', 'mp3'] },
    );
    const { bytes, headers } = await ask({ ...HELLO, response_format: 'mp3' });
    expect([bytes.toString(), headers.get('content-type')]).toEqual(['ID3 as it is', 'audio/mpeg']);
  });

  it.each([
    ['stereo', { channels: 2 }],
    ['8 bits', { bits: 8 }],
    ['24 bits', { bits: 24 }],
    ['floats', { bits: 32, tag: 3 }],
    ['22,050 Hz', { rate: 22_050 }],
    ['48 kHz', { rate: 48_000 }],
  ])(
    'is made from WAV of %s',
    async (
      _name,
      {
        channels = 1,
        bits = 16,
        rate = 24_000,
        tag = 1,
      }: { channels?: number; bits?: number; rate?: number; tag?: number },
    ) => {
      const frames = rate;
      const data = Buffer.alloc((frames * channels * bits) / 8);
      for (let at = 0; at < frames * channels; at++) {
        const value = Math.sin((2 * Math.PI * 440 * Math.floor(at / channels)) / rate) / 2;
        if (tag === 3) data.writeFloatLE(value, at * 4);
        else if (bits === 8) data.writeUInt8(Math.round(value * 127) + 128, at);
        else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), (at * bits) / 8, bits / 8);
      }
      const { ask } = await stage(async (_asked, response) => {
        response.writeHead(200, { 'content-type': 'audio/x-wav' });
        const whole = Buffer.concat([wavHead(0xffffffff, { rate, channels, bits, tag }), data]);
        for (let at = 0; at < whole.length; at += 10_007) response.write(whole.subarray(at, at + 10_007));
        response.end();
      });
      const { bytes } = await ask({ ...HELLO, response_format: 'pcm' });
      expect(Math.abs(bytes.length / 2 - 24_000)).toBeLessThanOrEqual(2);
      let error = 0;
      for (let at = 2_000; at < 22_000; at++)
        error = Math.max(
          error,
          Math.abs(bytes.readInt16LE(at * 2) / 32_768 - Math.sin((2 * Math.PI * 440 * at) / 24_000) / 2),
        );
      expect(error).toBeLessThan(bits === 8 ? 0.02 : 0.003);
    },
  );

  it('of nothing but blanks is silence, which no upstream is asked for', async () => {
    const { ask, server, charges } = await stage();
    for (const streaming of [false, true]) {
      const { status, bytes } = await ask({ ...HELLO, input: ' \n\t\u3000', streaming });
      expect(status).toBe(200);
      expect(bytes.length).toBe(44 + 2 * 7_200);
    }
    expect(server.asked).toEqual([]);
    expect((await charges()).map(({ detail }) => detail)).toEqual(['4 characters', '4 characters']);
  });

  it('asks for nothing that the model ignores', async () => {
    const { ask, server } = await stage();
    const all = { ...HELLO, language: 'EN', prompt: 'merry', speed: 1.5, temperature: 1, top_p: 0.5, other: 1 };
    await ask(all);
    expect(server.asked[0]?.body).toEqual({
      model: 'tts-kokoro',
      input: HELLO.input,
      voice: 'af_sky',
      response_format: 'wav',
      speed: 1.5,
      language: 'en',
    });
    await ask({ ...all, model: 'tts-vendor1-1-7b', voice: 'Ryan' });
    expect(server.asked[1]?.body).toEqual({
      model: 'tts-vendor1-1-7b',
      input: HELLO.input,
      voice: 'Ryan',
      response_format: 'wav',
      speed: 1.5,
      instructions: 'merry',
      temperature: 1,
      top_p: 0.5,
    });
  });
});

describe('a stream', () => {
  const LONG = 'The first sentence. The second one, by Dr. Smith! And the third?';

  it('is the sentences in order, each asked for by itself, in one file', async () => {
    const { ask, server, charges } = await stage();
    const { status, headers, bytes } = await ask({ input: LONG, response_format: 'wav', streaming: true });
    expect([status, headers.get('content-length')]).toEqual([200, null]);
    expect(server.asked.map(({ body }) => body.input)).toEqual([
      'The first sentence. ',
      'The second one, by Dr. Smith! ',
      'And the third?',
    ]);
    expect(levelsOf(bytes.subarray(44))).toEqual(
      ['The first sentence. ', 'The second one, by Dr. Smith! ', 'And the third?'].flatMap((sentence, index) => [
        ...(index > 0 ? Array<number>(30).fill(0) : []),
        ...[...sentence].map(levelOf),
      ]),
    );
    expect(await charges()).toEqual([
      { amount: LONG.length * 15_000, detail: `${LONG.length} characters`, resource: 'speech/tts-kokoro' },
    ]);
  });

  it.each([1, 2])(
    'at speed %d has the pause of a whole file between two sentences, and none where a long one was cut',
    async (speed) => {
      const { ask } = await stage();
      const { bytes } = await ask({ input: LONG, response_format: 'pcm', streaming: true, speed });
      expect(bytes.length / 2).toBe(LONG.length * 240 + (2 * 7_200) / speed);
      const cut = `Hello ${'x'.repeat(700)}`;
      expect((await ask({ input: cut, response_format: 'pcm', streaming: true, speed })).bytes.length).toBe(
        cut.length * 480,
      );
    },
  );

  it.each([' '.repeat(4_096), '?!'.repeat(2_048)])('of nothing to say is one short silence', async (input) => {
    const { ask, server } = await stage();
    for (const streaming of [false, true])
      expect((await ask({ input, response_format: 'pcm', streaming })).bytes.length).toBe(2 * 7_200);
    expect(server.asked).toEqual([]);
  });

  it('reaches the client while the next sentence is not there yet', async () => {
    let finish = (): void => undefined;
    const { server, speak } = await stage();
    server.script = async (asked, response) => {
      if (asked.body.input.startsWith('And')) await new Promise<void>((resolve) => (finish = resolve));
      await tone()(asked, response);
    };
    const response = await speak({ input: LONG, response_format: 'pcm', streaming: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    while (bytes < (LONG.length - 'And the third?'.length) * 480) bytes += (await reader.read()).value?.length ?? 0;
    while (server.asked.length < 3) await sleep(5);
    finish();
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
    expect(bytes).toBe(LONG.length * 480 + 2 * 14_400);
  });

  it('that fails in its second sentence breaks off, with the first whole and charged', async () => {
    const { server, speak, charges } = await stage();
    server.script = async (asked, response) => {
      if (!asked.body.input.startsWith('The second')) return tone()(asked, response);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.write(Buffer.concat([wavHead(0xffffffff), Buffer.from(samplesFor('The sec').buffer)]));
      await sleep(50);
      response.destroy();
    };
    const response = await speak({ input: LONG, response_format: 'pcm', streaming: true });
    const parts: Buffer[] = [];
    await expect(
      (async () => {
        for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part));
      })(),
    ).rejects.toThrow();
    expect(levelsOf(Buffer.concat(parts)).slice(0, 20)).toEqual([...'The first sentence. '].map(levelOf));
    for (let i = 0; i < 100 && (await charges()).length === 0; i++) await sleep(10);
    expect((await charges()).map(({ detail }) => detail)).toEqual(['20 characters']);
  });

  it('that fails before its first byte is an error, and charged nothing', async () => {
    const { ask, charges, ...rest } = await stage(refusesSpeech(400, { error: { message: 'Too loud' } }));
    const { status, json } = await ask({ input: LONG, response_format: 'wav', streaming: true });
    expect([status, json?.code, json?.error]).toEqual([400, 'MODEL_REFUSED', 'Too loud.']);
    expect(await charges()).toEqual([]);
    expect(await spendable(rest)).toBe(1_000_000_000);
  });

  it('whose client leaves is charged what the upstream was sent, and stops it', async () => {
    const { server, speak, charges, ...rest } = await stage();
    server.script = (asked, response) => {
      if (!asked.body.input.startsWith('The second')) return tone()(asked, response);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.write(wavHead(0xffffffff));
    };
    const leaving = new AbortController();
    const response = await speak({ input: LONG, response_format: 'pcm', streaming: true }, { signal: leaving.signal });
    await (response.body as ReadableStream<Uint8Array>).getReader().read();
    while (server.asked.length < 2) await sleep(5);
    leaving.abort();
    expect(await server.asked[1]?.aborted).toBe(true);
    for (let i = 0; i < 100 && (await charges()).length === 0; i++) await sleep(10);
    expect((await charges()).map(({ detail }) => detail)).toEqual([
      `${'The first sentence. The second one, by Dr. Smith! '.length} characters`,
    ]);
    expect(server.asked).toHaveLength(2);
    expect(rest.gateway.speech.turns.taken).toBe(0);
  });
});

describe('a client that leaves before its file is there', () => {
  it('stops the upstream, and is charged the text that was sent there', async () => {
    const { server, speak, charges, ...rest } = await stage(() => undefined);
    for (const streaming of [false, true]) {
      const leaving = new AbortController();
      const answer = speak({ ...HELLO, streaming }, { signal: leaving.signal });
      const before = server.asked.length;
      while (server.asked.length === before) await sleep(5);
      leaving.abort();
      await expect(answer).rejects.toThrow();
      expect(await server.asked.at(-1)?.aborted).toBe(true);
    }
    for (let i = 0; i < 100 && (await charges()).length < 2; i++) await sleep(10);
    const all = await charges();
    expect(all.map(({ detail }) => detail)).toEqual(
      Array.from({ length: 2 }, () => `${HELLO.input.length} characters`),
    );
    for (let i = 0; i < 100 && rest.gateway.speech.turns.taken > 0; i++) await sleep(10);
    expect(await spendable(rest)).toBe(1_000_000_000 - all.reduce((sum, { amount }) => sum + Math.abs(amount), 0));
  });

  it('while it waits for its turn, is charged nothing', async () => {
    const { server, speak, charges, ...rest } = await stage(() => undefined, {}, { concurrency: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = speak(HELLO, { signal: running.signal });
    while (server.asked.length < 1) await sleep(5);
    const second = speak(HELLO, { signal: waiting.signal });
    while (rest.gateway.speech.turns.waiting < 1) await sleep(5);
    waiting.abort();
    await expect(second).rejects.toThrow();
    for (let i = 0; i < 100 && rest.gateway.speech.turns.waiting > 0; i++) await sleep(10);
    expect(await charges()).toEqual([]);
    running.abort();
    await expect(first).rejects.toThrow();
    for (let i = 0; i < 100 && (await charges()).length === 0; i++) await sleep(10);
    expect(await charges()).toHaveLength(1);
    expect(server.asked).toHaveLength(1);
  });
});

describe('what an upstream does', () => {
  const HTML = (status: number) => (_asked: unknown, response: Parameters<ReturnType<typeof tone>>[1]) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<html>sk-upstream-secret</html>');

  it.each([
    ['401', refusesSpeech(401, { error: { message: 'sk-upstream-secret' } }), 503, 'MODEL_MISCONFIGURED'],
    ['429', refusesSpeech(429, {}, { 'retry-after': '17' }), 503, 'MODEL_BUSY'],
    ['400', refusesSpeech(400, { error: { message: 'Too long for sk-upstream-secret' } }), 400, 'MODEL_REFUSED'],
    ['500', refusesSpeech(500, { error: 'stack' }), 503, 'MODEL_UNAVAILABLE'],
    ['a page with 200', HTML(200), 502, 'MODEL_ANSWER_INVALID'],
    ['a page with 502', HTML(502), 503, 'MODEL_UNAVAILABLE'],
    ['JSON with 200', refusesSpeech(200, { audio: 'x' }), 502, 'MODEL_ANSWER_INVALID'],
    [
      'no WAV',
      (_asked, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end('ID3 something else'),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    [
      'nothing',
      (_asked, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    ['no sound', (_asked, response) => void response.writeHead(200).end(wavHead(0)), 502, 'MODEL_ANSWER_INVALID'],
    [
      'half of a WAV',
      (_asked, response) => void response.writeHead(200).end(Buffer.concat([wavHead(1_000), Buffer.alloc(500)])),
      502,
      'MODEL_ANSWER_INVALID',
    ],
    ['a connection that ends', (_asked, response) => void response.destroy(), 503, 'MODEL_UNAVAILABLE'],
    ['silence', () => undefined, 504, 'MODEL_TIMEOUT'],
  ] as [string, ReturnType<typeof tone>, number, string][])(
    '%s is an error, whole and streamed, and charges nothing',
    async (_name, script, status, code) => {
      const { ask, charges, ...rest } = await stage(script, {}, { firstByteTimeoutMs: 200 });
      for (const streaming of [false, true]) {
        const answer = await ask({ ...HELLO, streaming });
        expect([answer.status, answer.json?.code]).toEqual([status, code]);
        expect(answer.bytes.toString()).not.toContain('sk-upstream-secret');
        if (code === 'MODEL_BUSY') expect(answer.headers.get('retry-after')).toBe('17');
      }
      expect(await charges()).toEqual([]);
      expect(await spendable(rest)).toBe(1_000_000_000);
      expect(rest.gateway.speech.turns.taken).toBe(0);
    },
  );

  it('dying in the middle of a whole file is an error, and charges nothing', async () => {
    const { ask, charges } = await stage(async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.write(Buffer.concat([wavHead(0xffffffff), Buffer.alloc(100_000)]));
      await sleep(30);
      response.destroy();
    });
    const { status, json } = await ask(HELLO);
    expect([status, json?.code]).toEqual([503, 'MODEL_UNAVAILABLE']);
    expect(await charges()).toEqual([]);
  });

  it('sending more than is read is an error', async () => {
    const { ask } = await stage(tone(), {}, { audioBytesMax: 1_000 });
    expect((await ask(HELLO)).json?.code).toBe('MODEL_ANSWER_INVALID');
  });
});

describe('bad requests', () => {
  it.each([
    ['', 400, 'EMPTY_BODY', null],
    ['{', 400, 'INVALID_JSON', null],
    ['[]', 400, 'INVALID_REQUEST', null],
    [{}, 400, 'INVALID_REQUEST', 'input'],
    [{ ...HELLO, input: '' }, 400, 'INVALID_REQUEST', 'input'],
    [{ ...HELLO, input: '😀'.repeat(4_097) }, 400, 'INVALID_REQUEST', 'input'],
    [{ ...HELLO, input: 'a\u0000' }, 400, 'INVALID_REQUEST', 'input'],
    ['{"input":"\\ud83d"}', 400, 'INVALID_REQUEST', 'input'],
    [{ ...HELLO, prompt: 'p'.repeat(501) }, 400, 'INVALID_REQUEST', 'prompt'],
    [{ ...HELLO, speed: 4.1 }, 400, 'INVALID_REQUEST', 'speed'],
    [{ ...HELLO, response_format: 'ogg' }, 400, 'INVALID_REQUEST', 'response_format'],
    [{ ...HELLO, voice: 'nobody' }, 400, 'INVALID_VOICE', 'voice'],
    [{ ...HELLO, model: 'tts-orpheus', voice: 'af_sky' }, 400, 'INVALID_VOICE', 'voice'],
    [{ ...HELLO, model: 'tts-orpheus', response_format: 'opus' }, 400, 'UNSUPPORTED_FORMAT', 'response_format'],
    [{ ...HELLO, model: 'tts-1' }, 404, 'MODEL_NOT_FOUND', null],
  ])('%j is %i %s', async (body, status, code, field) => {
    const { ask, server, charges } = await stage();
    const { json, ...answer } = await ask(body);
    expect([answer.status, json?.code]).toEqual([status, code]);
    if (field) expect(json?.details).toHaveProperty(field);
    expect(server.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it('without money are 402, and the upstream hears nothing', async () => {
    const { ask, caller, server } = await stage();
    for (const amount of [0, 100]) expect((await ask(HELLO, { key: await caller(amount) })).status).toBe(402);
    expect((await ask(HELLO, { key: null })).status).toBe(402);
    expect(server.asked).toEqual([]);
  });
});

describe('a voice handle', () => {
  const HANDLE = { ...HELLO, voice: 'vv_4711' };

  it('is accepted with the model that it is paired with, and no other', async () => {
    const { ask, server } = await stage(tone(), {}, { handles: { vv_4711: 'tts-chatterbox-hd' } });
    expect((await ask({ ...HANDLE, model: 'tts-chatterbox-hd' })).status).toBe(200);
    expect(server.asked[0]?.body['voice']).toBe('vv_4711');
    // A model that accepts any id of its provider still refuses another model's voices.
    for (const model of ['tts-kokoro', 'tts-vendor4-turbo-v2-5'])
      expect((await ask({ ...HANDLE, model })).json?.code).toBe('INVALID_VOICE');
    expect((await ask({ ...HANDLE, voice: 'vv_other', model: 'tts-chatterbox-hd' })).json?.code).toBe('INVALID_VOICE');
  });

  it('that nobody paired is for an upstream to judge that makes them', async () => {
    const { ask } = await stage(tone(), { acceptsHandles: true }, { handles: { vv_4711: 'tts-chatterbox-hd' } });
    expect((await ask({ ...HANDLE, voice: 'vv_other' })).status).toBe(200);
    expect((await ask(HANDLE)).json?.code).toBe('INVALID_VOICE');
  });

  it("of a provider's own is accepted where the model supports custom voice ids", async () => {
    const { ask, server } = await stage();
    expect((await ask({ ...HELLO, model: 'tts-vendor4-turbo-v2-5', voice: '21m00Tcm4TlvDq8ikWAM' })).status).toBe(200);
    expect(server.asked[0]?.body['voice']).toBe('21m00Tcm4TlvDq8ikWAM');
    expect((await ask({ ...HELLO, model: 'tts-vendor4-turbo-v2-5', voice: '\n' })).status).toBe(400);
  });
});

describe('many at once', () => {
  it('wait for their turn, and one more than may wait is 503 with Retry-After', async () => {
    const { server, speak, ask, ...rest } = await stage(() => undefined, {}, { concurrency: 1, queueLength: 1 });
    const leaving = new AbortController();
    const first = speak(HELLO, { signal: leaving.signal });
    while (server.asked.length < 1) await sleep(5);
    const second = ask(HELLO);
    while (rest.gateway.speech.turns.waiting < 1) await sleep(5);
    const { status, json, headers } = await ask(HELLO);
    expect([status, json?.code]).toEqual([503, 'SPEECH_BUSY']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    server.script = tone();
    leaving.abort();
    await expect(first).rejects.toThrow();
    expect((await second).status).toBe(200);
  });

  it('wait for a bounded time', async () => {
    const { server, speak, ask } = await stage(() => undefined, {}, { concurrency: 1, queueTimeoutMs: 50 });
    const leaving = new AbortController();
    const first = speak(HELLO, { signal: leaving.signal });
    while (server.asked.length < 1) await sleep(5);
    expect((await ask(HELLO)).json?.code).toBe('SPEECH_BUSY');
    leaving.abort();
    await expect(first).rejects.toThrow();
  });
});

describe('after a start', () => {
  it.each(['is slow', 'failed at first'])('the names in a list count though the list %s', async (how) => {
    const asked: unknown[] = [];
    let lists = 0;
    const server = await serve((request, response) => {
      if (request.url === '/v1/models') {
        lists++;
        if (how === 'failed at first' && lists === 1) return void response.writeHead(500).end();
        return void setTimeout(() => response.end('{"data":[{"id":"kokoro"}]}'), 100);
      }
      void json(request).then((body) => {
        asked.push((body as { model: string }).model);
        response.writeHead(400).end();
      });
    });
    const { ask, get } = await speechGateway(upstreams(`${server.origin}/v1`));
    if (how === 'failed at first') {
      await get('/models?type=tts');
      const now = performance.now.bind(performance);
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000);
      onTestFinished(() => void clock.mockRestore());
    }
    const [, other] = await Promise.all([ask(HELLO), ask({ ...HELLO, model: 'tts-orpheus', voice: 'tara' })]);
    expect([asked, other.json?.code]).toEqual([['kokoro'], 'MODEL_NOT_FOUND']);
  });

  it('a server that never lists its models is asked under their usual names', async () => {
    const asked: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(500).end();
    });
    const { ask } = await speechGateway(upstreams(`${server.origin}/v1`));
    expect((await ask(HELLO)).json?.code).toBe('MODEL_UNAVAILABLE');
    expect(asked).toEqual(['/v1/models', '/v1/audio/speech']);
  });
});

describe('GET /models?type=tts', () => {
  type Entry = { id: string; model_spec: Record<string, unknown> };
  const list = async ({ get }: Pick<SpeechGateway, 'get'>, type = 'tts') =>
    ((await get(`/models?type=${type}`)).json as unknown as { data: Entry[] }).data;

  it('lists all models of an upstream without a list, with what the specification names', async () => {
    const gateway = await stage(tone(), { engine: 'Test engine' });
    const entries = await list(gateway);
    expect(entries.map(({ id }) => id)).toEqual([...SPEECH_MODEL_IDS]);
    const [kokoro] = entries;
    expect(kokoro).toMatchObject({
      type: 'tts',
      object: 'model',
      model_spec: {
        supported_formats: ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'],
        default_format: 'mp3',
        supportsPromptParam: false,
        supports_custom_voice_id: false,
        engine: 'Test engine',
        offline: false,
        pricing: { input: { usd: 15, diem: 15 } },
      },
    });
    // Flags that every entry must have (specification, "Model capability flags").
    const chatFlags = {
      supportsE2EE: false,
      supportsTeeAttestation: false,
      supportsResponseSchema: false,
      supportsFunctionCalling: false,
      supportsWebSearch: false,
    };
    expect(kokoro).toMatchObject({
      created: 1_795_305_600,
      owned_by: expect.any(String),
      model_spec: {
        availableContextTokens: 4_096,
        capabilities: { ...chatFlags, supportsPromptParam: false, supports_custom_voice_id: false },
      },
    });
    expect(kokoro?.model_spec['voices']).toContain('af_sky');
    expect((await list(gateway, 'all')).map(({ id }) => id)).toContain('tts-kokoro');
    expect(await list(gateway, 'text')).toEqual([]);
  });

  it('lists what the upstream lists, under the names that it may have there', async () => {
    const server = await scriptedSpeech(tone(), ['kokoro', 'tts-1', 'tts-orpheus']);
    const gateway = await speechGateway(upstreams(server.url));
    expect((await list(gateway)).map(({ id }) => id)).toEqual(['tts-kokoro', 'tts-orpheus']);
    await gateway.ask(HELLO);
    expect(server.asked[0]?.body['model']).toBe('kokoro');
    expect((await gateway.ask({ ...HELLO, model: 'tts-vendor2-v1', voice: 'eve' })).status).toBe(404);
  });

  it('lists none without an upstream, and marks those offline whose upstream is away', async () => {
    expect(await list(await speechGateway({}))).toEqual([]);
    const away = await speechGateway({ ...upstreams(await refusingUrl(), { models: ['tts-kokoro'] }) });
    expect((await list(away)).map(({ id, model_spec: spec }) => [id, spec['offline']])).toEqual([['tts-kokoro', true]]);
    expect((await away.ask(HELLO)).json?.code).toBe('MODEL_UNAVAILABLE');
  });

  it("has the operator's word first", async () => {
    const server = await scriptedSpeech();
    const models = {
      'tts-orpheus': {
        upstream: 'test',
        upstreamModel: 'o',
        voices: ['x', 'y'],
        defaultVoice: 'y',
        upstreamVoices: { y: 'why' },
        formats: ['pcm'],
        defaultFormat: 'pcm',
        engine: 'Mine',
        usdPerMillionCharacters: '1',
      },
    };
    const gateway = await speechGateway({ ...upstreams(server.url), models });
    const spec = (await list(gateway)).find(({ id }) => id === 'tts-orpheus')?.model_spec;
    expect(spec).toMatchObject({
      voices: ['x', 'y'],
      default_voice: 'y',
      supported_formats: ['pcm'],
      default_format: 'pcm',
      engine: 'Mine',
      pricing: { input: { usd: 1 } },
    });
    const { headers } = await gateway.ask({ input: 'x', model: 'tts-orpheus' });
    expect(headers.get('content-type')).toBe('audio/pcm');
    expect(server.asked[0]?.body).toMatchObject({ model: 'o', voice: 'why' });
  });
});
