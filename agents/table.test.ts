import { expect, test } from 'vitest';
import { codex } from './programs/codex';
import { tableOf, withTable } from './table';

/** Guarantee: the table says of each program, version and route what came of every task, and takes the place of the one before. */

test('a row has the version and what came of each task', () => {
  const outcomes = [
    { task: 'prompt' as const, isGood: true, note: '', out: '', requests: [] },
    { task: 'failure' as const, isGood: true, note: 'reason shown, asked once', out: '', requests: [] },
    { task: 'image' as const, isGood: false, note: 'a | b', out: '', requests: [] },
  ];
  const [, , row] = tableOf([{ program: codex, route: 'proxy', outcomes }]).split('\n');
  expect(row).toBe(`| Codex CLI | ${codex.packages['@openai/codex']} | Responses | proxy | works | not tried | not tried | **fails**: a \\| b | reason shown, asked once |`);
});

test('the table stands between its marks, and all around it stays', () => {
  const document = 'Before.\n<!-- npm run agents writes what follows -->\nold\n<!-- npm run agents wrote what precedes -->\nAfter.\n';
  const once = withTable(document, '| new |\n');
  expect(once).toBe('Before.\n<!-- npm run agents writes what follows -->\n\n| new |\n\n<!-- npm run agents wrote what precedes -->\nAfter.\n');
  expect(withTable(once, '| new |\n')).toBe(once);
  expect(() => withTable('No marks.', '')).toThrow('no marks');
});
