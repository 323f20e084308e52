import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inRepository } from './repository.mjs';
import { softwareBill } from './software-bill.mjs';

const lock = {
  name: 'turnpike',
  version: '1.0.0',
  packages: {
    '': {},
    'node_modules/@a/b': {
      version: '1.2.3',
      license: 'MIT',
      integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
    },
    'node_modules/c': { version: '2.0.0', license: '(MIT OR Apache-2.0)', optional: true },
    'node_modules/@a/b/node_modules/c': { version: '1.0.0' },
    'node_modules/alias': { name: 'real', version: '3.0.0', license: 'ISC' },
    'node_modules/tool': { version: '9.0.0', dev: true },
    'node_modules/ours': { link: true },
  },
};

describe('a bill of materials', () => {
  test('has every package that ships, once a version, by its package URL, with licence and checksum', () => {
    const { components } = softwareBill(lock);
    expect(components.map((component) => component?.['bom-ref'])).toEqual([
      'pkg:npm/%40a/b@1.2.3',
      'pkg:npm/c@1.0.0',
      'pkg:npm/c@2.0.0',
      'pkg:npm/real@3.0.0',
    ]);
    expect(components[0]).toMatchObject({
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
    });
    expect(components[2]).toMatchObject({ scope: 'optional', licenses: [{ expression: '(MIT OR Apache-2.0)' }] });
  });

  test('has what is built and tested with on demand', () => {
    expect(softwareBill(lock, { withDevelopment: true }).components).toHaveLength(5);
  });

  test('of this product is the same each time, and names no host', () => {
    const read = () =>
      JSON.stringify(softwareBill(JSON.parse(fs.readFileSync(inRepository('package-lock.json'), 'utf8'))));
    expect(read() === read()).toBe(true);
    expect(read().includes('://')).toBe(false);
    expect(JSON.parse(read()).components.length).toBeGreaterThan(300);
  });
});
