/**
 * @not next: openai.test.ts, speech.test.ts and rpc-request.test.ts send the same requests through Next.
 * @not postgres: charges are the same as for other callers, and other tests check those on Postgres.
 * @waits: for one program after another.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { repositoryRoot } from './harness/repository-root';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** Runs every file of `examples/` as a reader would: with only key and address in the environment. */

interface Example {
  program: string;
  file: string;
  prints: RegExp;
  /** Name of another program that the example needs. */
  needs?: string;
  /** True if the example pays with a wallet instead of a key. */
  pays?: true;
}

const COST = '0\\.00001400? USD';
const EXAMPLES: readonly Example[] = [
  { program: process.execPath, file: 'viem.mjs', prints: /^Chain 1 is at block \d+; the address holds \d+ wei\.\n$/ },
  { program: process.execPath, file: 'ethers.mjs', prints: /^Chain 1 is at block \d+\.\n$/ },
  { program: process.execPath, file: 'kit.mjs', prints: /^Solana is at slot \d+; the address holds \d+ lamports\.\n$/ },
  {
    program: process.execPath,
    file: 'web3.mjs',
    prints: /^Solana is at slot \d+; the address holds \d+ lamports\.\n$/,
  },
  { program: process.execPath, file: 'openai.mjs', prints: /\d+ tokens\.\n$/ },
  { program: process.execPath, file: 'ai-sdk.mjs', prints: /[\s\S]{40,}\d+ tokens\.\n$/ },
  { program: process.execPath, file: 'langchain.mjs', prints: /[\s\S]{40,}\d+ tokens\.\n$/ },
  { program: process.execPath, file: 'speech.mjs', prints: /^Spoken into .*speech\.mp3\.\n$/ },
  {
    program: process.execPath,
    file: 'agent.mjs',
    pays: true,
    prints: /^(Block 0x[0-9a-f]+; \d{4,} bytes of speech; [^\n]*stak[\s\S]*?\n){2}$/i,
  },
  {
    program: process.execPath,
    file: 'x402-fetch.mjs',
    pays: true,
    prints: /^Block 0x[0-9a-f]+, paid by 0x[0-9a-f]{64}; 0\.009986 USD are left for the next call\.\n$/,
  },
  {
    program: process.execPath,
    file: 'x402-solana.mjs',
    pays: true,
    prints: /^\d{4,} bytes of audio, paid by [1-9A-HJ-NP-Za-km-z]{64,88}\.\n$/,
  },
  {
    program: process.execPath,
    file: 'x402-axios.mjs',
    pays: true,
    prints: /stak[\s\S]*\d\.\d{6} USD are left for the next call\.\n$/i,
  },
  {
    program: process.execPath,
    file: 'x402-fetch-v1.mjs',
    pays: true,
    prints: /^Block 0x[0-9a-f]+; 0\.009986 USD are left for the next call\.\n$/,
  },
  {
    program: process.execPath,
    file: 'x402-top-up.mjs',
    pays: true,
    prints: new RegExp(
      `^5 USD prepaid; the balance is 5 USD\\.\\nBlock 0x[0-9a-f]+ cost ${COST}; 4\\.999986 USD are left\\.\\n$`,
    ),
  },
  { program: process.execPath, file: 'openai-paying.mjs', pays: true, prints: /stak/i },
  {
    program: 'sh',
    file: 'curl.sh',
    needs: 'curl',
    prints: /X-Service-RPC-Cost-USD: 0\.000014\d*\s[\s\S]*"result":"0x[0-9a-f]+"/i,
  },
  { program: 'sh', file: 'cast.sh', needs: 'cast', prints: /^\d+\n$/ },
  { program: 'python3', file: 'python.py', prints: /^Block \d+ cost 0\.000014\d* USD\.\n[\s\S]{40,}/ },
];
/** client-package.test.ts runs the examples that need an installed package. */
const WITH_THE_PACKAGE = 'turnpike-client';

const isHere = (program: string): boolean => spawnSync(program, ['--version'], { timeout: 60_000 }).error === undefined;
const needsOf = ({ program, needs }: Example): string[] => [needs ?? program];
const runnable = EXAMPLES.filter((example) => needsOf(example).every(isHere));
for (const example of EXAMPLES.filter((each) => !runnable.includes(each)))
  console.log(`examples/${example.file} was not run: ${needsOf(example).join(', ')} is not here.`);

let gateway: GatewayUnderTest;
let key = '';
const folder = mkdtempSync(path.join(tmpdir(), 'examples-'));
beforeAll(async () => {
  const started = await startSandboxGateway();
  gateway = started.gateway;
  key = started.sandbox.demoKey;
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.stop();
});

function run(
  { program, file }: Example,
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = [path.join(repositoryRoot, 'examples', file)];
  const environment = {
    PATH: process.env.PATH ?? '',
    TURNPIKE_URL: gateway.url,
    OUT: path.join(folder, 'speech.mp3'),
    ...env,
  };
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env: environment as unknown as NodeJS.ProcessEnv, timeout: 180_000 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
  });
}

describe('examples', { timeout: 200_000 }, () => {
  const readme = readFileSync(path.join(repositoryRoot, 'examples/README.md'), 'utf8');

  test('none is left out here or in their README, which names at least twenty clients', () => {
    const entries = readdirSync(path.join(repositoryRoot, 'examples')).filter(
      (name) => name !== 'README.md' && name !== WITH_THE_PACKAGE,
    );
    expect(EXAMPLES.map(({ file }) => file).sort()).toEqual(entries.sort());
    const withThePackage = readdirSync(path.join(repositoryRoot, 'examples', WITH_THE_PACKAGE)).map(
      (name) => `${WITH_THE_PACKAGE}/${name}`,
    );
    const rows = readme.split('\n').filter((line) => line.startsWith('| ['));
    for (const file of [...entries, ...withThePackage])
      expect(
        rows.filter((row) => row.includes(`(${file})`)),
        file,
      ).toHaveLength(1);
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });

  test('the script of an agent has fifteen lines', () => {
    const lines = readFileSync(path.join(repositoryRoot, 'examples/agent.mjs'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  test('the versions in the README are those that are run here', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
    const named = [...readme.matchAll(/`(@?[a-z0-9./-]+)` (\d+\.\d+\.\d+)/g)];
    expect(named.length).toBeGreaterThan(12);
    for (const [, name = '', version] of named)
      expect([name, version]).toEqual([name, devDependencies[name] ?? dependencies[name]]);
  });

  test.each(runnable)('$file does what its README says', async (example) => {
    const { code, stdout, stderr } = await run(example, { TURNPIKE_API_KEY: key });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(example.prints);
  });

  test.each(runnable.filter(({ pays }) => pays === undefined))(
    '$file with a key that there is not ends with an error',
    async (example) => {
      const { code, stderr, stdout } = await run(example, { TURNPIKE_API_KEY: 'tpk_unknown' });
      expect(code, stdout).not.toBe(0);
      expect(`${stderr}${stdout}`).toMatch(/401|Unauthorized|API key|UNAUTHENTICATED/i);
    },
  );

  test('the file that was spoken is an MP3', () => {
    const bytes = readFileSync(path.join(folder, 'speech.mp3'));
    expect(bytes.length).toBeGreaterThan(5_000);
    expect([0xff, 0x49]).toContain(bytes[0]);
  });
});
