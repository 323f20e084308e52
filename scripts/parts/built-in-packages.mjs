import fs from 'node:fs';
import path from 'node:path';

/**
 * Packages that are nothing but modules of JavaScript. Built into a program they are found, read and linked by the build;
 * left outside, by each of its starts, file by file, which is half of what a start takes. What has files of its own beside
 * its code (native, WebAssembly, workers), is CommonJS, or keeps a state that Next's copy of it has to share stays outside.
 */
const BUILT_IN =
  /^(?:abitype|aws4fetch|hpke|jose|kysely|ox|viem|zod|@(?:noble|scure|solana|solana-program|x402)\/[^/]+)(?:\/|$)/;

/** A specifier that names a package, or a module of Node. Ours begin with `@/`. */
const BARE = /^(?:@?[a-z0-9])/i;

/**
 * Has esbuild build in those packages and leave all others outside. What is built in asks for its own versions of others,
 * and those that stay outside are found from `dist/`: where these are not the same, the build fails.
 *
 * @type {import('esbuild').Plugin}
 */
export const builtInPackages = {
  name: 'built-in-packages',
  setup(build) {
    build.onResolve({ filter: BARE }, ({ path: specifier, importer }) => {
      if (BUILT_IN.test(specifier)) return undefined;
      const own = ownVersion(specifier, importer);
      return own === undefined
        ? { path: specifier, external: true }
        : {
            errors: [
              {
                text: `${importer} needs a ${specifier} of its own (${own}), which stays outside of the bundle: build that in as well.`,
              },
            ],
          };
    });
  },
};

/** @param {string} specifier @param {string} importer @returns {string | undefined} where the package that imports it has a version of its own */
function ownVersion(specifier, importer) {
  const [first, second] = specifier.split('/');
  const name = first?.startsWith('@') ? `${first}/${second}` : first;
  const from = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(importer)?.[0];
  if (from === undefined || name === undefined) return undefined;
  const own = path.join(from, 'node_modules', name);
  return fs.existsSync(own) ? own : undefined;
}
