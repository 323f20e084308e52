import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';

import { builtInPackages } from './built-in-packages.mjs';
import { inRepository } from './repository.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turnpike-built-in-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** @param {string} contents program text @param {string} [resolveDir] @returns {Promise<string>} the bundle */
async function bundled(contents, resolveDir = inRepository()) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    plugins: [builtInPackages],
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** @param {string} place path below the folder's node_modules @param {string} code */
function addPackage(place, code) {
  const at = path.join(folder, 'node_modules', place);
  fs.mkdirSync(at, { recursive: true });
  fs.writeFileSync(path.join(at, 'package.json'), JSON.stringify({ type: 'module', main: 'index.js' }));
  fs.writeFileSync(path.join(at, 'index.js'), code);
}

test('packages that are nothing but modules are built in, with what they import', async () => {
  const text = await bundled(
    "import { keccak256 } from 'viem'; import { sha256 } from '@noble/hashes/sha2.js'; console.log(keccak256('0x'), sha256);",
  );

  expect(text).toContain('keccak');
  expect(text).not.toMatch(/from ["'](viem|@noble)/);
});

test('packages with files of their own, and Node’s modules, stay outside', async () => {
  const text = await bundled(
    "import Database from 'pg'; import fs from 'node:fs'; import os from 'os'; import next from 'next/constants.js'; console.log(Database, fs, os, next);",
  );

  for (const name of ['pg', 'node:fs', 'os', 'next/constants.js']) expect(text).toContain(`from "${name}"`);
});

test('a package that is built in and has a version of its own of one that stays outside fails the build, which names both', async () => {
  addPackage('jose', "import ws from 'ws'; export default ws;");
  addPackage('jose/node_modules/ws', 'export default 7;');

  await expect(bundled("import jose from 'jose'; console.log(jose);", folder)).rejects.toThrow(
    /jose\/index\.js has its own version of ws /,
  );
});

test('one that shares the version that stands outside does not', async () => {
  addPackage('hpke', "import ws from 'ws'; export default ws;");
  addPackage('ws', 'export default 8;');

  expect(await bundled("import hpke from 'hpke'; console.log(hpke);", folder)).toContain('from "ws"');
});
