import { describe, expect, it } from 'vitest';
import { askOfferedModels } from './ask-offered-models';
import { askKnownDescription, askKnownFacts, askKnownStaking } from './known-facts';

const answers =
  (bodies: Record<string, unknown>): typeof fetch =>
  (input) => {
    const body = bodies[new URL(String(input)).pathname];
    return body === undefined ? Promise.reject(new TypeError('nothing there')) : Promise.resolve(Response.json(body));
  };

describe('what is known while a page is rendered', () => {
  it('is what the gateway says of itself', async () => {
    const facts = await askKnownFacts({
      baseUrl: 'http://gateway',
      fetch: answers({
        '/api/settings': { profile: 'live', minimumTopUpUsd: 7 },
        '/api/v1/crypto/rpc/networks': { networks: ['base'] },
      }),
    });
    expect(facts).toMatchObject({ settings: { profile: 'live', minimumTopUpUsd: 7 }, networks: ['base'] });
  });

  it('is null where it cannot be had, which keeps no page from coming', async () => {
    expect(await askKnownFacts({ baseUrl: 'http://gateway', fetch: answers({}) })).toEqual({
      settings: null,
      networks: null,
    });
  });

  it('is null where it takes too long', async () => {
    expect(await askKnownFacts({ baseUrl: 'http://gateway', fetch: () => new Promise(() => undefined) })).toEqual({
      settings: null,
      networks: null,
    });
  });

  it('has prices and the pool, each where it is known', async () => {
    const list = { data: [{ id: 'guide', type: 'text', model_spec: { name: 'Guide' } }] };
    const known = await askKnownStaking({
      baseUrl: 'http://gateway',
      fetch: answers({ '/api/v1/models': list, '/api/staking-pool': { total: '5', decimals: 18 } }),
    });
    expect(known.map(([key]) => key)).toEqual([['models', 'every'], ['staking-pool']]);
    expect(known[1]?.[1]).toEqual({ total: 5n, decimals: 18 });
    expect(await askKnownStaking({ baseUrl: 'http://gateway', fetch: answers({}) })).toEqual([
      [['models', 'every'], null],
      [['staking-pool'], null],
    ]);
  });
});

describe('the API description', () => {
  it('is the served document, or null where it cannot be had', async () => {
    const document = { openapi: '3.1.0' };
    const served = answers({ '/api/v1/openapi.json': document });
    expect(await askKnownDescription({ baseUrl: 'http://gateway', fetch: served })).toEqual(document);
    expect(await askKnownDescription({ baseUrl: 'http://gateway', fetch: answers({}) })).toBeNull();
  });
});

describe('the catalogue', () => {
  it.each([
    ['asr', { per_audio_second: { usd: 0.0001 } }, 'transcriptions', { usd: 0.0001 }, 'a second'],
    ['embedding', { input: { usd: 0.02 } }, 'embeddings', { usd: 0.02 }, 'per million tokens'],
    ['image', { generation: { usd: 0.01 } }, 'images', { usd: 0.01 }, 'a picture'],
    ['video', { per_second: { usd: 0.1 } }, 'video', { usd: expect.any(Number) as number }, 'a second'],
  ] as const)('has a row for a model of type %s, with its price', async (type, pricing, kind, price, unit) => {
    const spec = { name: 'One', dimensions: null, sizes: [], voices: [], durations: [], aspectRatios: [], pricing };
    const models = await askOfferedModels({
      baseUrl: 'http://gateway',
      fetch: (input) => {
        const isAsked = new URL(String(input)).searchParams.get('type') === type;
        return Promise.resolve(Response.json({ data: isAsked ? [{ id: 'one', type, model_spec: spec }] : [] }));
      },
    });
    expect(models).toEqual([
      {
        kind,
        id: 'one',
        name: 'One',
        isOffline: false,
        contextTokens: null,
        firstTokenMs: null,
        can: expect.anything() as unknown,
        prices: [price],
        unit,
      },
    ]);
  });
});
