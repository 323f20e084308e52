import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Faults } from './faults';
import { checkVariables } from './variables';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDERS = ['app', 'lib', 'packages', 'scripts', 'examples', 'attack', 'bench', 'e2e', 'test'];
const FILES = ['boot.ts', 'server.ts', 'instrumentation.ts', 'next.config.mjs'];

/** Misspelled or imaginary variables in tests. */
const INVENTED = new Set(['TURNPIKE_DATADIR', 'TURNPIKE_SECRETS', 'TURNPIKE_SECRT', 'TURNPIKE_SECRT_FILE']);

it('no TURNPIKE_… variable that a source names stops the start as a misspelling of another', () => {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(ROOT, folder, name)),
  );
  const named = [...sources, ...FILES.map((name) => join(ROOT, name))].flatMap(
    (file) => readFileSync(file, 'utf8').match(/\bTURNPIKE_[A-Z0-9_]*[A-Z0-9]\b/g) ?? [],
  );
  expect(new Set(named).size).toBeGreaterThan(5);
  const faults = new Faults();
  checkVariables(
    Object.fromEntries(named.filter((name) => !INVENTED.has(name)).map((name) => [name, 'x'])),
    {},
    { faults, warnings: new Faults() },
  );
  expect(faults.lines()).toEqual([]);
});
