import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder';
import { loadConfig } from './load';

function inference(env: Record<string, string>, file?: object) {
  const dataDir = tempFolder();
  if (file) writeFileSync(join(dataDir, 'turnpike.config.json'), JSON.stringify({ profile: 'live', dataDir, inference: file }));
  return loadConfig({ TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 's'.repeat(32), ...env }, dataDir).inference;
}

describe('upstreams of chat', () => {
  it('are named by the environment alone, an enclave proxy before a plain server', () => {
    const { upstreams } = inference({ CHAT_UPSTREAM_URL: 'http://127.0.0.1:11434/v1/', CHAT_UPSTREAM_KEY: 'sk-1', ENCLAVE_UPSTREAM_URL: 'https://enclave.example/v1', ENCLAVE_UPSTREAM_KEY: 'sk-2' });
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
    const { upstreams } = inference({ CHAT_UPSTREAM_URL: 'http://127.0.0.1:1/v1' }, { enclaveUpstreams: [{ name: 'far', url: 'https://far.example/v1' }], chatUpstreams: [{ name: 'near', url: 'http://127.0.0.1:2/v1' }] });
    expect(upstreams.map(({ name }) => name)).toEqual(['far', 'chat', 'near']);
  });

  it('show no key when they are printed', () => {
    expect(JSON.stringify(inference({ CHAT_UPSTREAM_URL: 'http://127.0.0.1:1/v1', CHAT_UPSTREAM_KEY: 'sk-secret' }))).not.toContain('sk-secret');
  });

  it.each([
    [{ CHAT_UPSTREAM_URL: 'ollama' }, undefined, 'CHAT_UPSTREAM_URL'],
    [{ ENCLAVE_UPSTREAM_URL: 'ftp://enclave.example' }, undefined, 'ENCLAVE_UPSTREAM_URL'],
    [{}, { chatUpstreams: [{ name: 'a', url: 'http://a/v1' }, { name: 'a', url: 'http://b/v1' }] }, 'chatUpstreams'],
    [{}, { chatUpstreams: [{ name: 'a', url: 'http://a/v1', headers: { 'x y': 'z' } }] }, 'headers'],
    [{}, { prices: { inputUsdPerMillionTokens: '-1' } }, 'inputUsdPerMillionTokens'],
    [{}, { failoverTimeoutMs: 0 }, 'failoverTimeoutMs'],
  ])('are refused by name where they are wrong: %j %j', (env, file, name) => {
    expect(() => inference(env as Record<string, string>, file)).toThrow(name);
  });
});
