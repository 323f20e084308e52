import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { inRepository, repositoryRoot } from './repository.mjs';

/** Matches import and export statements at the beginning of a line, and inline `import()` types. */
const SPECIFIER = /(^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s+|\bimport\s*\(\s*)(['"])([^'"]+)\2/gm;

/**
 * Emits type declarations of some sources, and of the repository files that these declarations import. Files below
 * `own` go to the root of `outFolder`. All other files keep their path from the repository's root. Specifiers are
 * relative and end in `.js`, as `node16` requires.
 *
 * @param {{entries: string[], own: string, outFolder: string}} what paths from the repository's root; `outFolder` is
 * absolute
 * @returns {Promise<string[]>} packages that the declarations import
 * @throws if a source does not compile, with the compiler's message, or if a specifier does not resolve
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
    // The loop body may add files to the set, and the loop then visits these files too.
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
function withSpecifiers(text, change) {
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
  await promisify(execFile)(process.execPath, [
    inRepository('node_modules/typescript-native/bin/tsc'),
    '-p',
    config,
  ]).catch((error) => {
    throw new Error(`The types of the package do not compile:\n${error.stdout}${error.stderr}`);
  });
}

/** @param {string} file from the repository's root @param {string} own */
function placeOf(file, own) {
  const below = path.relative(own, file);
  return below.startsWith('..') ? file : below;
}

/**
 * Adds a specifier's target to `noted`.
 *
 * @param {string} specifier
 * @param {string} from file from the repository's root
 * @param {ReadonlyMap<string, string>} places
 * @param {{named: Set<string>, packages: Set<string>}} noted repository files, and packages
 * @returns {string} the specifier to use in the package
 */
function specifierOf(specifier, from, places, { named, packages }) {
  if (!specifier.startsWith('.') && !specifier.startsWith('@/')) {
    packages.add(specifier);
    return specifier;
  }
  const bare = specifier.replace(/\.(ts|js)$/, '');
  const target = bare.startsWith('@/') ? bare.slice(2) : path.join(path.dirname(from), bare);
  const file = [`${target}.d.ts`, `${target}/index.d.ts`].find((each) => places.has(each));
  if (file === undefined) throw new Error(`${from} imports types of ${specifier}, for which no declaration was made.`);
  named.add(file);
  const [here, there] = [places.get(from), places.get(file)];
  const relative = path.relative(path.dirname(String(here)), String(there)).replace(/\.d\.ts$/, '.js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
