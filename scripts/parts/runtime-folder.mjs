import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UsageError } from './command-line.mjs';
import { inRepository, repositoryRoot } from './repository.mjs';

/** What runs where there are no stand-ins: the gateway, the operator's commands, and the workers and processes of both. */
export const RUNTIME_PROGRAMS = ['server', 'workers', 'admin', 'checkpointer', 'schema-checker', 'audio-encoder'];

/** Next resolves these before it reads its configuration, though it loads none of them. */
const HOOKED = ['node_modules/next/dist/compiled/webpack', 'node_modules/next/dist/compiled/@babel/runtime'];

/** Of the build: what nobody reads at run time. */
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
/** Images are served as they are, so that the library that would make them smaller is not loaded; chains of its own only the sandbox has; and of source maps only our programs' are read. */
const NOT_LOADED = /^node_modules\/(?:@img|sharp|litesvm(?:-[^/]+)?|@foundry-rs)\/|^(?:node_modules|\.next)\/.*\.map$/;

/**
 * Copies what a gateway of the live profile runs. Which files of which package that is was traced by Next for the
 * pages, and is traced here, by the same tool, for the programs.
 *
 * @param {string} folder that is empty, or not there yet
 * @returns {Promise<{files: number, bytes: number}>}
 * @throws {UsageError} where there is something in it
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

/** @param {string} below a folder of the repository @param {Set<string>} [without] names directly in it @returns {string[]} */
function filesBelow(below, without = new Set()) {
  return fs.readdirSync(inRepository(below), { withFileTypes: true }).flatMap((entry) => {
    if (without.has(entry.name)) return [];
    const file = path.posix.join(below, entry.name);
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
}

/** @param {string[]} programs @returns {Promise<string[]>} the files of packages that they load, unless to build */
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

/** @param {string[]} files of which some are Next's traces @returns {string[]} what stands in them, and in that of its server */
function tracedByNext(files) {
  return files
    .filter((file) => file.endsWith('.nft.json'))
    .flatMap((trace) => {
      const { files: traced } = JSON.parse(fs.readFileSync(inRepository(trace), 'utf8'));
      return traced.map((/** @type {string} */ file) => path.posix.join(path.posix.dirname(trace), file));
    })
    .filter((file) => file.startsWith('node_modules/'));
}

/** @param {string} file @param {string} folder @returns {number} its bytes; links are copied as links, what is not there is left out */
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
