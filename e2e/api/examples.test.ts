/**
 * @not next: the examples send what openai.test.ts, speech.test.ts and rpc-request.test.ts send there.
 * @not postgres: the examples are customers like any other; the tests of money have them charged there.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { repositoryRoot } from './harness/repository-root';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** Every file of `examples/` runs as a reader would run it: with the key and the address in the environment, nothing else. */

interface Example {
  program: string;
  file: string;
  prints: RegExp;
}

const EXAMPLES: readonly Example[] = [
  { program: process.execPath, file: 'viem.mjs', prints: /^Chain 1 is at block \d+; the address holds \d+ wei\.\n$/ },
  { program: process.execPath, file: 'ethers.mjs', prints: /^Chain 1 is at block \d+\.\n$/ },
  { program: process.execPath, file: 'openai.mjs', prints: /\d+ tokens\.\n$/ },
  { program: process.execPath, file: 'speech.mjs', prints: /^Spoken into .*speech\.mp3\.\n$/ },
  { program: process.execPath, file: 'x402-top-up.mjs', prints: /^5 USD prepaid; the balance is 5 USD\.\nBlock 0x[0-9a-f]+ cost 0\.00001400? USD; 4\.999986 USD are left\.\n$/ },
  { program: 'sh', file: 'curl.sh', prints: /X-Service-RPC-Cost-USD: 0\.000014\d*\s[\s\S]*"result":"0x[0-9a-f]+"/i },
  { program: 'python3', file: 'python.py', prints: /^Block \d+ cost 0\.000014\d* USD\.\n[\s\S]{40,}/ },
];

const isHere = (program: string): boolean => spawnSync(program, ['--version'], { timeout: 60_000 }).error === undefined;
const needsOf = ({ file, program }: Example): string[] => (file.endsWith('.sh') ? ['curl'] : [program]);
const runnable = EXAMPLES.filter((example) => needsOf(example).every(isHere));
for (const example of EXAMPLES.filter((each) => !runnable.includes(each))) console.log(`examples/${example.file} was not run: ${needsOf(example).join(', ')} is not here.`);

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

function run({ program, file }: Example, env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = [path.join(repositoryRoot, 'examples', file)];
  const environment = { PATH: process.env.PATH ?? '', TURNPIKE_URL: gateway.url, OUT: path.join(folder, 'speech.mp3'), ...env };
  return new Promise((resolve) => {
    execFile(program, args, { env: environment as unknown as NodeJS.ProcessEnv, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

describe('examples', { timeout: 90_000 }, () => {
  test('none is left out here or in their README', () => {
    const files = readdirSync(path.join(repositoryRoot, 'examples')).filter((name) => name !== 'README.md');
    expect(EXAMPLES.map(({ file }) => file).sort()).toEqual(files.sort());
    const readme = readFileSync(path.join(repositoryRoot, 'examples/README.md'), 'utf8');
    for (const file of files) expect(readme).toContain(`| \`${file}\` |`);
  });

  test.each(runnable)('$file does what its README says', async (example) => {
    const { code, stdout, stderr } = await run(example, { TURNPIKE_KEY: key });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(example.prints);
  });

  test.each(runnable.filter(({ file }) => file !== 'x402-top-up.mjs'))('$file with a key that there is not ends with an error', async (example) => {
    const { code, stderr, stdout } = await run(example, { TURNPIKE_KEY: 'tpk_unknown' });
    expect(code, stdout).not.toBe(0);
    expect(`${stderr}${stdout}`).toMatch(/401|Unauthorized|API key|UNAUTHENTICATED/i);
  });

  test('the file that was spoken is an MP3', () => {
    const bytes = readFileSync(path.join(folder, 'speech.mp3'));
    expect(bytes.length).toBeGreaterThan(5_000);
    expect([0xff, 0x49]).toContain(bytes[0]);
  });
});
