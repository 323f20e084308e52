import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

import { inRepository, repositoryRoot } from './parts/repository.mjs';

const document = readFileSync(inRepository('docs/architecture.md'), 'utf8');

/**
 * @returns {{title: string, steps: {file: string, isHandedOver: boolean}[]}[]} the walks of the document, file by file
 */
function walks() {
  const [, told = ''] = /\n## Three walks\n([\s\S]*?)\n## /.exec(document) ?? [];
  return told
    .split('\n### ')
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf('\n')),
      steps: [...text.matchAll(/^\d+\. `([^`]+)`( \(\*handed over\*)?/gm)].map(([, file, mark]) => ({
        file: String(file),
        isHandedOver: mark !== undefined,
      })),
    }));
}

/** @param {string} file @returns {string[]} the repository files that it imports, from the root, without endings */
function importsOf(file) {
  const text = readFileSync(inRepository(file), 'utf8');
  return [...text.matchAll(/\bfrom '((?:@\/|\.)[^']*)'/g)].map(([, path]) => {
    const name = String(path);
    return name.startsWith('@/') ? name.slice(2) : relative(repositoryRoot, join(repositoryRoot, dirname(file), name));
  });
}

/** @param {string} file */
const withoutEnding = (file) => file.replace(/(?:\/index)?\.tsx?$/, '');

describe('the walks of docs/architecture.md', () => {
  test('are three, of about ten files each', () => {
    expect(walks().map(({ steps }) => steps.length >= 8 && steps.length <= 13)).toEqual([true, true, true]);
  });

  for (const { title, steps } of walks()) {
    test(`"${title}": every file exists, and imports the next, or is handed it`, () => {
      for (const [index, { file }] of steps.entries()) {
        expect(existsSync(inRepository(file)), file).toBe(true);
        const next = steps[index + 1];
        if (next && !next.isHandedOver)
          expect(importsOf(file), `${file} imports ${next.file}`).toContain(withoutEnding(next.file));
      }
    });
  }

  test('what is said to be handed over is put together by files that the others do not import', () => {
    for (const { steps } of walks()) {
      for (const [index, { file, isHandedOver }] of steps.entries()) {
        const before = steps[index - 1];
        if (isHandedOver && before)
          expect(importsOf(before.file), `${before.file} imports ${file}, so that it is not handed over`).not.toContain(
            withoutEnding(file),
          );
      }
    }
  });
});

test('every file and folder that "Where is what?" names exists', () => {
  const [, told = ''] = /\n## Where is what\?\n([\s\S]*?)\n## /.exec(document) ?? [];
  const named = [...told.matchAll(/`((?:lib|app|components|e2e|scripts)(?:\/[\w./-]+)?)`/g)].map(([, path]) =>
    String(path),
  );
  expect(named.length).toBeGreaterThan(15);
  for (const path of named) expect(existsSync(inRepository(path)), path).toBe(true);
});

test('every room of the server that docs/architecture.md names exists, and none is left out', () => {
  const [, told = ''] = /\n### The rooms of the server\n([\s\S]*?)\nAn endpoint is/.exec(document) ?? [];
  const rooms = [...told.matchAll(/^\| \d \| ([^|]+) \|/gm)].flatMap(([, cell]) =>
    [...String(cell).matchAll(/`([\w.-]+)`/g)].map(([, name]) => String(name)),
  );
  for (const room of rooms) expect(existsSync(inRepository(`lib/server/${room}`)), room).toBe(true);
  expect(rooms).toEqual(
    expect.arrayContaining([
      'config',
      'http',
      'db',
      'telemetry',
      'upstreams',
      'auth',
      'billing',
      'rpc',
      'chat',
      'speech',
      'video',
      'payments',
      'staking',
      'attestation',
      'api',
      'admin',
    ]),
  );
});
