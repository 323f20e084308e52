/** Folders that every folder of lib/server may import. */
const FLOOR = ['lib/protocol', 'contracts'];
/** Lowest folders of lib/server, which most others may import. */
const GROUND = ['lib/server/config', 'lib/server/db', 'lib/server/http', 'lib/server/telemetry'];
const CAPABILITY = [...GROUND, 'lib/server/auth', 'lib/server/billing', 'lib/server/upstreams'];
const CAPABILITIES = [
  'attestation',
  'chat',
  'embeddings',
  'images',
  'payments',
  'rpc',
  'speech',
  'staking',
  'transcriptions',
  'video',
];

/**
 * Folders of lib/server, lowest first, and the folders that each may import. Their tests may import more.
 *
 * @type {readonly {room: string, may: readonly string[], because: string}[]}
 */
const serverRooms = [
  {
    room: 'config',
    may: [],
    because: 'every folder reads lib/server/config, so it imports no other folder of lib/server',
  },
  {
    room: 'telemetry',
    may: [],
    because: 'every folder uses lib/server/telemetry, so it imports no other folder of lib/server',
  },
  {
    room: 'http',
    may: [],
    because: 'lib/server/http handles requests and answers of any kind, so it imports no other folder of lib/server',
  },
  {
    room: 'db',
    may: [],
    because: 'lib/server/db stores rows and knows no business rules, so it imports no other folder of lib/server',
  },
  {
    room: 'upstreams',
    may: ['lib/server/config', 'lib/server/http', 'package.json'],
    because:
      'lib/server/upstreams calls other services and tells them its version: it imports config, types of http and package.json',
  },
  {
    room: 'auth',
    may: GROUND,
    because: 'lib/server/auth identifies callers; billing, which charges them, is above it',
  },
  {
    room: 'billing',
    may: [...GROUND, 'lib/server/auth'],
    because: 'lib/server/billing charges callers: it imports auth, db and http, and no capability',
  },
  ...CAPABILITIES.map((room) => ({
    room,
    may: CAPABILITY,
    because: `lib/server/${room} is a capability: it imports auth, billing and upstreams, and no other capability`,
  })),
  {
    room: 'api',
    may: [...CAPABILITY, ...CAPABILITIES.map((room) => `lib/server/${room}`)],
    because: 'lib/server/api has the endpoints: it imports capabilities and what is below them',
  },
  {
    room: 'admin',
    may: [...CAPABILITY, 'lib/server/payments', 'lib/command-line'],
    because:
      'lib/server/admin is for operators: it imports what is below the capabilities, and for the doctor also payments',
  },
];

/** Folders of the console's pages in layers, lowest layer first. A folder may import only folders in lower layers. */
const PAGE_FLOORS = [
  ['ui'],
  ['billing', 'health', 'json', 'marks', 'samples', 'wallet'],
  ['paying'],
  ['chat', 'operator', 'receipts', 'rpc', 'speech', 'top-up', 'usage', 'video'],
  ['keys', 'reference'],
  ['overview', 'shell'],
];
/** Folders of lib/browser in layers, lowest layer first. */
const BROWSER_FLOORS = [
  ['audio', 'connection', 'storage', 'text'],
  ['page'],
  ['reads'],
  ['rpc', 'wallet'],
  ['credential'],
];
/** Files in higher layers that a folder may import, because the page loads them only when a person asks for them. */
const LOADED_FROM_ABOVE = { paying: ['components/top-up/top-up-dialog.tsx'] };

/**
 * @param {string} folder
 * @param {readonly (readonly string[])[]} floors
 * @param {readonly string[]} below folders that every folder in the layers may import
 */
function floorRules(folder, floors, below) {
  return floors.flatMap((rooms, floor) =>
    rooms.map((room) => ({
      folder: `${folder}/${room}`,
      may: [
        ...below,
        ...floors.slice(0, floor).flatMap((lower) => lower.map((name) => `${folder}/${name}`)),
        ...(folder === 'components' ? (/** @type {Record<string, string[]>} */ (LOADED_FROM_ABOVE)[room] ?? []) : []),
      ],
      because: `${folder}/${room} imports only folders of lower layers`,
    })),
  );
}

/**
 * Rules for imports between the repository's folders (docs/architecture.md). A folder may import only the folders in
 * its `may`, and any package. `files` restricts a rule to some files of the folder. The linter enforces the rules
 * through `importZones`.
 *
 * @type {readonly {folder: string, files?: string, may: readonly string[], because: string}[]}
 */
export const importDirections = [
  {
    folder: 'lib/protocol',
    may: [],
    because: 'lib/protocol defines what is sent over the network: it imports no other folder',
  },
  {
    folder: 'lib/server',
    files: 'lib/server/!(*.test).ts',
    may: FLOOR,
    because: 'files directly in lib/server import only lib/protocol',
  },
  ...serverRooms.map(({ room, may, because }) => ({
    folder: `lib/server/${room}`,
    files: `lib/server/${room}/**/!(*.test).ts`,
    may: [...FLOOR, ...may],
    because,
  })),
  {
    folder: 'lib/server',
    files: 'lib/server/**/*.test.ts',
    may: [...FLOOR, 'test'],
    because: 'tests of lib/server import lib/server, lib/protocol and test',
  },
  {
    folder: 'test',
    may: ['lib/server', 'lib/client', 'lib/sandbox', 'lib/protocol', 'packages/turnpike-client', 'contracts'],
    because:
      'test has the scripted services, gateways and customers of the tests: it imports what these need, and no pages',
  },
  {
    folder: 'lib/sandbox',
    may: ['lib/protocol', 'contracts'],
    because: 'lib/sandbox imports only lib/protocol, because the gateway reaches the stand-ins over the network',
  },
  {
    folder: 'lib/command-line',
    may: [],
    because: 'lib/command-line parses the command lines of customers and operators: it imports no other folder',
  },
  {
    folder: 'lib/client',
    files: 'lib/client/**/!(*.test).ts',
    may: ['lib/protocol'],
    because: 'lib/client will become its own package, so it imports only lib/protocol',
  },
  {
    folder: 'lib/client',
    files: 'lib/client/**/*.test.ts',
    may: ['lib/protocol', 'lib/sandbox', 'test'],
    because: 'tests of lib/client chat with stand-ins of lib/sandbox, which the folder test starts',
  },
  {
    folder: 'lib/browser',
    may: ['lib/client', 'lib/protocol'],
    because: 'lib/browser imports lib/client and lib/protocol',
  },
  {
    folder: 'packages/turnpike-client',
    files: 'packages/turnpike-client/**/!(*.test).ts',
    may: ['lib/client', 'lib/protocol', 'lib/command-line'],
    because:
      'packages/turnpike-client is published: it imports lib/client, lib/protocol and lib/command-line, which are built into it',
  },
  {
    folder: 'packages/turnpike-client',
    files: 'packages/turnpike-client/**/*.test.ts',
    may: ['lib/client', 'lib/protocol', 'lib/command-line', 'lib/sandbox', 'test'],
    because:
      'tests of packages/turnpike-client run its command against stand-ins of lib/sandbox, which the folder test starts',
  },
  {
    folder: 'attack',
    may: ['lib/client', 'lib/protocol', 'lib/command-line', 'lib/sandbox', 'packages/turnpike-client', 'contracts'],
    because:
      'attack reaches the gateway over the network, as an attacker does: it runs the client, and imports nothing of lib/server',
  },
  {
    folder: 'faults',
    may: ['attack/stage', 'lib/command-line', 'scripts/parts', 'test'],
    because:
      'faults reaches the gateway as callers and operators do: it imports nothing of lib/server, and uses test and attack/stage to start services',
  },
  {
    folder: 'agents',
    may: ['attack/stage', 'lib/command-line', 'packages/turnpike-client', 'lib/protocol'],
    because:
      "agents runs other companies' programs against a gateway and the client's proxy: it imports what starts these two, and lib/protocol",
  },
  {
    folder: 'components',
    may: ['lib/browser', 'lib/client', 'lib/protocol'],
    because: 'components import lib/browser, lib/client and lib/protocol',
  },
  ...floorRules('components', PAGE_FLOORS, ['lib/browser', 'lib/client', 'lib/protocol']),
  ...floorRules('lib/browser', BROWSER_FLOORS, ['lib/client', 'lib/protocol']),
  {
    folder: 'app',
    files: 'app/**/route.ts',
    may: ['lib/server/http'],
    because: 'a route file names the path of one endpoint: it imports the adapter in lib/server/http',
  },
  {
    folder: 'app',
    files: 'app/**/!(route).*',
    may: [
      'components',
      'lib/browser',
      'lib/client',
      'lib/protocol',
      'lib/server/http/page-fetch.ts',
      'lib/server/http/page-brand.ts',
    ],
    because:
      'pages import components, lib/browser, types of lib/client, and lib/protocol; they reach the server only through its API, even while they are rendered (lib/server/http/page-fetch), and import only the brand directly',
  },
];

/**
 * Returns the rules as zones of import-x/no-restricted-paths.
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
