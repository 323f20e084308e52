import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { scriptedModel } from '@/test/scripted-model';

describe('GET /models/{model}', () => {
  const start = async () => {
    const upstream = await scriptedModel(undefined, [{ id: 'plain' }, { id: 'vendor/model 2' }]);
    return chatGateway({ chatUpstreams: [{ name: 'test', url: upstream.url }] });
  };

  it('has the entry of the list, also of an id with slashes', async () => {
    const { get } = await start();
    const listed = (await get('/models?type=all')).json['data'] as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(['plain', 'vendor/model 2']);
    for (const entry of listed)
      expect(await get(`/models/${encodeURIComponent(entry.id)}`, { key: null })).toMatchObject({
        status: 200,
        json: entry,
      });
  });

  it('answers the official OpenAI client', async () => {
    const { origin, key } = await start();
    const client = new OpenAI({ baseURL: `${origin}/api/v1`, apiKey: key, maxRetries: 0 });
    expect(await client.models.retrieve('vendor/model 2')).toMatchObject({ id: 'vendor/model 2', object: 'model' });
    await expect(client.models.retrieve('none')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('There is no model'),
    });
  });

  it('is 404 for a model that is not there, and 400 for a path that cannot be read', async () => {
    const { get } = await start();
    expect(await get('/models/none')).toMatchObject({
      status: 404,
      json: { code: 'MODEL_NOT_FOUND', error: expect.stringContaining('"none"') },
    });
    expect((await get('/models/%zz')).status).toBe(400);
  });

  it('is public, but a credential that is presented must hold', async () => {
    const { get } = await start();
    expect((await get('/models/plain', { key: null })).status).toBe(200);
    expect((await get('/models/plain', { key: 'tpk_unknown' })).status).toBe(401);
  });
});
