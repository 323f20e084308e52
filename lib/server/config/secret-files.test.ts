import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { loadConfig } from './load';
import { Faults } from './faults';
import { withSecretFiles } from './secret-files';

const SECRET = 'x'.repeat(40);

function fileOf(text: string): string {
  const file = join(tempFolder(), 'secret');
  writeFileSync(file, text);
  return file;
}

describe('a variable whose value stands in a file', () => {
  it('has that value, without the line end, wherever a variable may be used', () => {
    const folder = tempFolder();
    writeFileSync(
      join(folder, 'turnpike.config.json'),
      JSON.stringify({ networks: { 'ethereum-mainnet': { upstreams: ['https://node.example/${NODE_KEY}'] } } }),
    );
    const config = loadConfig(
      {
        TURNPIKE_PROFILE: 'live',
        TURNPIKE_SECRET_FILE: fileOf(`${SECRET}\n`),
        DATABASE_URL_FILE: fileOf('postgres://a:b@c/d\r\n'),
        NODE_KEY_FILE: fileOf('key'),
        RPC_BASE_MAINNET_FILE: fileOf('https://base.example/1\n'),
      },
      folder,
    );
    expect(config.secret?.reveal()).toBe(SECRET);
    expect(config.databaseUrl?.reveal()).toBe('postgres://a:b@c/d');
    expect(config.networks['ethereum-mainnet']?.upstreams[0]?.url.reveal()).toBe('https://node.example/key');
    expect(config.networks['base-mainnet']?.upstreams[0]?.url.reveal()).toBe('https://base.example/1');
  });

  it.each([
    ['that is not there', null, 'cannot be read (ENOENT)'],
    ['that is empty', '\n', 'the file is empty'],
    ['that is too long', 'x'.repeat(70_000), 'more than 65536 characters'],
  ])('%s stops the start, by the name of the variable', (_what, text, sentence) => {
    const file = text === null ? '/nowhere/at/all' : fileOf(text);
    expect(() => loadConfig({ TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET_FILE: file }, tempFolder())).toThrow(
      new RegExp(`TURNPIKE_SECRET_FILE: .*${sentence.replace(/[()]/g, '\\$&')}`),
    );
  });

  it('given twice stops the start, and repeats neither', () => {
    const start = () =>
      loadConfig(
        { TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: SECRET, TURNPIKE_SECRET_FILE: fileOf(SECRET) },
        tempFolder(),
      );
    expect(start).toThrow(/TURNPIKE_SECRET_FILE: .*one of the two/);
    expect(start).not.toThrow(new RegExp(SECRET));
  });

  it('of another program is not looked at', () => {
    const faults = new Faults();
    withSecretFiles({ SSL_CERT_FILE: '/nowhere', PATH: '/bin' }, faults);
    expect(loadConfig({ SSL_CERT_FILE: '/nowhere' }, tempFolder()).profile).toBe('sandbox');
    expect(faults.size).toBe(0);
  });
});
