import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIVE_ENV } from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { loadConfig } from './load';

const SERVICES = ['embeddings', 'images'] as const;

describe.each(SERVICES)('the upstream of %s in the environment', (service) => {
  const [url, key] = [`${service.toUpperCase()}_UPSTREAM_URL`, `${service.toUpperCase()}_UPSTREAM_KEY`];
  const load = (env: Record<string, string>, file: object = {}) => {
    const folder = tempFolder();
    writeFileSync(
      join(folder, 'turnpike.config.json'),
      JSON.stringify({ profile: 'live', dataDir: folder, [service]: file }),
    );
    return loadConfig({ ...LIVE_ENV, ...env }, folder);
  };

  it('goes before those of the file, and models may name it', () => {
    const config = load(
      { [url]: 'https://far.example/v1/', [key]: 'sk-1' },
      { upstreams: [{ name: 'near', url: 'http://127.0.0.1:2/v1' }], models: { one: { upstream: service } } },
    );
    expect(config[service].upstreams.map((each) => [each.name, each.url, each.key?.reveal() ?? null])).toEqual([
      [service, 'https://far.example/v1', 'sk-1'],
      ['near', 'http://127.0.0.1:2/v1', null],
    ]);
    expect(config.warnings.join()).not.toContain(url);
  });

  it('needs no key, and shows none when it is printed', () => {
    expect(load({ [url]: 'http://127.0.0.1:1/v1' })[service].upstreams).toMatchObject([{ key: null }]);
    const printed = load({ [url]: 'http://127.0.0.1:1/v1', [key]: 'sk-secret' })[service];
    expect(JSON.stringify(printed)).not.toContain('sk-secret');
  });

  it('without a model in the file is warned about, because the gateway offers none then', () => {
    expect(load({ [url]: 'http://127.0.0.1:1/v1' }).warnings).toContainEqual(expect.stringContaining(url));
  });
});
