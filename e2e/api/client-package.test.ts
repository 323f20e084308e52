/**
 * @not next: the package sends what turnpike-client.test.ts has its sources send.
 * @not postgres: a customer like any other; the tests of money have them charged there.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIVE_LINES, programName, programText } from './client-package/five-lines';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { repositoryRoot } from './harness/repository-root';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** The archive that would be published, installed into an empty folder: what is in it, its types, and that it runs wherever it says. */

const run = promisify(execFile);
const inRepository = (...parts: string[]): string => path.join(repositoryRoot, ...parts);
const PEERS = ['viem', 'ethers', '@solana/kit', 'openai', '@ai-sdk/openai-compatible', 'ai', '@types/node'];
const ENTRY_BYTES_MAX = 60 * 1_024;

let gateway: GatewayUnderTest;
let folder: string;
let archive: string;
beforeAll(async () => {
  const { gateway: started, sandbox } = await startSandboxGateway();
  gateway = started;
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'client-package-')));
  const packing = `import { buildClientPackage, packClientPackage } from './scripts/client-package.mjs'; await buildClientPackage(); console.log(await packClientPackage(${JSON.stringify(folder)}));`;
  archive = (await run(process.execPath, ['--input-type=module', '--eval', packing], { cwd: repositoryRoot })).stdout.trim();
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  // Without a registry: what it needs at run time is built in, and its peers are the reader's choice.
  await run('npm', ['install', `./${path.basename(archive)}`, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  for (const peer of PEERS) {
    mkdirSync(path.join(folder, 'node_modules', path.dirname(peer)), { recursive: true });
    symlinkSync(inRepository('node_modules', peer), path.join(folder, 'node_modules', peer));
  }
  writeFileSync(path.join(folder, 'gateway.mjs'), `export const url = ${JSON.stringify(gateway.url)};\nexport const key = ${JSON.stringify(sandbox.demoKey)};\n`);
  writeFileSync(path.join(folder, 'gateway.d.mts'), 'export declare const url: string;\nexport declare const key: string;\n');
  for (const program of FIVE_LINES) for (const ending of ['mts', 'mjs']) writeFileSync(path.join(folder, `${programName(program)}.${ending}`), programText(program));
}, 240_000);
afterAll(async () => {
  await gateway?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const installed = (...parts: string[]): string => path.join(folder, 'node_modules', 'turnpike-client', ...parts);
const manifest = (): { version: string; license: string; exports: Record<string, unknown>; bin: Record<string, string>; dependencies?: object } => JSON.parse(readFileSync(installed('package.json'), 'utf8')) as ReturnType<typeof manifest>;

describe('what is in the archive', () => {
  test('a licence, a readme, the notices of what is built in, and no source, test or map', () => {
    const files = readdirSync(installed(), { recursive: true }) as string[];
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    expect(files.filter((file) => /\.(test\.|tsx?$|map$)/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    expect(readFileSync(installed('LICENSE'), 'utf8')).toContain('Apache License');
    expect(readFileSync(installed('THIRD-PARTY-NOTICES.md'), 'utf8')).toContain('## @noble/curves');
    const readme = readFileSync(installed('README.md'), 'utf8');
    for (const subpath of Object.keys(manifest().exports)) if (subpath !== './package.json') expect(readme).toContain(`turnpike-client${subpath.slice(1)}`);
  });

  test('nothing that has to be installed beside it, and the version of the product', () => {
    expect([manifest().dependencies ?? {}, manifest().license]).toEqual([{}, 'Apache-2.0']);
    expect(manifest().version).toBe((JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as { version: string }).version);
  });

  test('publint and attw find nothing', async () => {
    const publint = await run(process.execPath, [inRepository('node_modules/publint/src/cli.js'), 'run', archive, '--strict'], { cwd: folder });
    expect(publint.stdout).toContain('All good!');
    // It is ESM alone: what CommonJS and the resolution of Node 10 make of it is theirs.
    const attw = await run(process.execPath, [inRepository('node_modules/@arethetypeswrong/cli/dist/index.js'), archive, '--profile', 'esm-only', '--format', 'json'], { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 });
    const { analysis } = JSON.parse(attw.stdout) as { analysis: { problems: { resolutionKind?: string }[] } };
    expect(analysis.problems.filter(({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs')).toEqual([]);
  }, 120_000);

  test('every subpath has its five lines', () => {
    expect(FIVE_LINES.map(({ subpath }) => subpath).sort()).toEqual(Object.keys(manifest().exports).filter((subpath) => subpath !== './package.json').sort());
  });
});

describe('types under strict', () => {
  test.each([
    ['bundler', 'esnext'],
    ['node16', 'node16'],
  ])('with the resolution of %s, its own declarations included', async (moduleResolution, module) => {
    const config = path.join(folder, `tsconfig.${moduleResolution}.json`);
    const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: [], target: 'es2022', module, moduleResolution, lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'] };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: FIVE_LINES.map((program) => `${programName(program)}.mts`) }));
    const compiled = await run(process.execPath, [inRepository('node_modules/typescript-native/bin/tsc'), '--project', config, '--pretty', 'false', '--listFiles'], { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 }).catch((error: { stdout: string }) => error);
    const lines = compiled.stdout.split('\n');
    expect(lines.filter((line) => line.startsWith(installed('dist'))).length).toBeGreaterThan(10);
    // What its peers declare is theirs.
    expect(lines.filter((line) => line.includes(': error TS') && (!line.includes('node_modules/') || line.includes('node_modules/turnpike-client/')))).toEqual([]);
  }, 120_000);
});

/** The Nodes at hand that the package says it runs on: the one of the tests, and those that the commands of the repository installed. */
async function nodesAtHand(): Promise<[version: string, program: string][]> {
  const cache = inRepository('node_modules/.cache');
  const cached = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('node-')).map((name) => path.join(cache, name, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')) : [];
  const found = new Map<string, string>();
  for (const program of [process.execPath, 'node', ...cached]) {
    const version = await run(program, ['--version']).then(({ stdout }) => stdout.trim().slice(1), () => '0');
    const [major = '0'] = version.split('.');
    if (Number(major) >= 22 && !found.has(major)) found.set(major, program);
  }
  return [...found];
}

const nodes = await nodesAtHand();
for (const major of ['22', '24']) if (!nodes.some(([version]) => version === major)) console.log(`The package was not run on Node ${major}, which is not here.`);

describe.each(nodes)('on Node %s', (_, node) => {
  test('five lines of each subpath work', async () => {
    const names = FIVE_LINES.map(programName);
    const script = `const answers = {}; await Promise.all(${JSON.stringify(names)}.map(async (name) => { answers[name] = (await import('./' + name + '.mjs')).answer; })); console.log(JSON.stringify(answers));`;
    const { stdout, stderr } = await run(node, ['--input-type=module', '--eval', script], { cwd: folder });
    expect(stderr).toBe('');
    const answers = JSON.parse(stdout) as Record<string, unknown>;
    for (const program of FIVE_LINES) expect(JSON.stringify(answers[programName(program)]), program.subpath).toMatch(program.answers);
  }, 90_000);

  test('its command answers', async () => {
    const bin = installed(manifest().bin['turnpike-client'] ?? '');
    const { stdout, stderr } = await run(node, [bin, '--help'], { cwd: folder });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^turnpike-client COMMAND/), '']);
    const failed = await run(node, [bin, 'nothing'], { cwd: folder }).catch((error: { code: number }) => error);
    expect(failed).toMatchObject({ code: 2 });
  });
});

test('npx runs the command where the package is installed', async () => {
  const { stdout } = await run('npx', ['--no-install', 'turnpike-client', '--help'], { cwd: folder, env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}` } });
  expect(stdout).toMatch(/^turnpike-client COMMAND/);
}, 60_000);

describe('in a browser', () => {
  const executablePath = [process.env.CHROMIUM_PATH, process.env.PLAYWRIGHT_CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => file !== undefined && file !== '' && existsSync(file));
  let browser: Browser;
  let pages: Server;
  beforeAll(async () => {
    browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
    await build({ absWorkingDir: folder, entryPoints: FIVE_LINES.map((program) => `${programName(program)}.mjs`), outdir: path.join(folder, 'page'), bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' }, logLevel: 'silent' });
    pages = createServer((request, response) => {
      const file = path.join(folder, 'page', path.basename(request.url ?? ''));
      const isScript = file.endsWith('.js') && existsSync(file);
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? readFileSync(file) : '<!doctype html><title>A page</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    pages?.close();
  });

  test('five lines of each subpath work in a page of another origin', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    for (const program of FIVE_LINES) {
      const answer: unknown = await page.evaluate(`import('/${programName(program)}.js').then(({ answer }) => answer)`);
      expect(JSON.stringify(answer), program.subpath).toMatch(program.answers);
    }
  }, 90_000);
});

describe('how much of it ends up in a page, gzipped', () => {
  const weighed = async (contents: string): Promise<number> => {
    const { outputFiles } = await build({ stdin: { contents, resolveDir: folder }, bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022', external: PEERS.flatMap((peer) => [peer, `${peer}/*`]), define: { 'process.env.NODE_ENV': '"production"' }, logLevel: 'silent' });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  };

  test('all but attestation is under 60 KB', async () => {
    const names = FIVE_LINES.map(({ subpath }) => subpath).filter((subpath) => subpath !== './openai' && subpath !== './ai-sdk');
    const bytes = await weighed(names.map((subpath) => `export * from 'turnpike-client${subpath.slice(1)}';`).join('\n'));
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(ENTRY_BYTES_MAX);
    console.log(`All but attestation: ${bytes} bytes. The root alone: ${await weighed("export { createTurnpike } from 'turnpike-client';")}. With attestation: ${await weighed("export * from 'turnpike-client/openai';")}.`);
  });

  test('what is not used is left out', async () => {
    expect(await weighed("import 'turnpike-client'; import 'turnpike-client/openai'; import 'turnpike-client/video';")).toBeLessThan(100);
    const [whole, error] = [await weighed("export * from 'turnpike-client';"), await weighed("export { TurnpikeError } from 'turnpike-client';")];
    expect(error).toBeLessThan(whole / 5);
  });
});
