import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { inRepository } from './parts/repository.mjs';
import { bin } from './parts/test-stages.mjs';

/**
 * Files with one fault each: path, part of the linter's message, and content. @type {[file: string, rule: string, text:
 * string][]}
 */
const FAULTS = [
  ['promise.ts', 'no-floating-promises', 'async function save() {}\nexport function leave() {\n  save();\n}\n'],
  [
    'condition.ts',
    'no-misused-promises',
    'async function isOpen() {\n  return true;\n}\nexport const word = isOpen() ? "open" : "shut";\n',
  ],
  ['forth.ts', 'no-cycle', "import { back } from './back';\nexport const forth = () => back;\n"],
  ['any.ts', 'no-explicit-any', 'export const value: any = 1;\n'],
  ['unused.ts', 'no-unused-vars', 'const left = 1;\nexport const used = 2;\n'],
  ['types.ts', 'consistent-type-imports', "import { forth } from './sound';\nexport type Forth = typeof forth;\n"],
  [
    'twice.ts',
    'no-duplicates',
    "import { forth } from './sound';\nimport { leave } from './sound';\nexport const both = [forth, leave];\n",
  ],
  ['ignored.ts', 'ban-ts-comment', '// @ts-ignore\nexport const value = 1;\n'],
  ['equal.mjs', 'eqeqeq', 'export const isOne = (value) => value == 1;\n'],
  ['constant.mjs', 'prefer-const', 'let value = 1;\nexport const read = () => value;\n'],
  [
    'directive.ts',
    'Unused oxlint-disable directive',
    '// oxlint-disable-next-line no-debugger\nexport const value = 1;\n',
  ],
  [
    'lib/protocol/up.ts',
    'no-restricted-paths',
    "import { call } from '@/lib/server/http/call';\nexport const answer = call;\n",
  ],
  [
    'lib/protocol/up-beside.ts',
    'no-restricted-paths',
    "import { call } from '../server/http/call';\nexport const answer = call;\n",
  ],
  ['lib/protocol/node.ts', 'no-restricted-imports', "import fs from 'node:fs';\nexport const read = fs;\n"],
  ['lib/client/random.ts', 'no-restricted-properties', 'export const id = crypto.randomUUID();\n'],
  [
    'components/values.tsx',
    'no-restricted-imports',
    "import { call } from '@/lib/client/index';\nexport const answer = call;\n",
  ],
  ['components/words.tsx', 'no-restricted-syntax', 'export const again = <p>Try again</p>;\n'],
  ['components/menu.tsx', 'no-restricted-syntax', 'export const menu = <select disabled />;\n'],
  [
    'components/conditional.tsx',
    'rules-of-hooks',
    "import { useId } from 'react';\nexport function Field({ isOpen }: { isOpen: boolean }) {\n  if (isOpen) useId();\n  return <p />;\n}\n",
  ],
  [
    'components/cascade.tsx',
    'set-state-in-effect',
    "import { useEffect, useState } from 'react';\nexport function Count({ count }: { count: number }) {\n  const [shown, setShown] = useState(0);\n  useEffect(() => {\n    setShown(count);\n  }, [count]);\n  return <p>{shown}</p>;\n}\n",
  ],
  ['components/key.tsx', 'jsx-key', 'export const list = [1].map((item) => <p>{item}</p>);\n'],
  ['components/picture.tsx', 'no-img-element', 'export const picture = <img src="/a.png" alt="" />;\n'],
  ['components/role.tsx', 'role-has-required-aria-props', 'export const box = <div role="checkbox" />;\n'],
  [
    'lib/browser/sentence.ts',
    'no-restricted-syntax',
    "export const cure = 'Nothing was taken. Sign a new payment.';\n",
  ],
  [
    'lib/browser/effect.ts',
    'no-restricted-syntax',
    "import { useEffect } from 'react';\nexport const useStart = (start: () => number) => useEffect(() => start());\n",
  ],
];
/** Files without faults, which the faulty files import. */
const SOUND = {
  'back.ts': "import { forth } from './forth';\nexport const back = () => forth;\n",
  'sound.ts':
    'async function save() {}\nexport async function leave() {\n  await save();\n  void save();\n}\nexport const forth = 1;\n',
  'lib/server/http/call.ts': 'export const call = 1;\n',
  'lib/client/index.ts': 'export const call = 1;\nexport type Call = typeof call;\n',
  'lib/client/random.test.ts': 'export const id = crypto.randomUUID();\n',
  'components/named.tsx': "import { call } from '@/lib/browser/call';\nexport const named = <b>&nbsp;{call}</b>;\n",
  'components/types.tsx':
    "import type { Call } from '@/lib/client/index';\nexport const isCall = (call: Call) => call === 1;\n",
  'lib/browser/call.ts': 'export const call = 1;\n',
  'components/rpc/words.ts': "export const cure = 'Nothing was taken. Sign a new payment.';\n",
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turnpike-lint-'));
/** The repository's configuration, with the test folder as its root. */
const CONFIG = `
import config from ${JSON.stringify(pathToFileURL(inRepository('oxlint.config.mjs')))};
import { importZones } from ${JSON.stringify(pathToFileURL(inRepository('scripts/import-directions.mjs')))};
export default {
  ...config,
  settings: { 'import-x/resolver': { typescript: { project: ${JSON.stringify(path.join(folder, 'tsconfig.json'))} } } },
  rules: { ...config.rules, 'paths/no-restricted-paths': ['error', { basePath: ${JSON.stringify(folder)}, zones: importZones(${JSON.stringify(folder)}) }] },
};
`;
/** @type {string[]} */
let said = [];

beforeAll(async () => {
  const tsconfig = {
    compilerOptions: {
      strict: true,
      target: 'es2024',
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'preserve',
      paths: { '@/*': ['./*'] },
    },
  };
  const files = [
    ...FAULTS.map(([file, , text]) => [file, text]),
    ...Object.entries(SOUND),
    ['tsconfig.json', JSON.stringify(tsconfig)],
    ['oxlint.config.mjs', CONFIG],
  ];
  for (const [file, text] of files) {
    fs.mkdirSync(path.join(folder, path.dirname(String(file))), { recursive: true });
    fs.writeFileSync(path.join(folder, String(file)), String(text));
  }
  said = await lint();
}, 60_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/**
 * Runs the linter on the folder. Returns its output, split by fault, because some faults take several lines.
 *
 * @returns {Promise<string[]>}
 */
function lint() {
  const args = [
    '-c',
    'oxlint.config.mjs',
    '--format',
    'unix',
    'lib',
    'components',
    ...fs.readdirSync(folder).filter((name) => /\.(ts|mjs)$/.test(name) && !name.startsWith('oxlint')),
  ];
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: inRepository('node_modules/.bin/tsgolint') };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [inRepository(bin.oxlint), ...args],
      { cwd: folder, env, timeout: 60_000 },
      (_error, stdout, stderr) => resolve(`${stderr}\n${stdout}`.split(/\n(?=[\w./-]+:\d+:\d+: )/)),
    );
  });
}

test.each(FAULTS)('in %s it refuses %s', (file, rule) => {
  expect(
    said.filter((fault) => fault.startsWith(`${file}:`) && fault.includes(rule)),
    said.join('\n'),
  ).not.toHaveLength(0);
});

test('it says nothing of what has no fault', () => {
  const faulty = new Set(FAULTS.map(([file]) => file));
  expect(
    said.slice(1).filter((fault) => !faulty.has(fault.split(':')[0] ?? '') && !fault.startsWith('back.ts:')),
  ).toEqual([]);
});
