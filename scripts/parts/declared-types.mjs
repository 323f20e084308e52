import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { inRepository, repositoryRoot } from './repository.mjs';

/** Of statements at the beginning of a line, and of types that are imported in their place. */
const SPECIFIER = /(^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s+|\bimport\s*\(\s*)(['"])([^'"]+)\2/gm;

/**
 * Declares the types of some sources, and of what their declarations name of ours, into a folder: what is below `own` at
 * its root, everything else at its path in the repository. What the code alone imports is left out. Specifiers are relative and end in `.js`, as `node16` demands.
 *
 * @param {{entries: string[], own: string, outFolder: string}} what paths from the repository's root; `outFolder` is absolute
 * @returns {Promise<string[]>} the packages that the declarations name
 * @throws when a source does not compile, with the compiler's words; when a specifier leads nowhere
 */
export async function declareTypes({ entries, own, outFolder }) {
  const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'declared-types-'));
  try {
    await compile(entries, scratch);
    const files = (await fs.readdir(scratch, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
    const places = new Map(files.map((file) => [file, placeOf(file, own)]));
    /** @type {Set<string>} */
    const packages = new Set();
    const named = new Set(entries.map((entry) => entry.replace(/\.ts$/, '.d.ts')));
    // A set goes on with what is added while it is gone through.
    for (const file of named) {
      const text = await fs.readFile(path.join(scratch, file), 'utf8');
      const out = path.join(outFolder, String(places.get(file)));
      await fs.mkdir(path.dirname(out), { recursive: true });
      await fs.writeFile(
        out,
        withSpecifiers(text, (specifier) => specifierOf(specifier, file, places, { named, packages })),
      );
    }
    return [...packages].sort();
  } finally {
    await fs.rm(scratch, { recursive: true, force: true });
  }
}

/** @param {string} text @param {(specifier: string) => string} change */
export function withSpecifiers(text, change) {
  return text.replace(SPECIFIER, (_, before, quote, specifier) => `${before}${quote}${change(specifier)}${quote}`);
}

/** @param {string[]} entries @param {string} outFolder */
async function compile(entries, outFolder) {
  const config = path.join(outFolder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: repositoryRoot,
    outDir: outFolder,
    paths: { '@/*': [inRepository('*')] },
    typeRoots: [inRepository('node_modules/@types')],
    types: ['node'],
    plugins: [],
  };
  await fs.writeFile(
    config,
    JSON.stringify({
      extends: inRepository('tsconfig.json'),
      compilerOptions,
      files: entries.map((entry) => inRepository(entry)),
      include: [],
    }),
  );
  await promisify(execFile)(process.execPath, [inRepository('node_modules/typescript/bin/tsc'), '-p', config]).catch(
    (error) => {
      throw new Error(`The types of the package do not compile:\n${error.stdout}${error.stderr}`);
    },
  );
}

/** @param {string} file from the repository's root @param {string} own */
function placeOf(file, own) {
  const below = path.relative(own, file);
  return below.startsWith('..') ? file : below;
}

/**
 * Notes what a specifier leads to.
 *
 * @param {string} specifier
 * @param {string} from file from the repository's root
 * @param {ReadonlyMap<string, string>} places
 * @param {{named: Set<string>, packages: Set<string>}} noted files of ours, and packages
 * @returns {string} what it is in the package
 */
function specifierOf(specifier, from, places, { named, packages }) {
  if (!specifier.startsWith('.') && !specifier.startsWith('@/')) {
    packages.add(specifier);
    return specifier;
  }
  const bare = specifier.replace(/\.(ts|js)$/, '');
  const target = bare.startsWith('@/') ? bare.slice(2) : path.join(path.dirname(from), bare);
  const file = [`${target}.d.ts`, `${target}/index.d.ts`].find((each) => places.has(each));
  if (file === undefined) throw new Error(`${from} declares types of ${specifier}, which was not declared.`);
  named.add(file);
  const [here, there] = [places.get(from), places.get(file)];
  const relative = path.relative(path.dirname(String(here)), String(there)).replace(/\.d\.ts$/, '.js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
