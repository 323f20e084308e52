import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCommandLine } from './command-line';

const ROOT = resolve(import.meta.dirname, '../../..');
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

/** Commands after `npm run admin --` in the documents, in code blocks and inline code. */
const commands = [
  ...new Set(
    DOCUMENTS.flatMap((document) =>
      [...readFileSync(join(ROOT, document), 'utf8').matchAll(/npm run (?:-s )?admin -- ([^`#\n…]+)/g)].map(
        ([, words = '']) => words.trim(),
      ),
    ),
  ),
];

async function helpOf(line: string): Promise<string> {
  let help = '';
  const code = await runCommandLine([...line.split(/ +/), '--help'], {
    env: {},
    cwd: ROOT,
    out: (text) => (help += text),
    err: (text) => (help += text),
  });
  expect(code).toBe(0);
  return help;
}

it('the documents name commands of the operator', () => {
  expect(commands.length).toBeGreaterThan(20);
});

it.each(commands)('"admin %s" is a command that has these options', async (line) => {
  const help = await helpOf(line.replace(/"[^"]*"/g, 'x'));
  expect(help, 'no such command').not.toBe(await helpOf(''));
  for (const [option] of line.matchAll(/(?<= )--[a-z0-9-]+/g)) expect(help).toContain(option);
});
