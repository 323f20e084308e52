import fs from 'node:fs';
import path from 'node:path';

/**
 * Packages of plain JavaScript modules that are bundled into the programs. Without bundling, Node would resolve, read
 * and link their files one by one, which takes half of a start's time. Packages with native, WebAssembly or worker
 * files, CommonJS packages, and packages that share state with Next's copy are not bundled.
 */
const BUILT_IN =
  /^(?:abitype|aws4fetch|hpke|jose|kysely|ox|viem|zod|@(?:noble|scure|solana|solana-program|x402)\/[^/]+)(?:\/|$)/;

/** Matches an import of a package or of a Node module. Imports from this repository begin with `@/`. */
const BARE = /^(?:@?[a-z0-9])/i;

/**
 * Bundles the packages above and no others. Programs resolve all other packages from `dist/`. The build fails if a
 * bundled package has its own version of a package that is not bundled, because programs would load the other version.
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
                text: `${importer} has its own version of ${specifier} (${own}), which would stay outside the bundle. Add ${specifier} to BUILT_IN.`,
              },
            ],
          };
    });
  },
};

/**
 * @param {string} specifier
 * @param {string} importer
 * @returns {string | undefined} path of the version inside the importing package
 */
function ownVersion(specifier, importer) {
  const [first, second] = specifier.split('/');
  const name = first?.startsWith('@') ? `${first}/${second}` : first;
  const from = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(importer)?.[0];
  if (from === undefined || name === undefined) return undefined;
  const own = path.join(from, 'node_modules', name);
  return fs.existsSync(own) ? own : undefined;
}
