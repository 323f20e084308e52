import { expect, test } from 'vitest';
import { readOptions, wordsOf } from './options';
import { UsageError } from './usage-error';

const OPTIONS = {
  usd: { type: 'string' },
  only: { type: 'string', multiple: true },
  rounds: { type: 'string', default: '3' },
  json: { type: 'boolean', short: 'j' },
} as const;

test('options stand before, between and after words, and keep their defaults', () => {
  expect(readOptions(['a', '--only', 'x', 'b', '-j', '--only=y'], OPTIONS)).toEqual({
    values: { only: ['x', 'y'], json: true, rounds: '3' },
    positionals: ['a', 'b'],
  });
});

test('a negative number is the value of the option before it', () => {
  expect(readOptions(['--usd', '-1.5', 'a'], OPTIONS)).toMatchObject({ values: { usd: '-1.5' }, positionals: ['a'] });
  expect(wordsOf(['a', '--usd', '-1', 'b', '--unknown'], OPTIONS)).toEqual(['a', 'b']);
});

test.each([[['--nothing']], [['--usd']], [['--json=yes']], [['--usd', '--json']], [['-x']]])(
  '%j is refused in one line',
  (args) => {
    expect(() => readOptions(args, OPTIONS)).toThrow(UsageError);
    expect(() => readOptions(args, OPTIONS)).toThrow(/^[^\n]+$/);
  },
);
