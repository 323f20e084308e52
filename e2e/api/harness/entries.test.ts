import { describe, expect, test } from 'vitest';
import { chosenEntry, declaredEntries, ENTRIES, filesAt } from './entries';
import { repositoryRoot } from './repository-root';

const SOUND = [
  '/**',
  ' * What this file is about.',
  ' *',
  ' * @at next: bodies are read by',
  ' *   another reader.',
  ' * @not postgres: nothing of it reaches a store.',
  ' */',
  "import 'x';",
  '',
].join('\n');

describe('what a contract file says of its entries', () => {
  test('is read from the comment at its top, reasons of several lines included', () => {
    expect(declaredEntries('a.test.ts', SOUND)).toEqual({
      next: { runs: true, reason: 'bodies are read by another reader.' },
      postgres: { runs: false, reason: 'nothing of it reaches a store.' },
    });
  });

  test.each([
    ['nothing', 'import 1;\n', 'whether its tests run there'],
    ['an entry less', SOUND.replace(/.*@not postgres.*\n/, ''), '@at postgres'],
    ['an entry twice', SOUND.replace(/( \* @not postgres.*\n)/, '$1$1'), 'once'],
    ['no reason', SOUND.replace('nothing of it reaches a store.', 'no.'), 'does not say why for postgres'],
    ['another entry', SOUND.replace(' */', ' * @at carrier: by a pigeon that knows the way.\n */'), '"carrier"'],
    [
      'that it leaves out the fast one',
      SOUND.replace(' */', ' * @not fast: it would take too long there.\n */'),
      '"fast"',
    ],
    ['it further down', `/** Something else. */\n${SOUND}`, 'whether its tests run there'],
  ])('is refused where it says %s', (_what, source, complaint) => {
    expect(() => declaredEntries('a.test.ts', source)).toThrow(complaint);
    expect(() => declaredEntries('a.test.ts', source)).toThrow('a.test.ts');
  });

  test('stands in every file, and no entry is forgotten', () => {
    const all = filesAt(null, repositoryRoot, 'e2e/api');
    expect(filesAt('fast', repositoryRoot, 'e2e/api')).toEqual(all);
    for (const entry of ENTRIES) expect(filesAt(entry, repositoryRoot, 'e2e/api').length).toBeGreaterThan(10);
  });
});

test.each([
  [{}, 'fast'],
  [{ CONTRACT_ENTRY: 'fast' }, 'fast'],
  [{ CONTRACT_ENTRY: 'next' }, 'next'],
  [{ CONTRACT_ENTRY: 'fast', CONTRACT_STORE: 'postgres' }, 'postgres'],
  [{ CONTRACT_ENTRY: 'fast', CONTRACT_STORE: 'partitions' }, 'postgres'],
  [{ CONTRACT_ENTRY: 'next', CONTRACT_STORE: 'postgres' }, null],
  [{ CONTRACT_ENTRY: 'next', CONTRACT_FULL: '1' }, null],
])('the environment %j stands for the entry %s', (env, entry) => expect(chosenEntry(env)).toBe(entry));
