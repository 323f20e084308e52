import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { changesBetween } from '../../config/changes';
import { ConfigError, readConfig } from '../../config/load';
import { costsOf } from './unit-costs';

function read(settings: object) {
  const folder = tempFolder();
  writeFileSync(join(folder, 'turnpike.config.json'), JSON.stringify({ profile: 'sandbox', ...settings }));
  return readConfig({}, folder);
}

function faultsOf(settings: object): readonly string[] {
  try {
    read(settings);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const TOKENS = { inputUsdPerMillionTokens: '0.10', outputUsdPerMillionTokens: '0.40' };

describe('the costs of models and networks', () => {
  it('come from the configuration, in nano-USD, beside the prices', () => {
    const { config } = read({
      networks: { 'base-mainnet': { upstreams: ['http://127.0.0.1:1'], costs: { usdPerCredit: '0.0000001' } } },
      inference: {
        models: {
          plain: { costs: TOKENS },
          cached: { costs: { ...TOKENS, cachedInputUsdPerMillionTokens: 'free' } },
        },
      },
      embeddings: { models: { e: { costs: { usdPerMillionTokens: '0.01' } } } },
      speech: { models: { 'tts-kokoro': { costs: { usdPerMillionCharacters: '2' } } } },
      transcriptions: { models: { t: { costs: { usdPerSecond: '0.00005' } } } },
      images: { models: { i: { usdPerImage: { '512x512': '0.02' }, costs: { usdPerImage: { '512x512': '0.01' } } } } },
      video: { models: { v: { costs: { usdPerSecond: '0.03' } } } },
    });
    const costs = costsOf(config);
    const kind = (price: number, cost: number) => ({ price, cost });
    const per = 1_000_000;
    expect(costs('rpc', 'base-mainnet')).toEqual({ per: 1, kinds: [kind(0, 100)] });
    expect(costs('chat', 'plain')).toEqual({ per, kinds: [kind(150_000_000, 1e8), kind(600_000_000, 4e8)] });
    expect(costs('chat', 'cached')?.kinds[2]).toEqual(kind(150_000_000, 0));
    expect(costs('embeddings', 'e')).toEqual({ per, kinds: [kind(0, 10_000_000)] });
    expect(costs('speech', 'tts-kokoro')).toEqual({ per, kinds: [kind(0, 2_000_000_000)] });
    expect(costs('transcriptions', 't')).toEqual({ per: 1, kinds: [kind(0, 50_000)] });
    expect(costs('images', 'i')).toEqual({ per: 1, kinds: [kind(20_000_000, 10_000_000)] });
    expect(costs('video', 'v')).toEqual({ per: 1, kinds: [kind(0, 30_000_000)] });
  });

  it('are unknown where none is set, and of names that no configuration has', () => {
    const costs = costsOf(read({}).config);
    for (const product of ['rpc', 'chat', 'embeddings', 'speech', 'transcriptions', 'images', 'video', 'toString'])
      for (const name of ['nothing', 'constructor', '__proto__', '']) expect(costs(product, name)).toBeNull();
  });

  it.each([
    [
      'half of a chat’s',
      { inference: { models: { m: { costs: { inputUsdPerMillionTokens: '1' } } } } },
      /^inference\.models\.m\.costs/,
    ],
    [
      'a number',
      { video: { models: { m: { costs: { usdPerSecond: 1 } } } } },
      /^video\.models\.m\.costs\.usdPerSecond/,
    ],
    ['less than nothing', { embeddings: { models: { m: { costs: { usdPerMillionTokens: '-1' } } } } }, /^embeddings/],
    ['another field', { transcriptions: { models: { m: { costs: { usdPerMinute: '1' } } } } }, /^transcriptions/],
    ['too much', { networks: { 'base-mainnet': { costs: { usdPerCredit: '2' } } } }, /^networks\.base-mainnet\.costs/],
    [
      'those of some sizes only',
      {
        images: {
          models: {
            m: { usdPerImage: { '1x1': '1', '22x22': '1', '33x33': '2' }, costs: { usdPerImage: { '22x22': '1' } } },
          },
        },
      },
      /^images\.models\.m/,
    ],
  ])('cannot be %s', (_what, settings, fault) => {
    expect(faultsOf(settings)[0]).toMatch(fault);
  });

  it('change while the gateway runs', () => {
    const of = (usd: string) => ({
      inference: { models: { m: { costs: { ...TOKENS, outputUsdPerMillionTokens: usd } } } },
      embeddings: { models: { 'e.v2': { costs: { usdPerMillionTokens: usd } } } },
      networks: { 'base-mainnet': { costs: { usdPerCredit: '0.0000001' } } },
    });
    const { live, restart } = changesBetween(read(of('1')).source, read(of('2')).source);
    expect(restart).toEqual([]);
    expect(live).toEqual([
      'inference.models.m.costs.outputUsdPerMillionTokens',
      'embeddings.models.e.v2.costs.usdPerMillionTokens',
    ]);
  });
});
