/**
 * @not next: turnpike-client.test.ts runs the package's sources and sends the same requests through Next.
 * @not postgres: charges are the same as for other callers, and other tests check those on Postgres.
 */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { repositoryRoot } from './harness/repository-root';
import { startSandboxGateway } from './harness/sandbox-gateway';

/**
 * The archive for the registry, installed into an empty folder: its files and types, and whether its examples run on
 * all stated platforms.
 */

interface Program {
  /** Name of a file in examples/turnpike-client, without extension. */
  name: string;
  subpath: string;
  prints: RegExp;
}

/** Imports of every subpath. */
const PROGRAMS: readonly Program[] = [
  { name: 'rpc', subpath: '.', prints: /^Block 0x[0-9a-f]+ cost 0\.00001400 USD\.$/ },
  { name: 'viem', subpath: './viem', prints: /^Chain 1 is at block \d+\.$/ },
  { name: 'ethers', subpath: './ethers', prints: /^Ethereum is at block \d+\.$/ },
  { name: 'solana', subpath: './solana', prints: /^Solana is at slot \d+\.$/ },
  { name: 'openai', subpath: './openai', prints: /stak/i },
  { name: 'ai-sdk', subpath: './ai-sdk', prints: /stak/i },
  { name: 'speech', subpath: './speech', prints: /^\d{4,} bytes of audio\/mpeg\.$/ },
  { name: 'video', subpath: './video', prints: /^\d{4,} bytes of video\/mp4\.$/ },
];
/** Examples that need the running command. */
const WITH_COMMAND: readonly { name: string; prints: RegExp }[] = [
  { name: 'proxy', prints: /stak/i },
  {
    name: 'mcp',
    prints:
      /^Block 0x[0-9a-f]+ cost 0\.00001400 USD\. The model \(simulated, its signature verified\) says: [\s\S]*stak/i,
  },
];

const run = promisify(execFile);
const inRepository = (...parts: string[]): string => path.join(repositoryRoot, ...parts);
const PEERS = ['viem', 'ethers', '@solana/kit', 'openai', '@ai-sdk/openai-compatible'];
/** Packages that the examples need. */
const BESIDE_IT = [...PEERS, 'ai', '@modelcontextprotocol/sdk', '@types/node'];
const ENTRY_BYTES_MAX = 60 * 1_024;

let gateway: GatewayUnderTest;
let folder: string;
let archive: string;
let env: { TURNPIKE_URL: string; TURNPIKE_API_KEY: string };
beforeAll(async () => {
  const { gateway: started, sandbox } = await startSandboxGateway();
  gateway = started;
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'client-package-')));
  const packing = `import { buildClientPackage, packClientPackage } from './scripts/client-package.mjs'; await buildClientPackage(); console.log(await packClientPackage(${JSON.stringify(folder)}));`;
  archive = (
    await run(process.execPath, ['--input-type=module', '--eval', packing], { cwd: repositoryRoot })
  ).stdout.trim();
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  // Installs without a registry, because all required packages are bundled and peers are optional.
  await run(
    'npm',
    ['install', `./${path.basename(archive)}`, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'],
    { cwd: folder },
  );
  for (const peer of BESIDE_IT) {
    mkdirSync(path.join(folder, 'node_modules', path.dirname(peer)), { recursive: true });
    symlinkSync(inRepository('node_modules', peer), path.join(folder, 'node_modules', peer));
  }
  env = { TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: sandbox.demoKey };
  for (const { name } of [...PROGRAMS, ...WITH_COMMAND])
    copyFileSync(inRepository('examples/turnpike-client', `${name}.mjs`), path.join(folder, `${name}.mjs`));
}, 240_000);
afterAll(async () => {
  await gateway?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const installed = (...parts: string[]): string => path.join(folder, 'node_modules', 'turnpike-client', ...parts);
const manifest = (): {
  version: string;
  license: string;
  exports: Record<string, unknown>;
  bin: Record<string, string>;
  dependencies?: object;
} => JSON.parse(readFileSync(installed('package.json'), 'utf8')) as ReturnType<typeof manifest>;

describe('what is in the archive', () => {
  test('a licence, a readme, the notices of what is built in, and no source, test or map', () => {
    const files = readdirSync(installed(), { recursive: true }) as string[];
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'THIRD-PARTY-NOTICES.md',
        'package.json',
        'dist/index.js',
        'dist/index.d.ts',
      ]),
    );
    expect(files.filter((file) => /\.(test\.|tsx?$|map$)/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    expect(readFileSync(installed('LICENSE'), 'utf8')).toContain('Apache License');
    expect(readFileSync(installed('THIRD-PARTY-NOTICES.md'), 'utf8')).toContain('## @noble/curves');
    const readme = readFileSync(installed('README.md'), 'utf8');
    for (const subpath of Object.keys(manifest().exports))
      if (subpath !== './package.json') expect(readme).toContain(`turnpike-client${subpath.slice(1)}`);
  });

  test('nothing that has to be installed beside it, and the version of the product', () => {
    expect([manifest().dependencies ?? {}, manifest().license]).toEqual([{}, 'Apache-2.0']);
    expect(manifest().version).toBe(
      (JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as { version: string }).version,
    );
  });

  test('publint and attw find nothing', async () => {
    const publint = await run(
      process.execPath,
      [inRepository('node_modules/publint/src/cli.js'), 'run', archive, '--strict'],
      { cwd: folder },
    );
    expect(publint.stdout).toContain('All good!');
    // Ignores problems with CommonJS and Node 10, because the package is ESM only.
    const attw = await run(
      process.execPath,
      [
        inRepository('node_modules/@arethetypeswrong/cli/dist/index.js'),
        archive,
        '--profile',
        'esm-only',
        '--format',
        'json',
      ],
      { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 },
    );
    const { analysis } = JSON.parse(attw.stdout) as { analysis: { problems: { resolutionKind?: string }[] } };
    expect(
      analysis.problems.filter(({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs'),
    ).toEqual([]);
  }, 120_000);

  test('every subpath has an example, and every example is run here', () => {
    expect(PROGRAMS.map(({ subpath }) => subpath).sort()).toEqual(
      Object.keys(manifest().exports)
        .filter((subpath) => subpath !== './package.json')
        .sort(),
    );
    expect([...PROGRAMS, ...WITH_COMMAND].map(({ name }) => `${name}.mjs`).sort()).toEqual(
      readdirSync(inRepository('examples/turnpike-client')).sort(),
    );
  });
});

describe('types under strict', () => {
  const node16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
  const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

  test('with the resolution of node16, its own declarations included', () => {
    const program = ts.createProgram(
      PROGRAMS.map(({ name }) => path.join(folder, `${name}.mjs`)),
      {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        allowJs: true,
        checkJs: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        types: ['node'],
        typeRoots: [path.join(folder, 'node_modules/@types')],
        target: ts.ScriptTarget.ES2022,
        ...node16,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
      },
    );
    // Ignores errors in the types of peer packages.
    const checked = program
      .getSourceFiles()
      .filter(({ fileName }) => path.dirname(fileName) === folder || fileName.startsWith(`${installed('dist')}/`));
    expect(checked.length).toBeGreaterThan(PROGRAMS.length + 10);
    const faults = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ];
    expect(
      faults.map(
        ({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
    ).toEqual([]);
  }, 120_000);

  // A second check of the same declarations would find the same.
  test('with the resolution of bundlers, which finds the same declarations', () => {
    const declarations = ts.sys.readDirectory(installed('dist'), ['.d.ts']);
    expect(declarations.length).toBeGreaterThan(10);
    const found = (options: ts.CompilerOptions) => {
      const resolved = (name: string, from: string) =>
        ts.resolveModuleName(name, from, options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext).resolvedModule
          ?.resolvedFileName;
      return [
        ...PROGRAMS.map(({ subpath }) => resolved(`turnpike-client${subpath.slice(1)}`, path.join(folder, 'x.mjs'))),
        ...declarations.flatMap((file) =>
          ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => resolved(fileName, file)),
        ),
      ];
    };
    expect(found(bundler)).toEqual(found(node16));
    expect(found(bundler)).not.toContain(undefined);
  });
});

/**
 * Available Node versions that the package supports: the tests' own, and those that the repository's commands
 * installed.
 */
async function nodesAtHand(): Promise<[version: string, program: string][]> {
  const cache = inRepository('node_modules/.cache');
  const cached = existsSync(cache)
    ? readdirSync(cache)
        .filter((name) => name.startsWith('node-'))
        .map((name) => path.join(cache, name, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node'))
    : [];
  const found = new Map<string, string>();
  for (const program of [process.execPath, 'node', ...cached]) {
    const version = await run(program, ['--version']).then(
      ({ stdout }) => stdout.trim().slice(1),
      () => '0',
    );
    const [major = '0'] = version.split('.');
    if (Number(major) >= 22 && !found.has(major)) found.set(major, program);
  }
  return [...found];
}

const nodes = await nodesAtHand();
for (const major of ['22', '24'])
  if (!nodes.some(([version]) => version === major))
    console.log(`The package was not run on Node ${major}, which is not here.`);

describe.each(nodes)('on Node %s', (_, node) => {
  test('the example of each subpath works', async () => {
    const script = `for (const name of ${JSON.stringify(PROGRAMS.map(({ name }) => name))}) { console.log('=== ' + name); await import('./' + name + '.mjs'); }`;
    const { stdout, stderr } = await run(node, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: { ...env } as unknown as NodeJS.ProcessEnv,
    });
    expect(stderr).toBe('');
    const printed = new Map(
      stdout.split('=== ').map((text) => [text.split('\n', 1)[0], text.slice(text.indexOf('\n') + 1).trim()]),
    );
    for (const { name, prints } of PROGRAMS) expect(printed.get(name), name).toMatch(prints);
  }, 90_000);

  test('its command answers', async () => {
    const bin = installed(manifest().bin['turnpike-client'] ?? '');
    const { stdout, stderr } = await run(node, [bin, '--help'], { cwd: folder });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^turnpike-client COMMAND/), '']);
    const failed = await run(node, [bin, 'nothing'], { cwd: folder }).catch((error: { code: number }) => error);
    expect(failed).toMatchObject({ code: 2 });
  });
});

describe('npx runs the command where the package is installed', () => {
  const withPath = (more: object): NodeJS.ProcessEnv =>
    ({
      ...more,
      HOME: process.env.HOME ?? '',
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}`,
    }) as unknown as NodeJS.ProcessEnv;

  test('and tells its help', async () => {
    const { stdout } = await run('npx', ['--no-install', 'turnpike-client', '--help'], {
      cwd: folder,
      env: withPath({}),
    });
    expect(stdout).toMatch(/^turnpike-client COMMAND/);
  });

  test.each(WITH_COMMAND)(
    'under the example $name',
    async ({ name, prints }) => {
      const { stdout } = await run(process.execPath, [`${name}.mjs`], { cwd: folder, env: withPath(env) });
      expect(stdout.trim()).toMatch(prints);
    },
    90_000,
  );
});

describe('in a browser', () => {
  const executablePath = [
    process.env.CHROMIUM_PATH,
    process.env.PLAYWRIGHT_CHROMIUM,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((file) => file !== undefined && file !== '' && existsSync(file));
  let browser: Browser;
  let pages: Server;
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    await build({
      absWorkingDir: folder,
      entryPoints: PROGRAMS.map(({ name }) => `${name}.mjs`),
      outdir: path.join(folder, 'page'),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      define: { 'process.env': JSON.stringify({ ...env, NODE_ENV: 'production' }) },
      logLevel: 'silent',
    });
    pages = createServer((request, response) => {
      const file = path.join(folder, 'page', path.basename(request.url ?? ''));
      const isScript = file.endsWith('.js') && existsSync(file);
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? readFileSync(file) : '<!doctype html><title>A page</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
  });

  test('the example of each subpath works in a page of another origin', async () => {
    const page = await browser.newPage();
    const printed: string[] = [];
    page.on('console', (message) => message.type() === 'log' && printed.push(message.text()));
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    for (const { name, prints } of PROGRAMS) {
      await page.evaluate(`import('/${name}.js').then(() => undefined)`);
      expect(printed.at(-1), name).toMatch(prints);
    }
    expect(printed).toHaveLength(PROGRAMS.length);
  }, 90_000);
});

describe('how much of it ends up in a page, gzipped', () => {
  const weighed = async (contents: string): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      external: PEERS.flatMap((peer) => [peer, `${peer}/*`]),
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  };

  test('all but attestation is under 60 KB', async () => {
    const names = PROGRAMS.map(({ subpath }) => subpath).filter(
      (subpath) => subpath !== './openai' && subpath !== './ai-sdk',
    );
    const bytes = await weighed(
      names.map((subpath) => `export * from 'turnpike-client${subpath.slice(1)}';`).join('\n'),
    );
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(ENTRY_BYTES_MAX);
    console.log(
      `All but attestation: ${bytes} bytes. The root alone: ${await weighed("export { createTurnpike } from 'turnpike-client';")}. With attestation: ${await weighed("export * from 'turnpike-client/openai';")}.`,
    );
  });

  test('what is not used is left out', async () => {
    expect(
      await weighed("import 'turnpike-client'; import 'turnpike-client/openai'; import 'turnpike-client/video';"),
    ).toBeLessThan(100);
    const [whole, error] = [
      await weighed("export * from 'turnpike-client';"),
      await weighed("export { TurnpikeError } from 'turnpike-client';"),
    ];
    expect(error).toBeLessThan(whole / 5);
  });
});
