import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { audioFile } from '@/test/audio-files';
import { chatGateway } from '@/test/chat-gateway';
import { refusingUrl } from '@/test/scripted-node';
import type { TranscriptionModelConfig } from '../../config/transcriptions';
import { type ModelScript, refuses, scriptedModel } from '@/test/scripted-model';

/** 0.001 USD. */
const NANO_USD_PER_SECOND = 1_000_000;
const TWO_SECONDS = await audioFile('wav', 2);
const VERBOSE = {
  task: 'transcribe',
  language: 'english',
  duration: 2,
  text: 'Hello.',
  segments: [{ id: 0, start: 0, end: 2, text: 'Hello.', no_speech_prob: 0.1 }],
  words: [{ word: 'Hello', start: 0, end: 1 }],
};

/** Answers in the requested format, as a server does. */
const transcribes: ModelScript = ({ body }, response) => {
  const format = /name="response_format"\r\n\r\n(\w+)/.exec(body)?.[1];
  const texts: Record<string, string> = {
    text: 'Hello.\n',
    srt: '1\n00:00:00,000 --> 00:00:02,000\nHello.\n',
    vtt: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n',
  };
  const text = texts[format ?? ''];
  response.setHeader('content-type', text === undefined ? 'application/json' : 'text/plain; charset=utf-8');
  response.end(text ?? JSON.stringify(format === 'json' ? { text: 'Hello.', extra: 1 } : { ...VERBOSE, extra: 1 }));
};

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: { code?: string; error?: string; text?: string; [name: string]: unknown };
}

async function stage(script: ModelScript = transcribes, settings: object = {}, model: object = {}) {
  const server = await scriptedModel(script);
  const gateway = await chatGateway({}, 1_000_000_000, {
    transcriptions: {
      upstreams: [{ name: 'test', url: server.url, key: 'sk-upstream-secret' }],
      models: { whisper: { usdPerSecond: '0.001', ...model } },
      ...settings,
    },
  });
  const send = async (body: BodyInit, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${gateway.origin}/api/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, ...headers },
      body,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? (JSON.parse(text) as Answer['json']) : {},
    };
  };
  const transcribe = (
    fields: Record<string, string | readonly string[]> = {},
    headers: Record<string, string> = {},
    audio: Uint8Array = TWO_SECONDS,
  ) => send(formOf(fields, audio), headers);
  const spendable = () => gateway.gateway.meter.spendable({ accountId: 1, apiKeyId: null, purse: 'account' });
  const kept = () => readdirSync(join(gateway.gateway.config.dataDir, 'uploads'));
  return { server, ...gateway, send, transcribe, spendable, kept };
}

function formOf(fields: Record<string, string | readonly string[]>, audio: Uint8Array): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  form.append('file', new Blob([Uint8Array.from(audio)], { type: 'text/html' }), 'my secret name.html');
  return form;
}

/** Reads a form that reached the model server. */
async function formAt({ bytes, headers }: { bytes: Buffer; headers: { 'content-type'?: string | undefined } }) {
  return new Response(Uint8Array.from(bytes), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
}

describe('a file is transcribed', () => {
  it('and charged for its measured length, whatever the caller says', async () => {
    const { transcribe, server, charges, units, kept } = await stage();
    const { status, json } = await transcribe({ model: 'whisper', duration: '1' });
    expect([status, json]).toEqual([200, { text: 'Hello.', usage: { type: 'duration', seconds: 2 } }]);
    expect(await charges()).toEqual([
      { amount: 2 * NANO_USD_PER_SECOND, detail: '2.000 seconds', resource: 'transcriptions/whisper' },
    ]);
    expect(await units()).toEqual([2]);
    const [asked] = server.asked;
    const form = await formAt(asked as NonNullable<typeof asked>);
    const file = form.get('file') as File;
    expect([file.name, file.type, Buffer.from(await file.arrayBuffer()).equals(TWO_SECONDS)]).toEqual([
      'audio.wav',
      'audio/wav',
      true,
    ]);
    expect([form.get('model'), form.get('response_format'), form.has('duration')]).toEqual(['whisper', 'json', false]);
    expect([asked?.path, asked?.headers.authorization, asked?.headers['content-length']]).toEqual([
      '/v1/audio/transcriptions',
      'Bearer sk-upstream-secret',
      String(asked?.bytes.length),
    ]);
    expect(kept()).toEqual([]);
  });

  it('with the fields that OpenAI has', async () => {
    const { transcribe, server } = await stage(transcribes, {}, { upstreamModel: 'large-v3' });
    const fields = { language: 'en', prompt: 'Turnpike: "a\r\n--b', temperature: '0.2' };
    const answer = await transcribe({
      ...fields,
      response_format: 'verbose_json',
      'timestamp_granularities[]': ['word', 'segment'],
      stream: 'false',
    });
    expect([answer.status, answer.json]).toEqual([200, { ...VERBOSE, usage: { type: 'duration', seconds: 2 } }]);
    const form = await formAt(server.asked[0] as (typeof server.asked)[number]);
    expect(Object.fromEntries([...form].filter(([name]) => name !== 'file' && !name.includes('[')))).toEqual({
      ...fields,
      model: 'large-v3',
      response_format: 'verbose_json',
    });
    expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
  });

  it.each([
    ['text', 'text/plain; charset=utf-8', 'Hello.\n'],
    ['srt', 'text/plain; charset=utf-8', '-->'],
    ['vtt', 'text/vtt; charset=utf-8', 'WEBVTT'],
  ])('in the format %s', async (format, type, part) => {
    const { transcribe } = await stage();
    const { status, headers, text } = await transcribe({ response_format: format });
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(text).toContain(part);
  });

  it('as text where a server wraps it in JSON', async () => {
    const { transcribe } = await stage(refuses(200, { text: 'Hello.' }));
    expect((await transcribe({ response_format: 'text' })).text).toBe('Hello.');
  });

  it('once under its Idempotency-Key', async () => {
    const { transcribe, server, charges } = await stage();
    const key = { 'idempotency-key': 'again' };
    const [first, second] = [await transcribe({}, key), await transcribe({}, key)];
    expect([second.text, second.headers.get('idempotent-replayed'), server.asked.length]).toEqual([
      first.text,
      'true',
      1,
    ]);
    const other = await transcribe({}, key, await audioFile('wav', 2.5));
    expect([other.json.code, (await charges()).length]).toEqual(['IDEMPOTENCY_KEY_REUSED', 1]);
  });

  it('once under its Idempotency-Key, though another model has become the first', async () => {
    const { transcribe, gateway, charges } = await stage();
    const key = { 'idempotency-key': 'again' };
    const first = await transcribe({ model: '' }, key);
    const models = gateway.config.transcriptions.models as Map<string, TranscriptionModelConfig>;
    const whisper = models.get('whisper') as TranscriptionModelConfig;
    models.clear();
    models.set('other', whisper).set('whisper', whisper);
    const second = await transcribe({ model: '' }, key);
    expect([second.status, second.text, (await charges()).length]).toEqual([200, first.text, 1]);
  });

  it('by the next server where one fails, with the whole file', async () => {
    const [bad, good] = [await scriptedModel(refuses(500, {})), await scriptedModel(transcribes)];
    const { transcribe, charges } = await stage(transcribes, {
      upstreams: [
        { name: 'away', url: await refusingUrl() },
        { name: 'bad', url: bad.url },
        { name: 'good', url: good.url },
      ],
    });
    expect((await transcribe()).status).toBe(200);
    const file = (await formAt(good.asked[0] as (typeof good.asked)[number])).get('file') as File;
    expect([bad.asked.length, file.size, (await charges()).length]).toEqual([1, TWO_SECONDS.length, 1]);
  });

  it('of megabytes', async () => {
    const { transcribe, charges } = await stage();
    expect((await transcribe({}, {}, await audioFile('wav', 40))).status).toBe(200);
    expect((await charges())[0]?.amount).toBe(40 * NANO_USD_PER_SECOND);
  });
});

describe('nothing is asked, charged or kept', () => {
  it.each<[string, Record<string, string>, string]>([
    ['an unknown model', { model: 'guide' }, 'MODEL_NOT_FOUND'],
    ['a language of nonsense', { language: 'not a language' }, 'INVALID_REQUEST'],
    ['an unknown format', { response_format: 'docx' }, 'INVALID_REQUEST'],
    ['a temperature that is not a number', { temperature: 'warm' }, 'INVALID_REQUEST'],
    ['a temperature out of range', { temperature: '2' }, 'INVALID_REQUEST'],
    ['an unknown granularity', { 'timestamp_granularities[]': 'letter' }, 'INVALID_REQUEST'],
    ['a prompt that is too long', { prompt: 'a'.repeat(7_501) }, 'INVALID_REQUEST'],
  ])('for %s', async (_name, fields, code) => {
    const { transcribe, server, charges, kept } = await stage();
    const { json } = await transcribe(fields);
    expect([json.code, json.error]).toEqual([code, expect.stringMatching(/\w/)]);
    expect([server.asked, await charges(), kept()]).toEqual([[], [], []]);
  });

  it.each<[string, Uint8Array, object, string]>([
    ['a file that is no audio', Buffer.from('Hello, this is text.'), {}, 'AUDIO_UNMEASURABLE'],
    ['an empty file', Buffer.alloc(0), {}, 'AUDIO_UNMEASURABLE'],
    ['audio without sound', TWO_SECONDS.subarray(0, 44), {}, 'AUDIO_UNMEASURABLE'],
    ['a file that is too large', TWO_SECONDS, { fileBytesMax: 90_000 }, 'BODY_TOO_LARGE'],
    ['audio that is too long', TWO_SECONDS, { secondsMax: 1 }, 'INVALID_REQUEST'],
  ])('for %s', async (_name, audio, settings, code) => {
    const { transcribe, server, charges, kept } = await stage(transcribes, settings);
    expect((await transcribe({}, {}, audio)).json.code).toBe(code);
    expect([server.asked, await charges(), kept()]).toEqual([[], [], []]);
  });

  it('for a body that announces more than is read, which is refused at once', async () => {
    const { send } = await stage(transcribes, { fileBytesMax: 1_000 });
    expect((await send(formOf({}, Buffer.alloc(600_000)))).json.code).toBe('BODY_TOO_LARGE');
  });

  it('for JSON, and for a form that does not end', async () => {
    const { send, server } = await stage();
    expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await send('--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' })).json.code).toBe(
      'INVALID_MULTIPART',
    );
    expect(server.asked).toEqual([]);
  });

  it('where the balance does not cover the audio', async () => {
    const { transcribe, server, caller } = await stage();
    const poor = { authorization: `Bearer ${await caller(2 * NANO_USD_PER_SECOND - 1)}` };
    expect((await transcribe({}, poor)).json.code).toBe('INSUFFICIENT_BALANCE');
    expect(server.asked).toEqual([]);
    expect((await transcribe({}, poor, await audioFile('wav', 1))).status).toBe(200);
  });

  it('without a configured model, with a sentence that says so', async () => {
    const { transcribe } = await stage(transcribes, { models: {} });
    expect((await transcribe()).json).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      error: expect.stringContaining('This gateway has no transcription model.'),
      hint: expect.stringContaining('transcriptions.upstreams'),
    });
  });

  it('where a key is not allowed to', async () => {
    const { transcribe, gateway } = await stage();
    const bound = (allow: object) =>
      gateway.db
        .updateTable('api_keys')
        .set({ allow: JSON.stringify(allow) })
        .execute();
    await bound({ endpoints: ['speech'] });
    expect((await transcribe()).json.code).toBe('API_KEY_NOT_ALLOWED');
    await bound({ endpoints: ['transcriptions'], models: ['whisper'] });
    expect((await transcribe()).status).toBe(200);
  });
});

describe('an answer that cannot be used is charged nothing, and frees what was held', () => {
  it.each<[string, string, ModelScript, number, string]>([
    ['no text', 'json', refuses(200, { texts: [] }), 502, 'MODEL_ANSWER_INVALID'],
    ['a page', 'text', refuses(200, '<html>', { 'content-type': 'text/html' }), 502, 'MODEL_ANSWER_INVALID'],
    ['JSON for vtt', 'vtt', refuses(200, { text: 'Hello.' }), 502, 'MODEL_ANSWER_INVALID'],
    ['text for srt', 'srt', refuses(200, 'Hello.'), 502, 'MODEL_ANSWER_INVALID'],
    ['segments of nonsense', 'verbose_json', refuses(200, { text: 'a', segments: [1] }), 502, 'MODEL_ANSWER_INVALID'],
    ['more than is read', 'json', refuses(200, { text: 'a'.repeat(20_000) }), 502, 'MODEL_ANSWER_INVALID'],
    ['a refusal', 'json', refuses(400, { error: { message: 'No, sk-upstream-secret' } }), 400, 'MODEL_REFUSED'],
    ['another key', 'json', refuses(401, {}), 503, 'MODEL_MISCONFIGURED'],
    ['an error', 'json', refuses(500, {}), 503, 'MODEL_UNAVAILABLE'],
    ['a hang', 'json', () => undefined, 504, 'MODEL_TIMEOUT'],
    ['a broken connection', 'json', (_asked, response) => void response.destroy(), 503, 'MODEL_UNAVAILABLE'],
  ])('%s', async (_name, format, script, status, code) => {
    const { transcribe, charges, spendable, kept } = await stage(script, {
      firstByteTimeoutMs: 400,
      answerBytesMax: 10_000,
    });
    const { status: answered, json, text } = await transcribe({ response_format: format });
    expect([answered, json.code]).toEqual([status, code]);
    expect(text).not.toContain('sk-upstream-secret');
    expect([await charges(), await spendable(), kept()]).toEqual([[], 1_000_000_000, []]);
  });
});

it('files beyond the places are refused, and a place is free again after each call', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { transcribe, server } = await stage(
    async (asked, response) => {
      await held;
      return transcribes(asked, response);
    },
    { filesMax: 4 },
  );
  const first = transcribe();
  await expect.poll(() => server.asked.length).toBe(1);
  const refused = await transcribe();
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '5']);
  release();
  expect((await first).status).toBe(200);
  expect((await transcribe()).status).toBe(200);
});

it('a caller without a credential is asked to pay, and nothing else happens', async () => {
  const { origin, server } = await stage();
  const response = await fetch(`${origin}/api/v1/audio/transcriptions`, {
    method: 'POST',
    body: formOf({}, await audioFile('wav', 20)),
  });
  expect([response.status, server.asked]).toEqual([402, []]);
});

it('the list of models has the price of a second', async () => {
  const { get } = await stage(transcribes, {}, { name: 'Whisper' });
  expect((await get('/models?type=asr')).json).toMatchObject({
    type: 'asr',
    data: [
      {
        id: 'whisper',
        type: 'asr',
        owned_by: 'test',
        model_spec: { name: 'Whisper', pricing: { per_audio_second: { usd: 0.001 } }, offline: false },
      },
    ],
  });
  expect((await get('/models')).json).toMatchObject({ data: [] });
});
