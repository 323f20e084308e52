/**
 * Who may import whom, for the folders of the repository: imports go one way
 * (docs/architecture.md). What a folder does not list it may not import; packages
 * are everybody's. `files` narrows a folder to some of its files. ESLint enforces
 * all of it through `importZones`.
 *
 * @type {readonly {folder: string, files?: string, may: readonly string[], because: string}[]}
 */
export const importDirections = [
  {
    folder: 'lib/protocol',
    may: [],
    because: 'lib/protocol is what crosses the wire: it imports nothing of ours',
  },
  {
    folder: 'lib/server',
    may: ['lib/protocol', 'contracts'],
    because: 'lib/server imports lib/protocol only',
  },
  {
    folder: 'lib/sandbox',
    may: ['lib/protocol', 'contracts'],
    because: 'lib/sandbox imports lib/protocol only: the gateway reaches stand-ins over the wire',
  },
  {
    folder: 'lib/client',
    may: ['lib/protocol'],
    because: 'lib/client imports lib/protocol only: it is to become a package of its own',
  },
  {
    folder: 'lib/browser',
    may: ['lib/client', 'lib/protocol'],
    because: 'lib/browser imports lib/client and lib/protocol',
  },
  {
    folder: 'attack',
    may: ['lib/client', 'lib/protocol', 'lib/sandbox', 'contracts'],
    because: 'attack reaches the gateway over the wire, as an attacker does: it imports nothing of lib/server',
  },
  {
    folder: 'components',
    may: ['lib/browser', 'lib/client', 'lib/protocol'],
    because: 'components import lib/browser, types of lib/client, and lib/protocol',
  },
  {
    folder: 'app',
    files: 'app/**/route.ts',
    may: ['lib/server/api', 'lib/server/http'],
    because: 'a route file adapts one endpoint: it imports lib/server/api and the adapter in lib/server/http',
  },
  {
    folder: 'app',
    files: 'app/**/!(route).*',
    may: ['components', 'lib/browser', 'lib/client', 'lib/protocol'],
    because: 'pages import components, lib/browser, types of lib/client, and lib/protocol; they reach the server over HTTP',
  },
];

/**
 * The directions as zones of the rule import-x/no-restricted-paths.
 *
 * @param {string} root absolute path of the repository
 */
export function importZones(root) {
  return importDirections.map(({ folder, files, may, because }) => ({
    target: `${root}/${files ?? folder}`,
    from: root,
    except: [folder, ...may, 'node_modules'].map((path) => `./${path}`),
    message: because,
  }));
}
