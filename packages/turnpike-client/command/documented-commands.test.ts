import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '@/test/customer-command';

const ROOT = resolve(import.meta.dirname, '../../..');
const DOCUMENTS = ['README.md', 'packages/turnpike-client/README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

/** Commands with options in the documents, in code blocks and inline code. */
const commands = [
  ...new Set(
    DOCUMENTS.flatMap((document) =>
      [
        ...readFileSync(join(ROOT, document), 'utf8')
          .replaceAll('\\\n', ' ')
          .matchAll(/turnpike-client ([a-z-]+(?: [^`#\n]+)?)(?=[`#\n])/g),
      ].map(([, words = '']) => words.replace(/ -- .*/, '').trim()),
    ),
  ),
].filter((line) => line.includes('--'));

it('the documents name commands with options', () => {
  expect(commands.length).toBeGreaterThan(8);
});

it.each(commands)('"turnpike-client %s" is a command that has these options', async (line) => {
  const [name = ''] = line.split(' ');
  const { code, out } = await runCommand([name, '--help']);
  expect(code).toBe(0);
  // The inspector's own options follow the command that it starts.
  const own = line.replace(/ --method .*/, '');
  for (const [option] of own.matchAll(/(?<= )--[a-z0-9-]+/g)) expect(out).toContain(option);
});
