import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { loadConfig } from './load';

function inference(env: Record<string, string>, file?: object) {
  const dataDir = tempFolder();
  if (file)
    writeFileSync(join(dataDir, 'turnpike.config.json'), JSON.stringify({ profile: 'live', dataDir, inference: file }));
  return loadConfig({ TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 's'.repeat(32), ...env }, dataDir).inference;
}

describe('upstreams of chat', () => {
  it('are named by the environment alone, an enclave proxy before a plain server', () => {
    const { upstreams } = inference({
      CHAT_UPSTREAM_URL: 'http://127.0.0.1:11434/v1/',
      CHAT_UPSTREAM_KEY: 'sk-1',
      ENCLAVE_UPSTREAM_URL: 'https://enclave.example/v1',
      ENCLAVE_UPSTREAM_KEY: 'sk-2',
    });
    expect(upstreams.map(({ name, url, key, isEnclave }) => [name, url, key?.reveal(), isEnclave])).toEqual([
      ['enclave', 'https://enclave.example/v1', 'sk-2', true],
      ['chat', 'http://127.0.0.1:11434/v1', 'sk-1', false],
    ]);
  });

  it('need no key', () => {
    expect(inference({ CHAT_UPSTREAM_URL: 'http://127.0.0.1:11434/v1' }).upstreams).toMatchObject([{ key: null }]);
    expect(inference({}).upstreams).toEqual([]);
  });

  it('of the environment go before those of the file, and enclaves before all others', () => {
    const { upstreams } = inference(
      { CHAT_UPSTREAM_URL: 'http://127.0.0.1:1/v1' },
      {
        enclaveUpstreams: [{ name: 'far', url: 'https://far.example/v1' }],
        chatUpstreams: [{ name: 'near', url: 'http://127.0.0.1:2/v1' }],
      },
    );
    expect(upstreams.map(({ name }) => name)).toEqual(['far', 'chat', 'near']);
  });

  it('show no key when they are printed', () => {
    expect(
      JSON.stringify(inference({ CHAT_UPSTREAM_URL: 'http://127.0.0.1:1/v1', CHAT_UPSTREAM_KEY: 'sk-secret' })),
    ).not.toContain('sk-secret');
  });

  it.each([
    [{ CHAT_UPSTREAM_URL: 'ollama' }, undefined, 'CHAT_UPSTREAM_URL'],
    [{ ENCLAVE_UPSTREAM_URL: 'ftp://enclave.example' }, undefined, 'ENCLAVE_UPSTREAM_URL'],
    [
      {},
      {
        chatUpstreams: [
          { name: 'a', url: 'http://a/v1' },
          { name: 'a', url: 'http://b/v1' },
        ],
      },
      'chatUpstreams',
    ],
    [{}, { chatUpstreams: [{ name: 'a', url: 'http://a/v1', headers: { 'x y': 'z' } }] }, 'headers'],
    [{}, { prices: { inputUsdPerMillionTokens: '-1' } }, 'inputUsdPerMillionTokens'],
    [{}, { failoverTimeoutMs: 0 }, 'failoverTimeoutMs'],
  ])('are refused by name where they are wrong: %j %j', (env, file, name) => {
    expect(() => inference(env as Record<string, string>, file)).toThrow(name);
  });
});

describe('fields of chats that go out beside the known ones', () => {
  it('are named one by one, and may be such as are else left out', () => {
    expect([...inference({}, { chatFields: ['chat_template_kwargs', 'min_tokens', 'metadata'] }).chatFields]).toEqual([
      'chat_template_kwargs',
      'min_tokens',
      'metadata',
    ]);
    expect([...inference({}).chatFields]).toEqual([]);
  });

  it.each([
    ['Max_Tokens', 'max_tokens'],
    ['bestOf', 'several completions'],
    ['models', 'several completions'],
    ['extra_body', 'several completions'],
    ['temperature', 'already'],
    ['prediction', 'prediction'],
    ['web_search_options', 'not offered'],
    ['a b', 'name of a field'],
  ])('%j is refused: %s', (name, reason) => {
    expect(() => inference({}, { chatFields: ['ok', name] })).toThrow(reason);
  });
});

describe('workloads that are known', () => {
  const register = (digit: string) => digit.repeat(96);
  const platform = { mrTd: register('a'), rtMr0: register('1'), rtMr1: register('2'), rtMr2: register('3') };
  const hash = 'cd'.repeat(32);

  it('are pinned by all their measurements, by an image, or, as in earlier configurations, by less, which makes none known', () => {
    const workloads = [
      { name: 'whole', ...platform, composeHash: hash },
      { name: 'imaged', imageHash: hash, composeHash: hash },
      { name: 'of earlier', composeHash: hash },
    ];
    const { pinnedWorkloads, pinnedImages } = inference(
      {},
      { attestation: { workloads, images: [{ hash, ...platform }] } },
    ).attestation;
    expect({ pinnedWorkloads, pinnedImages }).toEqual({
      pinnedWorkloads: workloads,
      pinnedImages: [{ hash, ...platform }],
    });
  });

  it.each<[string, object]>([
    ['a register that is cut', { workloads: [{ name: 'x', rtMr0: 'ab' }] }],
    ['a measurement that is misspelt', { workloads: [{ name: 'x', rtmr0: register('1') }] }],
    [
      'an image that leaves a register out',
      { images: [{ hash, mrTd: platform.mrTd, rtMr0: platform.rtMr0, rtMr1: platform.rtMr1 }] },
    ],
  ])('are refused with %s', (_, attestation) => {
    expect(() => inference({}, { attestation })).toThrow();
  });
});
