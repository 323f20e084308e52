import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UsageError } from './command-line.mjs';
import { inRepository, repositoryRoot } from './repository.mjs';

/**
 * Programs that run without simulators: the gateway, the operator's commands, and their workers and child processes.
 */
export const RUNTIME_PROGRAMS = [
  'server',
  'workers',
  'admin',
  'archiver',
  'checkpointer',
  'schema-checker',
  'audio-encoder',
];

/** Next resolves these paths before it reads its configuration. They must exist, although Next then loads neither. */
const HOOKED = ['node_modules/next/dist/compiled/webpack', 'node_modules/next/dist/compiled/@babel/runtime'];

/** Build output that no program reads at run time. */
const NOT_OF_THE_BUILD = new Set([
  'cache',
  'trace',
  'trace-build',
  'types',
  'turbopack',
  'build',
  'diagnostics',
  'standalone',
]);
/**
 * Files that no program loads at run time: image libraries, because images are served unchanged; simulated chains,
 * which only the sandbox has; source maps of packages and pages.
 */
const NOT_LOADED = /^node_modules\/(?:@img|sharp|litesvm(?:-[^/]+)?|@foundry-rs)\/|^(?:node_modules|\.next)\/.*\.map$/;

/**
 * Copies the files that a gateway of the live profile needs. The build has already traced the files that the pages
 * need. This function traces the files that the programs need, with the same tool.
 *
 * @param {string} folder an empty or new folder
 * @returns {Promise<{files: number, bytes: number}>}
 * @throws {UsageError} if the folder is not empty
 */
export async function assembleRuntime(folder) {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty.`);
  const programs = RUNTIME_PROGRAMS.map((name) => `dist/${name}.mjs`);
  const wanted = new Set([
    ...programs,
    ...programs.map((file) => `${file}.map`),
    'dist/NOTICES.md',
    'next.config.mjs',
    ...HOOKED.flatMap((folder) => filesBelow(folder)),
    'package.json',
    'LICENSE',
    'THIRD-PARTY-NOTICES.md',
    ...filesBelow('public'),
    ...filesBelow('.next', NOT_OF_THE_BUILD),
  ]);
  for (const file of [...(await tracedFrom([...programs, 'next.config.mjs'])), ...tracedByNext([...wanted])])
    wanted.add(file);
  const loaded = [...wanted].filter((file) => !NOT_LOADED.test(file)).sort();
  let bytes = 0;
  for (const file of loaded) bytes += copy(file, folder);
  return { files: loaded.length, bytes };
}

/**
 * @param {string} below a folder of the repository
 * @param {Set<string>} [without] names to skip in that folder
 * @returns {string[]}
 */
function filesBelow(below, without = new Set()) {
  return fs.readdirSync(inRepository(below), { withFileTypes: true }).flatMap((entry) => {
    if (without.has(entry.name)) return [];
    const file = path.posix.join(below, entry.name);
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
}

/** @param {string[]} programs @returns {Promise<string[]>} package files that the programs load at run time */
async function tracedFrom(programs) {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft');
  const { fileList } = await nodeFileTrace(
    programs.map((file) => inRepository(file)),
    {
      base: repositoryRoot,
      processCwd: repositoryRoot,
      ignore: 'scripts/**',
      conditions: ['node', 'import', 'require'],
    },
  );
  return [...fileList].filter((/** @type {string} */ file) => file.startsWith('node_modules/'));
}

/**
 * @param {string[]} files files that include Next's traces
 * @returns {string[]} files in the lists of these traces and of the server's trace
 */
function tracedByNext(files) {
  return files
    .filter((file) => file.endsWith('.nft.json'))
    .flatMap((trace) => {
      const { files: traced } = JSON.parse(fs.readFileSync(inRepository(trace), 'utf8'));
      return traced.map((/** @type {string} */ file) => path.posix.join(path.posix.dirname(trace), file));
    })
    .filter((file) => file.startsWith('node_modules/'));
}

/**
 * @param {string} file
 * @param {string} folder
 * @returns {number} bytes copied; a link is copied as a link, and a missing file is skipped
 */
function copy(file, folder) {
  const from = inRepository(file);
  const to = path.join(folder, file);
  const stat = fs.lstatSync(from, { throwIfNoEntry: false });
  if (!stat) return 0;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to);
  else if (stat.isFile()) fs.copyFileSync(from, to);
  return stat.isFile() ? stat.size : 0;
}
