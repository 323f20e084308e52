import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../create-gateway';
import { setServedApi } from '../../http/served-api';
import { nextRoute } from '../../http/next-adapter';
import { nodeListener } from '../../http/node-adapter';
import { createAccount } from '../../db/accounts';
import { insertApiKey, newApiKeySecret } from '../../db/api-keys';
import { grantWithin } from '../../db/credits';
import type { VideoModel } from '../../video/video-model';
import { checkLedger } from '../../billing/ledger-check';
import { boxedMedia, json, ScriptedStudio } from '@/test/scripted-studio';
import { gatewayOfFile, serve, testGateway } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';

const USD = 1_000_000_000;
/** 5 seconds at 0.05 USD. */
const PRICE = 250_000_000;

interface House {
  studio: ScriptedStudio;
  gateway: Gateway;
  origin: string;
  key: string;
  accountId: number;
  ask(
    path: string,
    body: object | string,
    key?: string,
  ): Promise<{ status: number; headers: Headers; bytes: Buffer; json: Record<string, unknown> }>;
  /** Queues a video, runs its jobs to the end, and returns its id. */
  made(): Promise<string>;
  balance(): Promise<number>;
}

async function open(): Promise<House> {
  const studio = await ScriptedStudio.open();
  const gateway = await testGateway({ VIDEO_UPSTREAM_URL: studio.url, VIDEO_UPSTREAM_KEY: 'studio-key' });
  const { origin } = await serve(nodeListener(gateway));
  const accountId = await createAccount(gateway.db, { label: 'test', tier: 'standard' });
  await grantWithin(gateway.db, { accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
  const key = newApiKeySecret();
  await insertApiKey(gateway.db, key, {
    accountId,
    type: 'INFERENCE',
    description: '',
    expiresAt: null,
    limitPeriod: 'LIFETIME',
    limitUsdNano: null,
    limitDiemNano: null,
  });
  const ask: House['ask'] = async (path, body, as = key) => {
    const response = await fetch(`${origin}/api/v1/video/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type') === 'application/json';
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: isJson ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : {},
    };
  };
  return {
    studio,
    gateway,
    origin,
    key,
    accountId,
    ask,
    made: async () => {
      const { json: queued } = await ask('queue', { model: 'film', prompt: 'x' });
      const id = String(queued.queue_id);
      await settled(gateway, id);
      return id;
    },
    balance: async () =>
      (
        await gateway.db
          .selectFrom('meters')
          .select('usd')
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow()
      ).usd,
  };
}

/** Advances a request until it ends, without waiting for time to pass. */
async function settled(gateway: Gateway, id: string): Promise<void> {
  for (let round = 0; round < 5; round++) await gateway.video.jobs.advance(id);
}

const mediaFolder = ({ gateway }: House): string => join(gateway.config.dataDir, 'video');

describe('POST /video/queue', () => {
  it('charges the whole price, fills in what the model offers first, and hands on nothing unknown', async () => {
    const house = await open();
    const { status, json: queued } = await house.ask('queue', {
      model: 'film',
      prompt: 'A lighthouse',
      seed: 5,
      style: 'grim',
    });
    expect([status, queued]).toEqual([
      200,
      { model: 'film', queue_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
    ]);
    expect(await house.balance()).toBe(USD - PRICE);
    await settled(house.gateway, String(queued.queue_id));
    expect(house.studio.orders[0]?.body).toEqual({
      model: 'film',
      prompt: 'A lighthouse',
      seed: 5,
      duration: '5s',
      aspect_ratio: '16:9',
      resolution: '720p',
    });
    const charges = await house.gateway.db
      .selectFrom('ledger')
      .select(['resource', 'detail', 'units', 'amount'])
      .where('kind', '=', 'CHARGE')
      .execute();
    expect(charges).toEqual([{ resource: 'video/film', detail: '5s of video', units: 5, amount: -PRICE }]);
  });

  it('hands on what was understood and charged alone: no repetition, no variant of a name', async () => {
    const house = await open();
    const { status, json: queued } = await house.ask(
      'queue',
      '{"model":"film","prompt":"A lighthouse","duration":"10s","\\u0064uration":"5s","Duration":"10s","\u0130d":1,"n":9,"re\u017folution":"1080p"}',
    );
    expect(status).toBe(200);
    expect(await house.balance()).toBe(USD - PRICE);
    await settled(house.gateway, String(queued.queue_id));
    expect(house.studio.orders[0]?.body).toEqual({
      model: 'film',
      prompt: 'A lighthouse',
      duration: '5s',
      aspect_ratio: '16:9',
      resolution: '720p',
    });
  });

  it('is repeated under its Idempotency-Key though the upstream has changed what it offers first', async () => {
    const house = await open();
    const queue = async () => {
      const response = await fetch(`${house.origin}/api/v1/video/queue`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${house.key}`,
          'idempotency-key': 'again',
        },
        body: JSON.stringify({ model: 'film', prompt: 'x' }),
      });
      return [response.status, await response.json()];
    };
    const first = await queue();
    const { models } = house.gateway.video;
    const film = (await models.find('film')) as VideoModel;
    vi.spyOn(models, 'find').mockResolvedValue({ ...film, durations: film.durations.toReversed() });
    expect([await queue(), await house.balance()]).toEqual([first, USD - PRICE]);
  });

  it('waits after a start for the list that has the options of a model whose price is configured', async () => {
    const server = await serve((_request, response) => {
      setTimeout(() => json(response, 200, { data: [{ id: 'film', model_spec: { durations: ['8s', '4s'] } }] }), 100);
    });
    const gateway = await gatewayOfFile({
      video: {
        upstreams: [{ name: 'studio', url: `${server.origin}/v1` }],
        models: { film: { pricePerSecondUsd: '0.01' }, bare: { pricePerSecondUsd: '0.01' } },
      },
    });
    const { models } = gateway.video;
    expect((await models.find('film'))?.durations).toEqual(['8s', '4s']);
    expect((await models.find('bare'))?.durations).toEqual(['5s']);
  });

  it('is answered, and paid back, where the upstream refuses', async () => {
    const house = await open();
    house.studio.intercept = (path, response) =>
      path === 'video/queue' && (json(response, 400, { error: 'Too sad.' }), true);
    const id = await house.made();
    expect(await house.ask('retrieve', { model: 'film', queue_id: id })).toMatchObject({
      status: 422,
      json: { code: 'VIDEO_FAILED', error: 'The video could not be made, and nothing was charged for it. Too sad.' },
    });
    expect(await house.balance()).toBe(USD);
    expect((await checkLedger(house.gateway.db)).faults).toEqual([]);
    expect((await house.ask('complete', { model: 'film', queue_id: id })).json).toEqual({ success: true });
    expect((await house.ask('retrieve', { model: 'film', queue_id: id })).status).toBe(404);
  });
});

describe('POST /video/retrieve', () => {
  it('is the video with its length, again and again, until it is told to delete it', async () => {
    const house = await open();
    house.studio.media = boxedMedia(300_000);
    const id = await house.made();
    for (const last of [false, false, true]) {
      const answer = await house.ask('retrieve', { model: 'film', queue_id: id, delete_media_on_completion: last });
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
        200,
        'video/mp4',
        String(house.studio.media.length),
      ]);
      expect(answer.bytes.equals(house.studio.media)).toBe(true);
    }
    await expect.poll(async () => (await house.ask('retrieve', { model: 'film', queue_id: id })).status).toBe(404);
    await expect.poll(() => readdirSync(mediaFolder(house))).toEqual([]);
  });

  it('keeps the video for a client that left in the middle of it', async () => {
    const house = await open();
    house.studio.media = boxedMedia(30_000_000);
    const id = await house.made();
    const body = JSON.stringify({ model: 'film', queue_id: id, delete_media_on_completion: true });
    await new Promise<void>((resolve) => {
      const request = httpRequest(
        `${house.origin}/api/v1/video/retrieve`,
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${house.key}`,
            'content-length': body.length,
          },
        },
        (response) => {
          response.once('data', () => {
            response.destroy();
            resolve();
          });
        },
      );
      request.end(body);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const again = await house.ask('retrieve', { model: 'film', queue_id: id });
    expect([again.status, again.bytes.length]).toEqual([200, house.studio.media.length]);
  });

  it('behind Next is the same, and deletes only what was taken to its end', async () => {
    const house = await open();
    setServedApi(house.gateway);
    house.studio.media = boxedMedia(1_000_000);
    const id = await house.made();
    const { POST } = nextRoute('/api/v1/video/retrieve');
    const ask = (deletes: boolean) =>
      throughEntry(
        POST,
        new Request('http://localhost/api/v1/video/retrieve', {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${house.key}` },
          body: JSON.stringify({ model: 'film', queue_id: id, delete_media_on_completion: deletes }),
        }),
      );
    const reader = (await ask(true)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const deletes of [false, true])
      expect(Buffer.from(await (await ask(deletes)).arrayBuffer()).equals(house.studio.media)).toBe(true);
    await expect.poll(async () => (await ask(false)).status).toBe(404);
  });

  it('of media that vanished or changed is 404, and never a part of them', async () => {
    const house = await open();
    const id = await house.made();
    const file = join(mediaFolder(house), `${id}.mp4`);
    const whole = readFileSync(file);
    for (const harm of [
      () => writeFileSync(file, whole.subarray(0, 100)),
      () => writeFileSync(file, Buffer.concat([whole, randomBytes(10)])),
      () => rmSync(file),
      () => rmSync(mediaFolder(house), { recursive: true }),
    ]) {
      harm();
      expect(await house.ask('retrieve', { model: 'film', queue_id: id })).toMatchObject({
        status: 404,
        json: { code: 'VIDEO_MEDIA_GONE' },
      });
    }
    expect((await house.ask('complete', { model: 'film', queue_id: id })).status).toBe(200);
  });

  it('breaks the connection where media end early while they are sent', async () => {
    const house = await open();
    house.studio.media = boxedMedia(30_000_000);
    const id = await house.made();
    const file = join(mediaFolder(house), `${id}.mp4`);
    const response = await fetch(`${house.origin}/api/v1/video/retrieve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${house.key}` },
      body: JSON.stringify({ model: 'film', queue_id: id }),
    });
    writeFileSync(file, readFileSync(file).subarray(0, 1_000));
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('of an expired video is 404 before anything has swept it away', async () => {
    const house = await open();
    const id = await house.made();
    await house.gateway.db
      .updateTable('video_requests')
      .set({ ended_at: Date.now() - 24 * 3_600_000 })
      .where('id', '=', id)
      .execute();
    for (const path of ['retrieve', 'complete'])
      expect((await house.ask(path, { model: 'film', queue_id: id })).status).toBe(404);
    await house.gateway.video.jobs.sweep();
    expect(readdirSync(mediaFolder(house))).toEqual([]);
  });
});
