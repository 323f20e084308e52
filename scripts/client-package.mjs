import './parts/node-version.mjs';
import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { bundledNotices } from './parts/bundled-notices.mjs';
import { runCommand } from './parts/command-line.mjs';
import { declareTypes } from './parts/declared-types.mjs';
import { inRepository, repositoryRoot } from './parts/repository.mjs';

const FOLDER = 'packages/turnpike-client';

/** @typedef {{exports: Record<string, unknown>, peerDependencies: Record<string, string>}} Manifest */

/** Defines `require` in the command, because bundled CommonJS packages load Node's own modules with it. */
const COMMAND_BANNER =
  "#!/usr/bin/env node\nimport { createRequire as turnpikeRequire } from 'node:module';\nconst require = turnpikeRequire(import.meta.url);";

/**
 * Builds turnpike-client into its `dist`: the command, and one file per subpath for browsers and Node. The files share
 * chunks and import their peer dependencies. All other packages are bundled and listed in the notices.
 *
 * @throws if a source does not compile, if the types name a package that is not a peer dependency, or if a licence is
 * undecided
 */
export async function buildClientPackage() {
  const manifest = /** @type {Manifest} */ (
    JSON.parse(await fs.readFile(inRepository(FOLDER, 'package.json'), 'utf8'))
  );
  const peers = Object.keys(manifest.peerDependencies);
  const names = Object.keys(manifest.exports).flatMap((subpath) =>
    subpath.endsWith('.json') ? [] : [subpath === '.' ? 'index' : subpath.slice(2)],
  );
  const outFolder = inRepository(FOLDER, 'dist');
  await fs.rm(outFolder, { recursive: true, force: true });
  const entries = names.map((name) => `${FOLDER}/src/${name}.ts`);
  const [inputs, ofCommand, declared] = await Promise.all([
    bundle(entries, outFolder, peers),
    buildClientCommand(path.join(outFolder, 'command')),
    declareTypes({ entries, own: `${FOLDER}/src`, outFolder }),
  ]);
  const foreign = declared.filter((name) => !peers.some((peer) => name === peer || name.startsWith(`${peer}/`)));
  if (foreign.length > 0)
    throw new Error(`The types of turnpike-client import ${foreign.join(', ')}, which an installation need not have.`);
  await fs.writeFile(inRepository(FOLDER, 'THIRD-PARTY-NOTICES.md'), await bundledNotices([...inputs, ...ofCommand]));
}

/**
 * Builds the command into a folder. Bundles all packages, because the command runs without installed packages. Code
 * that only one subcommand uses is in a chunk that only this subcommand loads.
 *
 * @param {string} outFolder
 * @returns {Promise<string[]>} the bundled files
 */
export async function buildClientCommand(outFolder) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [{ in: `${FOLDER}/command/main.ts`, out: 'main' }],
    outdir: outFolder,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    minifySyntax: true,
    // Optional native packages that speed up WebSockets.
    external: ['bufferutil', 'utf-8-validate'],
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: COMMAND_BANNER },
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: 'tsconfig.json',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}

/**
 * Packs the built package as `npm publish` would.
 * @param {string} folder where to write the archive
 * @returns {Promise<string>} the archive's path
 */
export async function packClientPackage(folder) {
  await fs.mkdir(folder, { recursive: true });
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: inRepository(FOLDER) },
  );
  const [packed] = JSON.parse(stdout);
  return path.join(folder, packed.filename);
}

/**
 * @param {string[]} entries
 * @param {string} outFolder
 * @param {string[]} peers
 * @returns {Promise<string[]>} the bundled files
 */
async function bundle(entries, outFolder, peers) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: entries,
    outdir: outFolder,
    outbase: `${FOLDER}/src`,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: peers.flatMap((peer) => [peer, `${peer}/*`]),
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: 'tsconfig.json',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runCommand(async () => {
    await buildClientPackage();
    console.log(`Packed ${path.relative(repositoryRoot, await packClientPackage(inRepository(FOLDER)))}`);
    return 0;
  });
}
