import { describe, expect, test } from 'vitest';
import { runCommand } from '@/test/customer-command';
import { countOption, readOptions, usdOption } from './options';
import { UsageError } from '@/lib/command-line/usage-error';

/**
 * Guarantee: a command line is parsed as intended, or refused with a sentence. A secret on it is refused and not
 * repeated.
 */

const OPTIONS = { url: { type: 'string' }, json: { type: 'boolean' } } as const;
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('It was not refused.');
};

test('options stand before, between and after arguments', () => {
  expect(readOptions(['a', '--url', 'x', 'b', '--json'], OPTIONS)).toMatchObject({
    values: { url: 'x', json: true },
    positionals: ['a', 'b'],
  });
});

test.each([
  ['--private-key=0xsecret', '--private-key'],
  ['--privatekey', '--privatekey'],
  ['--api-key', '--api-key'],
  ['--apikey=secret', '--apikey'],
  ['--mnemonic', '--mnemonic'],
  ['--seed-phrase', '--seed-phrase'],
  ['--password=secret', '--password'],
  ['--token', '--token'],
  ['--SECRET', '--SECRET'],
])('%s is refused, and what stands in it is not repeated', (arg, name) => {
  const sentence = refusal(() => readOptions([arg, 'secret'], OPTIONS));
  expect(sentence).toContain(`${name} is not accepted on the command line`);
  expect(sentence).not.toContain('secret ');
  expect(sentence).not.toContain('=');
});

test('after -- nothing is an option, so a question may look like one', () => {
  expect(readOptions(['--', '--token', '--json'], OPTIONS)).toEqual({ values: {}, positionals: ['--token', '--json'] });
});

test('--password-file names a place, and is no secret', () => {
  expect(readOptions(['--password-file', 'p'], { 'password-file': { type: 'string' } }).values['password-file']).toBe(
    'p',
  );
});

test.each([[['--nothing']], [['--url']], [['--json=yes']]])('%j is refused', (args) => {
  expect(refusal(() => readOptions(args, OPTIONS))).toMatch(/^[^\n]+$/);
});

test.each(['proxy', 'mcp', 'chat', 'rpc', 'verify', 'balance', 'top-up', 'withdraw', 'usage', 'keys'])(
  'the help of %s fits a terminal of 100 columns, and names its exit codes',
  async (name) => {
    const { code, out, err } = await runCommand([name, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n').filter(({ length }) => length > 100)).toEqual([]);
    expect(out).toContain('Exit code: 0 done');
  },
);

describe('an amount', () => {
  test.each([
    ['5', 5],
    ['0.50', 0.5],
    ['0', 0],
    [undefined, undefined],
  ])('%j is read', (text, amount) => {
    expect(usdOption('per-day', text)).toBe(amount);
  });

  test.each(['', '-1', '1e3', '0x10', '1,5', 'Infinity', '1.0000000001', ' 5'])('%j is refused', (text) => {
    expect(refusal(() => usdOption('per-day', text))).toContain('--per-day');
  });
});

test.each(['', '-1', '1.5', '65536', 'x', '0x50'])('%j is no port', (text) => {
  expect(refusal(() => countOption('port', text, [0, 65_535]))).toContain('--port');
});
