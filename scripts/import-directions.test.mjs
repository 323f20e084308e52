import { Linter } from 'eslint';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import { describe, expect, test } from 'vitest';

import { importDirections, importZones } from './import-directions.mjs';
import { inRepository, repositoryRoot } from './parts/repository.mjs';

const rule = 'import-x/no-restricted-paths';

/** Resolver that reports every `@/` path as existing. The rule reads only paths, so the tests need no files. */
const believing = { interfaceVersion: /** @type {const} */ (3), name: 'believing', resolve: believe };

/** @param {string} source */
function believe(source) {
  return source.startsWith('@/') ? { found: true, path: inRepository(source.slice(2)) } : { found: false };
}

/**
 * Returns the imports that the rules forbid in a file.
 * @param {string} from
 * @param {readonly string[]} imported paths as in import statements
 * @param {object} [resolver]
 * @returns {string[]} the forbidden paths
 */
function objections(from, imported, resolver = believing) {
  const text = imported.map((path) => `import '${path}';\n`).join('');
  const messages = new Linter({ cwd: repositoryRoot }).verify(
    text,
    [
      {
        files: ['**'],
        plugins: { 'import-x': importX },
        settings: { 'import-x/resolver-next': [resolver] },
        rules: { [rule]: ['error', { basePath: repositoryRoot, zones: importZones(repositoryRoot) }] },
      },
    ],
    { filename: inRepository(from) },
  );
  const fatal = messages.find((message) => message.fatal || message.ruleId === null);
  if (fatal) throw new Error(fatal.message);
  return messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => String(imported[line - 1]));
}

const ground = ['config', 'telemetry', 'http', 'db'];
const capabilities = [
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
const middle = ['upstreams', 'auth', 'billing'];
const top = ['api', 'admin'];
const rooms = [...ground, ...middle, ...capabilities, ...top];

/**
 * Folders that each folder of lib/server may not import. Listed independently of the rules, so that both must agree.
 *
 * @type {Record<string, string[]>}
 */
const above = {
  ...Object.fromEntries(ground.map((room) => [room, rooms.filter((other) => other !== room)])),
  upstreams: ['telemetry', 'db', 'auth', 'billing', ...capabilities, ...top],
  auth: ['upstreams', 'billing', ...capabilities, ...top],
  billing: ['upstreams', ...capabilities, ...top],
  ...Object.fromEntries(
    capabilities.map((room) => [room, [...capabilities.filter((other) => other !== room), ...top]]),
  ),
  api: ['admin'],
  // The doctor checks receivers and facilitators with code of lib/server/payments.
  admin: [...capabilities.filter((room) => room !== 'payments'), 'api'],
};

/** Folders of the console in layers, lowest layer first, also listed independently of the rules. */
const consoleRooms = {
  components: [
    ['ui'],
    ['billing', 'health', 'json', 'marks', 'samples', 'wallet'],
    ['paying'],
    ['chat', 'operator', 'receipts', 'rpc', 'speech', 'top-up', 'usage', 'video'],
    ['keys', 'reference'],
    ['overview', 'shell'],
  ],
  'lib/browser': [['audio', 'connection', 'storage', 'text'], ['page'], ['reads'], ['rpc', 'wallet'], ['credential']],
};
/**
 * One entry for each room of the console.
 *
 * @template T
 * @param {(folder: string, room: string, lower: string[], others: string[]) => T} entry
 * @returns {Record<string, T>}
 */
const forConsoleRooms = (entry) =>
  Object.fromEntries(
    Object.entries(consoleRooms).flatMap(([folder, floors]) =>
      floors.flatMap((onFloor, floor) =>
        onFloor.map((room) => [
          `${folder}/${room}`,
          entry(
            folder,
            room,
            floors.slice(0, floor).flat(),
            floors
              .slice(floor)
              .flat()
              .filter((other) => other !== room),
          ),
        ]),
      ),
    ),
  );

/** @param {string} room */
const fileIn = (room) => `lib/server/${room}/other.ts`;

/** @type {Record<string, string>} */
const files = {
  'lib/protocol': 'lib/protocol/example.ts',
  'lib/server/!(*.test).ts': 'lib/server/example.ts',
  ...Object.fromEntries(
    rooms.map((room) => [`lib/server/${room}/**/!(*.test).ts`, `lib/server/${room}/deep/example.ts`]),
  ),
  'lib/server/**/*.test.ts': 'lib/server/billing/example.test.ts',
  test: 'test/example.ts',
  'lib/sandbox': 'lib/sandbox/example.ts',
  'lib/command-line': 'lib/command-line/example.ts',
  'lib/client/**/!(*.test).ts': 'lib/client/deep/example.ts',
  'lib/client/**/*.test.ts': 'lib/client/deep/example.test.ts',
  'lib/browser': 'lib/browser/example.ts',
  attack: 'attack/example.ts',
  faults: 'faults/example.ts',
  agents: 'agents/example.ts',
  'packages/turnpike-client/**/!(*.test).ts': 'packages/turnpike-client/src/example.ts',
  'packages/turnpike-client/**/*.test.ts': 'packages/turnpike-client/src/example.test.ts',
  components: 'components/example.tsx',
  ...forConsoleRooms((folder, room) => `${folder}/${room}/example.ts`),
  'app/**/route.ts': 'app/api/v1/crypto/rpc/[network]/route.ts',
  'app/**/!(route).*': 'app/rpc/page.tsx',
};

/** @type {Record<string, string[]>} */
const forbidden = {
  'lib/protocol': [
    'lib/server/http/call.ts',
    'lib/client/index.ts',
    'lib/sandbox/process.ts',
    'components/ui/button.tsx',
  ],
  'lib/server/!(*.test).ts': [
    'lib/client/index.ts',
    'lib/sandbox/process.ts',
    'lib/browser/wallet.ts',
    'app/page.tsx',
    'server.ts',
    'test/example.ts',
  ],
  ...Object.fromEntries(
    rooms.map((room) => [
      `lib/server/${room}/**/!(*.test).ts`,
      [
        'lib/client/index.ts',
        'lib/sandbox/process.ts',
        'test/example.ts',
        'lib/server/create-gateway.ts',
        ...(above[room] ?? []).map(fileIn),
      ],
    ]),
  ),
  'lib/server/**/*.test.ts': ['lib/client/index.ts', 'lib/browser/wallet.ts', 'app/page.tsx'],
  test: ['lib/browser/wallet.ts', 'components/ui/button.tsx', 'app/page.tsx', 'server.ts'],
  'lib/sandbox': ['lib/server/http/call.ts', 'lib/client/index.ts', 'lib/browser/wallet.ts'],
  'lib/command-line': ['lib/protocol/networks.ts', 'lib/server/admin/command.ts', 'lib/client/index.ts'],
  'lib/client/**/!(*.test).ts': [
    'lib/server/http/call.ts',
    'lib/sandbox/process.ts',
    'lib/browser/wallet.ts',
    'test/example.ts',
  ],
  'lib/client/**/*.test.ts': ['lib/server/http/call.ts', 'lib/browser/wallet.ts', 'app/page.tsx'],
  'lib/browser': ['lib/server/http/call.ts', 'lib/sandbox/process.ts', 'components/ui/button.tsx'],
  attack: ['lib/server/http/call.ts', 'lib/browser/wallet.ts', 'app/page.tsx', 'server.ts', 'bench/load.ts'],
  faults: [
    'lib/server/http/call.ts',
    'lib/client/index.ts',
    'lib/sandbox/process.ts',
    'app/page.tsx',
    'server.ts',
    'bench/load.ts',
    'attack/main.ts',
  ],
  agents: [
    'lib/server/http/call.ts',
    'lib/client/index.ts',
    'lib/sandbox/process.ts',
    'test/example.ts',
    'server.ts',
    'attack/main.ts',
  ],
  'packages/turnpike-client/**/*.test.ts': ['lib/server/http/call.ts', 'lib/browser/wallet.ts', 'app/page.tsx'],
  'packages/turnpike-client/**/!(*.test).ts': [
    'lib/server/http/call.ts',
    'lib/sandbox/process.ts',
    'lib/browser/wallet.ts',
    'components/ui/button.tsx',
    'app/page.tsx',
    'test/example.ts',
  ],
  components: ['lib/server/http/call.ts', 'lib/sandbox/process.ts', 'app/page.tsx'],
  ...forConsoleRooms((folder, _room, _lower, others) => others.map((other) => `${folder}/${other}/other.ts`)),
  'app/**/route.ts': [
    'lib/server/api/models.ts',
    'lib/server/db/ledger.ts',
    'lib/sandbox/process.ts',
    'lib/client/index.ts',
    'components/ui/button.tsx',
  ],
  'app/**/!(route).*': ['lib/server/api/models.ts', 'lib/server/http/call.ts', 'lib/sandbox/process.ts'],
};

/** @type {Record<string, string[]>} */
const allowed = {
  'lib/protocol': ['lib/protocol/networks.ts'],
  'lib/server/!(*.test).ts': ['lib/protocol/networks.ts', 'lib/server/http/call.ts', 'lib/server/api/models.ts'],
  ...Object.fromEntries(
    rooms.map((room) => [
      `lib/server/${room}/**/!(*.test).ts`,
      [
        'lib/protocol/networks.ts',
        fileIn(room),
        ...rooms.filter((other) => other !== room && !above[room]?.includes(other)).map(fileIn),
      ],
    ]),
  ),
  'lib/server/**/*.test.ts': ['lib/protocol/networks.ts', 'lib/server/api/models.ts', 'test/example.ts'],
  test: [
    'lib/protocol/networks.ts',
    'lib/server/create-gateway.ts',
    'lib/sandbox/enclave/enclave.ts',
    'packages/turnpike-client/command/run.ts',
  ],
  'lib/sandbox': ['lib/protocol/networks.ts', 'lib/sandbox/evm/chain.ts'],
  'lib/command-line': ['lib/command-line/options.ts'],
  'lib/client/**/!(*.test).ts': ['lib/protocol/networks.ts', 'lib/client/index.ts'],
  'lib/client/**/*.test.ts': ['lib/client/index.ts', 'lib/sandbox/enclave/enclave.ts', 'test/example.ts'],
  'lib/browser': ['lib/protocol/networks.ts', 'lib/client/index.ts', 'lib/browser/wallet.ts'],
  attack: [
    'lib/protocol/networks.ts',
    'lib/client/index.ts',
    'lib/sandbox/process.ts',
    'packages/turnpike-client/src/index.ts',
  ],
  faults: ['attack/stage/child-process.ts', 'test/test-postgres.ts'],
  agents: ['attack/stage/gateway-process.ts', 'packages/turnpike-client/command/run.ts', 'lib/protocol/json-record.ts'],
  'packages/turnpike-client/**/!(*.test).ts': [
    'lib/protocol/networks.ts',
    'lib/client/index.ts',
    'lib/command-line/options.ts',
  ],
  'packages/turnpike-client/**/*.test.ts': ['lib/client/index.ts', 'lib/sandbox/enclave/enclave.ts', 'test/example.ts'],
  components: ['lib/protocol/networks.ts', 'lib/browser/wallet.ts', 'components/ui/button.tsx'],
  ...forConsoleRooms((folder, _room, lower) => [
    'lib/protocol/networks.ts',
    'lib/client/index.ts',
    ...lower.map((other) => `${folder}/${other}/other.ts`),
  ]),
  'app/**/route.ts': ['lib/server/http/next.ts'],
  'app/**/!(route).*': ['components/ui/button.tsx', 'lib/browser/wallet.ts', 'lib/protocol/networks.ts'],
};

describe('imports go one way', () => {
  test('every direction has its cases below', () => {
    const named = importDirections.map(({ folder, files: some }) => some ?? folder).sort();
    expect(Object.keys(forbidden).sort()).toEqual(named);
    expect(Object.keys(allowed).sort()).toEqual(named);
  });

  for (const [zone, from] of Object.entries(files)) {
    const may = allowed[zone] ?? [];
    const mayNot = forbidden[zone] ?? [];

    test(`${from} may import ${may.join(', ')}, and may not import ${mayNot.join(', ')}`, () => {
      const written = [...may, ...mayNot].map((file) => `@/${file}`);
      expect(objections(from, written).sort()).toEqual(mayNot.map((file) => `@/${file}`).sort());
    });
  }

  test('paths are resolved as TypeScript resolves them', () => {
    const real = createTypeScriptImportResolver({ project: inRepository('tsconfig.json') });
    expect(objections('lib/example.mjs', ['../scripts/bundle.mjs', '@/vitest.config'], real)).toEqual([]);
    const refused = ['@/vitest.config', '../../scripts/bundle.mjs'];
    expect(objections('lib/protocol/example.mjs', refused, real)).toEqual(refused);
  });
});
