import { ESLint } from 'eslint';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { importDirections } from './import-directions.mjs';
import { inRepository, repositoryRoot } from './parts/repository.mjs';

vi.setConfig({ testTimeout: 30_000 });

const rule = 'import-x/no-restricted-paths';

/** @type {ESLint} */
let eslint;

beforeAll(async () => {
  // One file of each folder, imported as if it existed: the rule needs only its path, so
  // the resolver is replaced by one that believes every `@/` path.
  eslint = new ESLint({
    cwd: repositoryRoot,
    overrideConfig: {
      settings: { 'import-x/resolver-next': [{ interfaceVersion: 3, name: 'believing', resolve: believe }] },
    },
  });
  // The first use loads every plugin.
  await eslint.lintText('', { filePath: inRepository('lib/protocol/example.ts') });
}, 60_000);

/** @param {string} source */
function believe(source) {
  return source.startsWith('@/') ? { found: true, path: inRepository(source.slice(2)) } : { found: false };
}

/**
 * What the lint says of a file that imports all of these: linting once for each would take a minute.
 *
 * @param {string} from @param {readonly string[]} imported
 * @returns {Promise<Set<string>>} those that the directions object to
 */
async function objections(from, imported) {
  const text = imported.map((path) => `import '@/${path}';\n`).join('');
  const [result] = await eslint.lintText(text, { filePath: inRepository(from) });
  const fatal = result?.messages.find((message) => message.fatal);
  if (fatal) throw new Error(fatal.message);
  return new Set(result?.messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => String(imported[line - 1])));
}

const ground = ['config', 'telemetry', 'http', 'db'];
const capabilities = ['attestation', 'chat', 'payments', 'rpc', 'speech', 'staking', 'video'];
const middle = ['upstreams', 'auth', 'billing'];
const top = ['api', 'admin'];
const rooms = [...ground, ...middle, ...capabilities, ...top];

/**
 * The rooms that each room of the server may not import, written out again: the directions and these lists have to agree.
 *
 * @type {Record<string, string[]>}
 */
const above = {
  ...Object.fromEntries(ground.map((room) => [room, rooms.filter((other) => other !== room)])),
  upstreams: ['telemetry', 'db', 'auth', 'billing', ...capabilities, ...top],
  auth: ['upstreams', 'billing', ...capabilities, ...top],
  billing: ['upstreams', ...capabilities, ...top],
  ...Object.fromEntries(capabilities.map((room) => [room, [...capabilities.filter((other) => other !== room), ...top]])),
  api: ['admin'],
  // The doctor knows receivers and facilitators by what payments knows of them.
  admin: [...capabilities.filter((room) => room !== 'payments'), 'api'],
};

/** @param {string} room */
const fileIn = (room) => `lib/server/${room}/other.ts`;

/** @type {Record<string, string>} */
const files = {
  'lib/protocol': 'lib/protocol/example.ts',
  'lib/server/!(*.test).ts': 'lib/server/example.ts',
  ...Object.fromEntries(rooms.map((room) => [`lib/server/${room}/**/!(*.test).ts`, `lib/server/${room}/deep/example.ts`])),
  'lib/server/**/*.test.ts': 'lib/server/billing/example.test.ts',
  test: 'test/example.ts',
  'lib/sandbox': 'lib/sandbox/example.ts',
  'lib/client': 'lib/client/example.ts',
  'lib/browser': 'lib/browser/example.ts',
  attack: 'attack/example.ts',
  faults: 'faults/example.ts',
  'packages/turnpike-client': 'packages/turnpike-client/src/example.ts',
  components: 'components/rpc/example.tsx',
  'app/**/route.ts': 'app/api/v1/crypto/rpc/[network]/route.ts',
  'app/**/!(route).*': 'app/rpc/page.tsx',
};

/** @type {Record<string, string[]>} */
const forbidden = {
  'lib/protocol': ['lib/server/http/call.ts', 'lib/client/index.ts', 'lib/sandbox/process.ts', 'components/ui/button.tsx'],
  'lib/server/!(*.test).ts': ['lib/client/index.ts', 'lib/sandbox/process.ts', 'lib/browser/wallet.ts', 'app/page.tsx', 'server.ts', 'test/example.ts'],
  ...Object.fromEntries(rooms.map((room) => [`lib/server/${room}/**/!(*.test).ts`, ['lib/client/index.ts', 'lib/sandbox/process.ts', 'test/example.ts', 'lib/server/create-gateway.ts', ...(above[room] ?? []).map(fileIn)]])),
  'lib/server/**/*.test.ts': ['lib/client/index.ts', 'lib/browser/wallet.ts', 'app/page.tsx'],
  test: ['lib/client/index.ts', 'lib/browser/wallet.ts', 'components/ui/button.tsx', 'app/page.tsx'],
  'lib/sandbox': ['lib/server/http/call.ts', 'lib/client/index.ts', 'lib/browser/wallet.ts'],
  'lib/client': ['lib/server/http/call.ts', 'lib/sandbox/process.ts', 'lib/browser/wallet.ts'],
  'lib/browser': ['lib/server/http/call.ts', 'lib/sandbox/process.ts', 'components/ui/button.tsx'],
  attack: ['lib/server/http/call.ts', 'lib/browser/wallet.ts', 'app/page.tsx', 'server.ts', 'bench/load.ts'],
  faults: ['lib/server/http/call.ts', 'lib/client/index.ts', 'lib/sandbox/process.ts', 'app/page.tsx', 'server.ts', 'bench/load.ts', 'attack/main.ts'],
  'packages/turnpike-client': ['lib/server/http/call.ts', 'lib/sandbox/process.ts', 'lib/browser/wallet.ts', 'components/ui/button.tsx', 'app/page.tsx', 'test/example.ts'],
  components: ['lib/server/http/call.ts', 'lib/sandbox/process.ts', 'app/page.tsx'],
  'app/**/route.ts': ['lib/server/api/models.ts', 'lib/server/db/ledger.ts', 'lib/sandbox/process.ts', 'lib/client/index.ts', 'components/ui/button.tsx'],
  'app/**/!(route).*': ['lib/server/api/models.ts', 'lib/server/http/call.ts', 'lib/sandbox/process.ts'],
};

/** @type {Record<string, string[]>} */
const allowed = {
  'lib/protocol': ['lib/protocol/networks.ts'],
  'lib/server/!(*.test).ts': ['lib/protocol/networks.ts', 'lib/server/http/call.ts', 'lib/server/api/models.ts'],
  ...Object.fromEntries(rooms.map((room) => [`lib/server/${room}/**/!(*.test).ts`, ['lib/protocol/networks.ts', fileIn(room), ...rooms.filter((other) => other !== room && !above[room]?.includes(other)).map(fileIn)]])),
  'lib/server/**/*.test.ts': ['lib/protocol/networks.ts', 'lib/server/api/models.ts', 'test/example.ts'],
  test: ['lib/protocol/networks.ts', 'lib/server/create-gateway.ts'],
  'lib/sandbox': ['lib/protocol/networks.ts', 'lib/sandbox/evm/chain.ts'],
  'lib/client': ['lib/protocol/networks.ts', 'lib/client/index.ts'],
  'lib/browser': ['lib/protocol/networks.ts', 'lib/client/index.ts', 'lib/browser/wallet.ts'],
  attack: ['lib/protocol/networks.ts', 'lib/client/index.ts', 'lib/sandbox/process.ts'],
  faults: ['attack/stage/child-process.ts', 'test/test-postgres.ts'],
  'packages/turnpike-client': ['lib/protocol/networks.ts', 'lib/client/index.ts'],
  components: ['lib/protocol/networks.ts', 'lib/browser/wallet.ts', 'components/ui/button.tsx'],
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

    test(`${from} may import ${may.join(', ')}, and may not import ${mayNot.join(', ')}`, async () => {
      const objected = await objections(from, [...may, ...mayNot]);
      expect([...objected].sort()).toEqual([...mayNot].sort());
    });
  }

  test('paths are resolved as TypeScript resolves them', async () => {
    const real = new ESLint({ cwd: repositoryRoot });
    const [result] = await real.lintText("import '../scripts/bundle.mjs';\nimport '@/vitest.config';\n", {
      filePath: inRepository('lib/example.mjs'),
      warnIgnored: true,
    });
    expect(result?.messages.filter(({ ruleId }) => ruleId === rule)).toHaveLength(0);
    const [refused] = await real.lintText("import '@/vitest.config';\nimport '../../scripts/bundle.mjs';\n", {
      filePath: inRepository('lib/protocol/example.mjs'),
    });
    expect(refused?.messages.filter(({ ruleId }) => ruleId === rule)).toHaveLength(2);
  });

  test('a page may import only types of lib/client', async () => {
    const page = 'components/rpc/example.tsx';
    const typesOnly = await eslint.lintText("import type { A } from '@/lib/client';\nexport type B = A;\n", { filePath: inRepository(page) });
    const values = await eslint.lintText("import { a } from '@/lib/client';\nexport const b = a;\n", { filePath: inRepository(page) });
    const name = '@typescript-eslint/no-restricted-imports';
    expect(typesOnly[0]?.messages.map(({ ruleId }) => ruleId)).not.toContain(name);
    expect(values[0]?.messages.map(({ ruleId }) => ruleId)).toContain(name);
  });

  test('code that runs in browsers may not import what only Node has', async () => {
    const [result] = await eslint.lintText("import fs from 'node:fs';\nexport const a = fs;\n", { filePath: inRepository('lib/protocol/example.ts') });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('no-restricted-imports');
  });
});
