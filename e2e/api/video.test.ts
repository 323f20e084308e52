/**
 * @at next: complete files pass Next's own server. Refusals and refunds are decided behind the adapter.
 * @at postgres: videos are jobs with leases in the database, which also refunds them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { json, ScriptedStudio } from '@/test/scripted-studio';
import { at } from './harness/at';
import { announcedLength } from './harness/started-entry';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** spec, "Video completion request", "POST /video/complete"; wire.md, "Shapes": the whole life of a video. */

const MODEL = 'stand-in-video';
const UNKNOWN = '2f0e7d1c-93b8-4a5e-8c1f-6f0b6c0f7a11';
const HAS_FFPROBE = spawnSync('ffprobe', ['-version']).status === 0;
if (!HAS_FFPROBE) console.log('ffprobe is not here: videos are read by a demultiplexer in JavaScript alone.');

let gateway: GatewayUnderTest;
let caller: Caller;
let stranger: Caller;
/** Live gateway with a scripted studio. The tests share it, because starts take most of this file's time. */
let live: GatewayUnderTest;
let studio: ScriptedStudio;
let mediaFolder: string;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway({ video: { pollIntervalMs: 200, openRequestsPerCaller: 20 } }));
  [caller, stranger] = (await gateway.operator.createCallers(2, { usd: '20' })) as [Caller, Caller];
  studio = await ScriptedStudio.open((end) => ends.push(end));
  mediaFolder = mkdtempSync(join(tmpdir(), 'turnpike-media-'));
  live = await startGateway({
    profile: 'live',
    config: {
      video: { pollIntervalMs: 100, openRequestsPerCaller: 2, storage: { kind: 'folder', path: mediaFolder } },
    },
    env: { VIDEO_UPSTREAM_URL: studio.url, VIDEO_UPSTREAM_KEY: 'studio-key' },
  });
}, 120_000);
afterAll(async () => {
  await Promise.all([gateway?.stop(), live?.stop(), ...ends.map((end) => end())]);
  if (mediaFolder) rmSync(mediaFolder, { recursive: true, force: true });
});

type Headers = Record<string, string>;
const as = ({ key }: Pick<Caller, 'key'>): Headers => ({ authorization: `Bearer ${key}` });
const post = (path: string, body: unknown, headers: Headers = as(caller), on = gateway) =>
  on.ask({
    method: 'POST',
    path: `/api/v1/video/${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
/** Retrieves without the harness's checks of answers, because the bodies are not JSON. */
const retrieve = (body: object, headers: Headers = as(caller), on = gateway) =>
  fetch(`${on.url}/api/v1/video/retrieve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, ...body }),
  });

async function queue(body: object = {}, headers: Headers = as(caller), on = gateway): Promise<string> {
  const {
    status,
    json: queued,
    text,
  } = await post('queue', { model: MODEL, prompt: 'A lighthouse in a storm', duration: '3s', ...body }, headers, on);
  expect(status, text).toBe(200);
  return (queued as { queue_id: string }).queue_id;
}

/** Polls until the video is ready. */
async function made(queueId: string, headers: Headers = as(caller), on = gateway, model = MODEL): Promise<Response> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const response = await retrieve({ model, queue_id: queueId }, headers, on);
    if (response.status !== 200 || response.headers.get('content-type') === 'video/mp4') return response;
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toEqual({
      status: 'PROCESSING',
      average_execution_time: expect.any(Number) as number,
      execution_duration: expect.any(Number) as number,
    });
    if (Date.now() > deadline) throw new Error('The video was not made in time.');
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

async function video(body: object, headers?: Headers): Promise<Buffer> {
  return Buffer.from(await (await made(await queue(body, headers), headers)).arrayBuffer());
}

const usdOf = async (accountId: number, on = gateway): Promise<number> =>
  Number((await on.operator.balances()).get(accountId)?.usd);

interface Track {
  seconds: number;
  width: number;
  height: number;
  codec: string;
}

/** Returns a caller with money at the live gateway. Resets the studio. */
async function liveOwner({ isDone = true, usd = '1' } = {}): Promise<Caller> {
  studio.forget();
  studio.isDone = isDone;
  // A failed test may have stopped it.
  if (
    !(await fetch(`${live.url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await live.start();
  return live.operator.createCaller({ usd });
}

/** Makes the studio finish these, so that later tests do not see them. */
async function finish(owner: Caller, ...queueIds: string[]): Promise<void> {
  studio.isDone = true;
  for (const queueId of queueIds) expect((await made(queueId, as(owner), live, 'film')).status).toBe(200);
}

/** Returns what another program's demultiplexer finds in a file. */
async function trackOf(file: Buffer): Promise<Track> {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('There is no picture in it.');
  return {
    seconds: await input.computeDuration(),
    width: track.displayWidth,
    height: track.displayHeight,
    codec: track.codec ?? 'none',
  };
}

describe('a video', { timeout: 120_000 }, () => {
  test('is queued, charged by the second, made, watched, deleted with its bytes, and then gone', async () => {
    const before = await usdOf(caller.accountId);
    const queueId = await queue();
    expect(queueId).toMatch(/^[0-9a-f-]{36}$/);
    expect(before - (await usdOf(caller.accountId))).toBeCloseTo(0.15, 9);
    const response = await made(queueId);
    expect(response.status).toBe(200);
    const file = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(announcedLength(file));
    expect(await trackOf(file)).toEqual({ seconds: 3, width: 480, height: 270, codec: 'avc' });
    expect((await post('complete', { model: MODEL, queue_id: queueId })).json).toEqual({ success: true });
    for (const path of ['retrieve', 'complete'])
      expect(await post(path, { model: MODEL, queue_id: queueId })).toMatchObject({
        status: 404,
        json: { code: 'VIDEO_NOT_FOUND' },
      });
    expect(before - (await usdOf(caller.accountId))).toBeCloseTo(0.15, 9);
    expect((await gateway.operator.checkLedger()).faults).toEqual([]);
  });

  at('fast').test(
    'has the size of its aspect ratio, the prompt in its picture, and the same bytes for the same seed',
    async () => {
      const [one, again, other] = await Promise.all([
        video({ prompt: 'one', seed: 7, aspect_ratio: '9:16' }),
        video({ prompt: 'one', seed: 7, aspect_ratio: '9:16' }),
        video({ prompt: 'two', seed: 7, aspect_ratio: '9:16' }),
      ]);
      expect(await trackOf(one)).toMatchObject({ width: 270, height: 480 });
      expect(one.equals(again)).toBe(true);
      expect(one.equals(other)).toBe(false);
    },
  );

  at('fast').test.each([
    '🦄🏳️‍🌈 فيديو عن البحر שלום 海の動画',
    ' ',
    '<script>alert(1)</script> & "quotes"',
    '\u202e right to left \u200b',
    '🦄'.repeat(2_500),
    'a\n\tb',
  ])('of any text, such as %j, is made', async (prompt) => {
    expect(await trackOf(await video({ prompt }))).toMatchObject({ seconds: 3 });
  });

  if (HAS_FFPROBE)
    at('fast').test('decodes without a fault, as ffmpeg sees it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-video-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'a.mp4');
      writeFileSync(file, await video({ duration: '5s', aspect_ratio: '1:1' }));
      const probed = JSON.parse(
        execFileSync(
          'ffprobe',
          [
            '-v',
            'error',
            '-count_frames',
            '-show_entries',
            'stream=codec_name,width,height,duration,nb_read_frames,pix_fmt',
            '-of',
            'json',
            file,
          ],
          { encoding: 'utf8' },
        ),
      ) as { streams: object[] };
      expect(probed.streams).toEqual([
        { codec_name: 'h264', width: 480, height: 480, pix_fmt: 'yuv420p', duration: '5.000000', nb_read_frames: '60' },
      ]);
    });

  test('that is to be deleted once it was retrieved is, after the whole body was sent', async () => {
    const queueId = await queue();
    const kept = Buffer.from(await (await made(queueId)).arrayBuffer());
    const response = await retrieve({ queue_id: queueId, delete_media_on_completion: true });
    expect(Buffer.from(await response.arrayBuffer()).equals(kept)).toBe(true);
    await expect.poll(async () => (await retrieve({ queue_id: queueId })).status, { timeout: 10_000 }).toBe(404);
  });

  test('is retrieved by several at once, and deleted by one of several', async () => {
    const queueId = await queue();
    await made(queueId).then((response) => response.arrayBuffer());
    const bodies = await Promise.all([1, 2, 3].map(async () => (await retrieve({ queue_id: queueId })).arrayBuffer()));
    expect(new Set(bodies.map(({ byteLength }) => byteLength)).size).toBe(1);
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await post('complete', { model: MODEL, queue_id: queueId })).status),
    );
    expect(statuses.sort()).toEqual([200, 404, 404, 404]);
  });

  at('fast', 'postgres').test(
    'is 404 for another account, for another model, and in the case of no account at all',
    async () => {
      const queueId = await queue();
      for (const path of ['retrieve', 'complete']) {
        expect((await post(path, { model: MODEL, queue_id: queueId }, as(stranger))).status).toBe(404);
        expect((await post(path, { model: 'other', queue_id: queueId })).status).toBe(404);
        expect((await post(path, { model: MODEL, queue_id: UNKNOWN })).status).toBe(404);
      }
      expect((await made(queueId)).status).toBe(200);
      expect((await post('complete', { model: MODEL, queue_id: queueId.toUpperCase() })).status).toBe(200);
    },
  );

  at('fast', 'postgres').test('that is still being made is not deleted', async () => {
    const owner = await liveOwner({ isDone: false });
    const queueId = await queue({ model: 'film', duration: '5s' }, as(owner), live);
    expect(await post('complete', { model: 'film', queue_id: queueId }, as(owner), live)).toMatchObject({
      status: 409,
      json: { code: 'VIDEO_NOT_READY' },
    });
    await finish(owner, queueId);
  });

  test('whose media have vanished, or are cut off, is 404, and no part of it is sent', async () => {
    const owner = await liveOwner();
    const filesBefore = readdirSync(mediaFolder);
    const queueId = await queue({ model: 'film', duration: '5s' }, as(owner), live);
    await made(queueId, as(owner), live, 'film').then((response) => response.arrayBuffer());
    const file = join(mediaFolder, readdirSync(mediaFolder).find((name) => !filesBefore.includes(name)) as string);
    for (const harm of [() => writeFileSync(file, studio.media.subarray(0, 400)), () => rmSync(file)]) {
      harm();
      expect(await post('retrieve', { model: 'film', queue_id: queueId }, as(owner), live)).toMatchObject({
        status: 404,
        json: { code: 'VIDEO_MEDIA_GONE' },
      });
    }
    expect((await post('complete', { model: 'film', queue_id: queueId }, as(owner), live)).status).toBe(200);
  });

  at('fast', 'postgres').test('that fails is paid back, and says why and that nothing was charged', async () => {
    const owner = await liveOwner({ isDone: false });
    const before = await usdOf(owner.accountId, live);
    const queueId = await queue({ model: 'film', duration: '5s' }, as(owner), live);
    expect(before - (await usdOf(owner.accountId, live))).toBeCloseTo(0.25, 9);
    studio.intercept = (path, response) =>
      path === 'video/retrieve' &&
      (json(response, 422, { error: 'The lighthouse fell over.', code: 'VIDEO_FAILED' }), true);
    await expect
      .poll(async () => (await retrieve({ model: 'film', queue_id: queueId }, as(owner), live)).status, {
        timeout: 20_000,
      })
      .toBe(422);
    const { json: body } = await post('retrieve', { model: 'film', queue_id: queueId }, as(owner), live);
    expect(body).toMatchObject({
      code: 'VIDEO_FAILED',
      error: expect.stringMatching(/nothing was charged.*The lighthouse fell over\.$/) as string,
    });
    expect(await usdOf(owner.accountId, live)).toBe(before);
    expect((await live.operator.checkLedger()).faults).toEqual([]);
  });

  at('fast', 'postgres').test('outlives kill -9 of the gateway', async () => {
    const owner = await liveOwner({ isDone: false });
    const queueId = await queue({ model: 'film', duration: '5s' }, as(owner), live);
    await live.kill();
    live.books.endLeases();
    studio.isDone = true;
    await live.start();
    expect((await made(queueId, as(owner), live, 'film')).status).toBe(200);
    expect(studio.orders.length).toBeLessThanOrEqual(1);
  });

  at('fast', 'postgres').test(
    'that is being made while the gateway is told to end is ordered once, made after the next start, and charged once',
    async () => {
      const owner = await liveOwner({ isDone: false });
      const before = await usdOf(owner.accountId, live);
      const queueId = await queue({ model: 'film', duration: '5s' }, as(owner), live);
      await expect.poll(() => studio.asked.includes('video/retrieve'), { timeout: 20_000 }).toBe(true);
      await live.terminate();
      live.books.endLeases();
      studio.isDone = true;
      await live.start();
      expect((await made(queueId, as(owner), live, 'film')).status).toBe(200);
      expect(studio.orders).toHaveLength(1);
      expect(before - (await usdOf(owner.accountId, live))).toBeCloseTo(0.25, 9);
      expect((await live.operator.checkLedger()).faults).toEqual([]);
    },
  );

  at('fast', 'postgres').test(
    'whose order is on its way while the gateway is told to end is not ordered twice, nor charged without a video',
    async () => {
      const owner = await liveOwner();
      const before = await usdOf(owner.accountId, live);
      // The studio takes the job, but its answer never comes, so the gateway cannot know this.
      studio.intercept = (path) => path === 'video/queue';
      const asked = post(
        'queue',
        { model: 'film', prompt: 'A lighthouse in a storm', duration: '5s' },
        as(owner),
        live,
      ).catch(() => null);
      await expect.poll(() => studio.orders.length, { timeout: 20_000 }).toBe(1);
      await live.terminate();
      const queueId = ((await asked)?.json as { queue_id?: string } | undefined)?.queue_id;
      studio.intercept = null;
      // The process that held the job stopped during an order. Another process takes over when the lease has ended.
      live.books.endLeases();
      await live.start();
      if (queueId !== undefined) expect((await made(queueId, as(owner), live, 'film')).status).toBe(200);
      expect(studio.orders.length).toBeLessThanOrEqual(1);
      expect(before - (await usdOf(owner.accountId, live))).toBeCloseTo(queueId === undefined ? 0 : 0.25, 9);
      expect((await live.operator.checkLedger()).faults).toEqual([]);
    },
  );
});

at('fast').describe('the models', () => {
  test.each(['video', 'all'])(
    'are in GET /models?type=%s with what they offer, what they cost, and what makes their pictures',
    async (type) => {
      const { json: listed } = await gateway.ask({ method: 'GET', path: `/api/v1/models?type=${type}` });
      expect((listed as { data: { id: string }[] }).data.find(({ id }) => id === MODEL)).toMatchObject({
        type: 'video',
        object: 'model',
        created: expect.any(Number) as number,
        owned_by: expect.any(String) as string,
        model_spec: {
          availableContextTokens: 2_500,
          capabilities: {
            supportsE2EE: false,
            supportsTeeAttestation: false,
            supportsResponseSchema: false,
            supportsFunctionCalling: false,
            supportsWebSearch: false,
          },
          durations: ['5s', '3s', '8s', '10s'],
          aspect_ratios: expect.arrayContaining(['16:9', '9:16']) as string[],
          resolutions: ['270p'],
          pricing: { per_second: { usd: 0.05, diem: 0.05 } },
          engine: expect.stringContaining('sandbox') as string,
          offline: false,
        },
      });
    },
  );

  test('of text do not stand among them', async () => {
    const { json: listed } = await gateway.ask({ method: 'GET', path: '/api/v1/models?type=video' });
    expect((listed as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([MODEL]);
  });
});

at('fast', 'postgres').describe('the caller', () => {
  const body = { model: MODEL, queue_id: UNKNOWN };

  at('fast').test.each(['queue', 'retrieve', 'complete'])(
    'without a credential gets 402 with discovery at /video/%s',
    async (path) => {
      const { status, json: answer, headers } = await post(path, body, {});
      expect(status).toBe(402);
      expect(answer).toMatchObject({
        x402Version: 2,
        accepts: expect.any(Array) as unknown[],
        authOptions: expect.any(Object) as object,
      });
      expect(headers['payment-required']).toBeTypeOf('string');
    },
  );

  at('fast').test.each(['queue', 'retrieve', 'complete'])('with a bad key gets 401 at /video/%s', async (path) => {
    expect((await post(path, body, { authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  test('with an empty account cannot queue, and can retrieve and delete', async () => {
    const poor = await gateway.operator.createCaller({ usd: '0.15' });
    const queueId = await queue({}, as(poor));
    expect(await post('queue', { model: MODEL, prompt: 'x' }, as(poor))).toMatchObject({
      status: 402,
      json: { code: 'INSUFFICIENT_BALANCE' },
    });
    const response = await made(queueId, as(poor));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect((await post('complete', { model: MODEL, queue_id: queueId }, as(poor))).status).toBe(200);
  });

  test('with a wallet pays from what it prepaid, is told what is left, and else what to pay', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const unsigned = buildSignIn({ address: account.address, uri: gateway.url, chainId: 8453 });
    const wallet = { 'sign-in-with-x': unsigned.header(await account.signMessage({ message: unsigned.text })) };
    expect(await post('queue', { model: MODEL, prompt: 'x' }, wallet)).toMatchObject({
      status: 402,
      json: { code: 'PAYMENT_REQUIRED', reason: 'insufficient_balance', minimumBalanceUsd: 0.25 },
    });
    expect((await post('retrieve', body, wallet)).status).toBe(404);
    await gateway.operator.prepay(account.address, '0.30');
    const answer = await post('queue', { model: MODEL, prompt: 'x', duration: '5s' }, wallet);
    expect([answer.status, answer.headers['x-balance-remaining']]).toEqual([200, '0.050000']);
  });

  test('twice under one Idempotency-Key gets one video, charged once', async () => {
    const before = gateway.books.count();
    const headers = { ...as(caller), 'idempotency-key': `video-${Date.now()}` };
    const ids = [await queue({ prompt: 'once' }, headers), await queue({ prompt: 'once' }, headers)];
    expect(ids[0]).toBe(ids[1]);
    expect(gateway.books.count()).toBe(before + 1);
    expect(await post('queue', { model: MODEL, prompt: 'another', duration: '3s' }, headers)).toMatchObject({
      status: 400,
      json: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });
});

at('fast', 'postgres').describe('bad input', () => {
  const good = { model: MODEL, prompt: 'x', duration: '3s' };

  at('fast').test.each<[string, unknown, string]>([
    ['no prompt', { model: MODEL }, 'prompt'],
    ['an empty prompt', { ...good, prompt: '' }, 'prompt'],
    ['a prompt of 2,501 characters', { ...good, prompt: '🦄'.repeat(2_501) }, 'prompt'],
    ['NUL in the prompt', { ...good, prompt: 'a\0b' }, 'prompt'],
    ['half a surrogate pair in the prompt', '{"model":"stand-in-video","prompt":"a\\ud800b"}', 'prompt'],
    ['a prompt that is a number', { ...good, prompt: 5 }, 'prompt'],
    ['a negative prompt that is too long', { ...good, negative_prompt: 'x'.repeat(2_501) }, 'negative_prompt'],
    ['a duration that is not offered', { ...good, duration: '4s' }, 'duration'],
    ['a duration without a unit', { ...good, duration: '5' }, 'duration'],
    ['a duration that is a number', { ...good, duration: 5 }, 'duration'],
    ['an endless duration', { ...good, duration: '1000s' }, 'duration'],
    ['an aspect ratio that is not offered', { ...good, aspect_ratio: '2:1' }, 'aspect_ratio'],
    ['an aspect ratio of nothing', { ...good, aspect_ratio: '0:1' }, 'aspect_ratio'],
    ['a resolution that is not offered', { ...good, resolution: '8k' }, 'resolution'],
    ['a negative seed', { ...good, seed: -1 }, 'seed'],
    ['a broken seed', { ...good, seed: 1.5 }, 'seed'],
    ['a seed beyond 32 bits', { ...good, seed: 2 ** 32 }, 'seed'],
    ['no model', { prompt: 'x' }, 'model'],
  ])('queueing with %s is 400 that names the field, and charges nothing', async (_name, body, field) => {
    const before = gateway.books.count();
    const { status, json: answer } = await post('queue', body);
    expect([status, Object.keys((answer as { details: object }).details)]).toEqual([400, ['_errors', field]]);
    expect(gateway.books.count()).toBe(before);
  });

  at('fast').test('an unknown model is 404', async () => {
    expect(await post('queue', { ...good, model: 'guide' })).toMatchObject({
      status: 404,
      json: { code: 'MODEL_NOT_FOUND' },
    });
  });

  at('fast').test('unknown fields are ignored', async () => {
    await queue({ audio: true, style: { mood: 'grim' } });
  });

  at('fast').test.each(['retrieve', 'complete'])('a bad queue_id at /video/%s is 400 with details', async (path) => {
    for (const queueId of ['', 'x', 5, null, `${UNKNOWN}0`, UNKNOWN.replaceAll('-', ''), `${UNKNOWN}\0`]) {
      expect(await post(path, { model: MODEL, queue_id: queueId })).toMatchObject({
        status: 400,
        json: { details: { queue_id: { _errors: [expect.any(String)] } } },
      });
    }
    expect((await post(path, {})).json).toMatchObject({
      details: { ...(path === 'complete' ? { model: {} } : {}), queue_id: {} },
    });
  });

  at('fast').test('a flag that is not a boolean is 400', async () => {
    expect(
      (await post('retrieve', { model: MODEL, queue_id: UNKNOWN, delete_media_on_completion: 'yes' })).json,
    ).toMatchObject({ details: { delete_media_on_completion: {} } });
  });

  at('fast').test.each(['queue', 'retrieve', 'complete'])(
    'no JSON, no body, too much of it, another type, another verb at /video/%s',
    async (path) => {
      expect((await post(path, '{')).status).toBe(400);
      expect((await post(path, '')).status).toBe(400);
      expect((await post(path, '[]')).status).toBe(400);
      expect((await post(path, JSON.stringify({ pad: 'x'.repeat(300_000) }))).status).toBe(413);
      expect((await post(path, '{}', { ...as(caller), 'content-type': 'text/plain' })).status).toBe(415);
      expect((await gateway.ask({ method: 'GET', path: `/api/v1/video/${path}` })).status).toBe(405);
    },
  );

  test('more videos at once than a caller may have is 503 with Retry-After', async () => {
    const owner = await liveOwner({ isDone: false, usd: '5' });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => post('queue', { model: 'film', prompt: 'x' }, as(owner), live)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503]);
    expect(answers.find(({ status }) => status === 503)).toMatchObject({
      headers: { 'retry-after': expect.stringMatching(/^[0-9]+$/) as string },
      json: { code: 'VIDEO_QUEUE_FULL' },
    });
    expect(live.books.charges(owner.accountId)).toHaveLength(2);
    await finish(
      owner,
      ...answers.flatMap(({ status, json: queued }) =>
        status === 200 ? [(queued as { queue_id: string }).queue_id] : [],
      ),
    );
  });
});

at('fast').test('the API description has all three', async () => {
  const { json: document } = await gateway.ask({ method: 'GET', path: '/api/v1/openapi.json' });
  const { paths } = document as { paths: Record<string, { post: { responses: object } }> };
  for (const path of ['queue', 'retrieve', 'complete'])
    expect(Object.keys(paths[`/video/${path}`]?.post.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '402', '404']),
    );
});
