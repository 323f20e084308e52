import { expect, test } from 'vitest';
import { codex } from './programs/codex';
import { tableOf, withTable } from './table';

/**
 * Guarantee: the table lists the result of every task for each program, version and route. A new result replaces the
 * old one.
 */

test('a row has the version and what came of each task', () => {
  const outcomes = [
    { task: 'prompt' as const, isGood: true, note: '', out: '', requests: [] },
    { task: 'failure' as const, isGood: true, note: 'reason shown, asked once', out: '', requests: [] },
    { task: 'image' as const, isGood: false, note: 'a | b of "msg_d784c56085789fcc"', out: '', requests: [] },
  ];
  const [, , row] = tableOf([{ program: codex, route: 'proxy', outcomes }]).split('\n');
  expect(row).toBe(
    `| Codex CLI | ${codex.packages['@openai/codex']} | Responses | proxy | works | not tried | not tried | **fails**: a \\| b of "msg_…" | reason shown, asked once |`,
  );
});

test('rows take the places of those of the same program and route, and all else stays', () => {
  const document =
    'Before.\n<!-- npm run agents writes what follows -->\n\n<!-- npm run agents wrote what precedes -->\nAfter.\n';
  const row = (program: string, version: string, route: string) =>
    `| ${program} | ${version} | Messages | ${route} | works |\n`;
  const once = withTable(document, row('One', '1', 'gateway') + row('One', '1', 'proxy') + row('Two', '1', 'gateway'));
  expect(withTable(once, row('One', '2', 'proxy'))).toBe(
    `Before.\n<!-- npm run agents writes what follows -->\n\n${row('One', '1', 'gateway')}${row('One', '2', 'proxy')}${row('Two', '1', 'gateway')}\n<!-- npm run agents wrote what precedes -->\nAfter.\n`,
  );
  expect(withTable(once, '')).toBe(once);
  expect(() => withTable('No marks.', '')).toThrow('no marks');
});
