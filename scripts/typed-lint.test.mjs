import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { inRepository } from './parts/repository.mjs';
import { bin } from './parts/test-stages.mjs';

/** Faults, each in a file of its own, by what is said of it. */
const FAULTS = {
  'no-floating-promises': 'async function save() {}\nexport function leave() {\n  save();\n}\n',
  'no-misused-promises': 'async function isOpen() {\n  return true;\n}\nexport const word = isOpen() ? "open" : "shut";\n',
  'no-cycle': "import { back } from './back';\nexport const forth = () => back;\n",
};
/** Beside them, without a fault of its own. */
const SOUND = {
  'back.ts': "import { forth } from './no-cycle';\nexport const back = () => forth;\n",
  'sound.ts': 'async function save() {}\nexport async function leave() {\n  await save();\n  void save();\n}\n',
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turnpike-lint-'));
let said = '';

beforeAll(async () => {
  for (const [rule, text] of Object.entries(FAULTS)) fs.writeFileSync(path.join(folder, `${rule}.ts`), text);
  for (const [name, text] of Object.entries(SOUND)) fs.writeFileSync(path.join(folder, name), text);
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, target: 'es2024', module: 'esnext', moduleResolution: 'bundler' } }));
  said = await lint();
}, 60_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What the typed linter says of the folder, by the repository's own configuration. @returns {Promise<string>} */
function lint() {
  const args = ['-c', inRepository('.oxlintrc.json'), '--type-aware', '--format', 'unix', '.'];
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: inRepository('node_modules/.bin/tsgolint') };
  return new Promise((resolve) => {
    execFile(process.execPath, [inRepository(bin.oxlint), ...args], { cwd: folder, env, timeout: 60_000 }, (_error, stdout) => resolve(stdout));
  });
}

test.each(Object.keys(FAULTS))('refuses %s', (rule) => {
  expect(said.split('\n').filter((line) => line.includes(`${rule}.ts`) && line.includes(rule))).toHaveLength(1);
});

test('says nothing of a promise that is awaited, or left on purpose', () => expect(said).not.toContain('sound.ts'));
