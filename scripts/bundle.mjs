import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { bundledNotices } from './parts/bundled-notices.mjs';
import { builtInPackages } from './parts/built-in-packages.mjs';
import { inRepository, repositoryRoot } from './parts/repository.mjs';

/** Entry files of the programs that run outside Next. Each key is a program's name in `dist/`. */
export const programs = {
  server: 'server.ts',
  workers: 'workers.ts',
  sandbox: 'lib/sandbox/process.ts',
  admin: 'lib/server/admin/cli.ts',
  bench: 'bench/main.ts',
  attack: 'attack/main.ts',
  'client-under-attack': 'attack/lying/client-program.ts',
  faults: 'faults/main.ts',
  agents: 'agents/main.ts',
  'api-description': 'lib/server/api/openapi/describe.ts',
  checkpointer: 'lib/server/db/sqlite/checkpointer.ts',
  archiver: 'lib/server/billing/retention/archiver-program.ts',
  'schema-checker': 'lib/server/chat/reply-schema/checker-program.ts',
  'speech-engine': 'lib/sandbox/speech/espeak-worker.ts',
  'video-renderer': 'lib/sandbox/video/render-worker.ts',
  'audio-encoder': 'lib/server/speech/encoding/encoder-program.ts',
};

/** @satisfies {import('esbuild').BuildOptions} */
const OPTIONS = {
  absWorkingDir: repositoryRoot,
  bundle: true,
  plugins: [builtInPackages],
  platform: /** @type {const} */ ('node'),
  format: /** @type {const} */ ('esm'),
  target: 'node22',
  tsconfig: 'tsconfig.json',
  loader: { '.sql': /** @type {const} */ ('text') },
  logLevel: /** @type {const} */ ('silent'),
};

/**
 * Bundles the programs into `dist/NAME.mjs` with source maps. Replaces a file atomically and only if its content
 * changed, so that a program never starts from an incomplete file.
 *
 * @param {(keyof typeof programs)[]} [names] by default all programs
 * @returns {Promise<string[]>} the paths written
 * @throws if a source does not compile; the message has file and line
 */
export async function bundle(names) {
  const { build } = await import('esbuild');
  const chosen = names ?? /** @type {(keyof typeof programs)[]} */ (Object.keys(programs));
  const result = await build({
    ...OPTIONS,
    entryPoints: chosen.map((name) => ({ in: programs[name], out: name })),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  await fs.mkdir(inRepository('dist'), { recursive: true });
  const written = await Promise.all(result.outputFiles.map((file) => replaceIfChanged(file.path, file.contents)));
  // Writes the notices only for a bundle of all programs, because they list the packages of every program.
  if (names === undefined)
    written.push(
      await replaceIfChanged(
        inRepository('dist/NOTICES.md'),
        Buffer.from(await bundledNotices(Object.keys(result.metafile.inputs))),
      ),
    );
  if (chosen.includes('api-description')) written.push(await describeApi());
  return written.filter((file) => file !== undefined);
}

/**
 * Bundles a program that is not in `programs`, for tests.
 *
 * @param {{file: string} | {text: string}} source a file, or the text of a module
 * @param {string} outfile path from which Node can resolve the packages
 */
export async function bundleTo(source, outfile) {
  const { build } = await import('esbuild');
  const entry =
    'file' in source
      ? { entryPoints: [source.file] }
      : { stdin: { contents: source.text, resolveDir: repositoryRoot, loader: /** @type {const} */ ('ts') } };
  await build({ ...OPTIONS, ...entry, outfile });
}

/** Writes the description of the API into `dist`, from which the sandbox's guide reads it. */
async function describeApi() {
  const { stdout } = await promisify(execFile)(process.execPath, [inRepository('dist/api-description.mjs')], {
    encoding: 'buffer',
    maxBuffer: 16 * 1024 * 1024,
  });
  return replaceIfChanged(inRepository('dist/openapi.json'), stdout);
}

/** @param {string} file @param {Uint8Array} contents */
async function replaceIfChanged(file, contents) {
  const present = await fs.readFile(file).catch(() => undefined);
  if (present?.equals(contents)) return undefined;
  const fresh = `${file}.${process.pid}.new`;
  await fs.writeFile(fresh, contents);
  await fs.rename(fresh, file);
  return path.relative(repositoryRoot, file);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const written = await bundle();
  console.log(written.length > 0 ? `Bundled ${written.join(', ')}` : 'Every bundle is up to date.');
}
