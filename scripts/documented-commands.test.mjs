import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { programs } from './bundle.mjs';
import { inRepository, repositoryRoot } from './parts/repository.mjs';
import { countedFiles } from './parts/word-count.mjs';

const documents = [...countedFiles().documents, 'examples/README.md', 'packages/turnpike-client/README.md'];
const read = (/** @type {string} */ file) => readFileSync(inRepository(file), 'utf8');

/** Blocks of shell commands in the documents. */
const blocks = documents.flatMap((file) =>
  [...read(file).matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)].map(([, , text = '']) => ({ file, text })),
);

/** Command lines in blocks and in inline code, without comments. */
const commands = documents.flatMap((file) => [
  ...blocks
    .filter((block) => block.file === file)
    .flatMap(({ text }) => text.replace(/\\\n/g, ' ').split('\n'))
    .map((line) => ({ file, line: line.replace(/(?:^|\s)#.*/, '').trim() })),
  ...[...read(file).matchAll(/`((?:[A-Z_]+=\S+ )*(?:npm|npx|node|docker|kubectl) [^`\n]+)`/g)].map(([, line = '']) => ({
    file,
    line,
  })),
]);

test('a shell can read every block of commands', () => {
  expect(blocks.length).toBeGreaterThan(30);
  for (const { file, text } of blocks) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: text.replaceAll(/<([^>\n]*)>/g, 'URL') });
    expect([file, status, String(stderr)]).toEqual([file, 0, '']);
  }
});

test('every file that a command names exists', () => {
  const named = commands.flatMap(({ file, line }) =>
    line
      .split(/\s+/)
      .filter((word) =>
        /^(?:app|attack|bench|contracts|deploy|e2e|examples|lib|ops|scripts|test)\/[\w./-]+$/.test(word),
      )
      .map((word) => ({ file, word })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ word }) => !/FILE|PATH/.test(word) && !existsSync(inRepository(word)))).toEqual([]);
});

test('every program of dist that a command names is built', () => {
  const named = commands.flatMap(({ line }) => [...line.matchAll(/\bdist\/([\w-]+)\.mjs/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !(String(name) in programs))).toEqual([]);
});

test('every option that a document gives to an npm script is one that its program knows', () => {
  const given = commands.flatMap(({ file, line }) => {
    const [, name, options] = /\bnpm (?:run (?:-s )?)?([a-z:-]+) -- (.*)$/.exec(line) ?? [];
    // documented-commands.test.ts of lib/server/admin checks these.
    if (name === undefined || name === 'admin') return [];
    return [...String(options).matchAll(/--([a-z][a-z-]*)/g)].map(([, option]) => ({ file, name, option }));
  });
  expect(given.length).toBeGreaterThan(10);
  const unknown = given.filter(({ name, option }) => {
    const sources = [`scripts/${name}.mjs`, ...globSync(`${name}/*.ts`, { cwd: repositoryRoot })];
    return !sources.some((source) => new RegExp(`--${option}\\b|^\\s*'?${option}'?:`, 'm').test(read(source)));
  });
  expect(unknown).toEqual([]);
});
