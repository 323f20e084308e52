import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkRequest } from './request-text';
import { samplesOf } from './rpc-samples';

const run = promisify(execFile);

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let server: Server;
let url: string;
let folder: string;
let received: Received[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const answer = (item: { id?: unknown }) => ({ jsonrpc: '2.0', id: item.id ?? null, result: '0x2a' });
      const parsed: unknown = JSON.parse(body);
      response.writeHead(200, { 'content-type': 'application/json', 'x-service-rpc-credits': '20' });
      response.end(JSON.stringify(Array.isArray(parsed) ? parsed.map(answer) : answer(parsed as object)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/crypto/rpc/base-mainnet`;
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
});
beforeEach(() => (received = []));
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

function sampleOf(language: string, text: string): string {
  const check = checkRequest(text);
  if (!check.ok) throw new Error(check.problem.sentence);
  const samples = samplesOf(
    { url, credential: { kind: 'apiKey', apiKey: 'tp_secret' }, idempotencyKey: 'once', ...check },
    'evm',
  );
  const found = samples.find((sample) => sample.language === language);
  if (found === undefined) throw new Error(`no sample in ${language}`);
  return found.code;
}

async function runSample(language: string, code: string): Promise<string> {
  if (language === 'curl') return (await run('sh', ['-c', code.replace('curl', 'curl -sS')])).stdout;
  if (language === 'python') return (await run('python3', ['-c', code])).stdout;
  const outfile = join(folder, `${language}.mjs`);
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir: process.cwd() },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  return (await run(process.execPath, [outfile])).stdout;
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
const LANGUAGES = ['curl', 'fetch', 'viem', ...(hasPython ? ['python'] : [])];

describe.each(LANGUAGES)('the %s sample, pasted and run', (language) => {
  it('makes the request with the credential and prints the answer', async () => {
    const params = [
      '0x0000000000000000000000000000000000000001',
      'latest',
      true,
      null,
      1.5,
      { "it's": 'a "quote" and a \\ and €😀' },
    ];
    const stdout = await runSample(
      language,
      sampleOf(language, JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_getBalance', params })),
    );
    expect(received).toHaveLength(1);
    expect(received[0]?.headers).toMatchObject({
      authorization: 'Bearer tp_secret',
      'content-type': 'application/json',
      'idempotency-key': 'once',
    });
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ method: 'eth_getBalance', params });
    expect(stdout).toContain('0x2a');
  });

  it('makes a batch as one request', async () => {
    const stdout = await runSample(
      language,
      sampleOf(
        language,
        '[{"id":1,"method":"eth_chainId"},{"id":2,"method":"debug_traceCall","params":[{},"latest",{}]}]',
      ),
    );
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject([
      { method: 'eth_chainId' },
      { method: 'debug_traceCall' },
    ]);
    expect(stdout.match(/0x2a/g)).toHaveLength(2);
  });
});

describe('what a language cannot write exactly', () => {
  const beyond = '{"id":1,"method":"getBlock","params":[18446744073709551615]}';

  it.each(LANGUAGES.filter((language) => language !== 'viem'))('%s keeps numbers beyond 2^53', async (language) => {
    await runSample(language, sampleOf(language, beyond));
    expect(received[0]?.body).toContain('18446744073709551615');
  });

  it('offers no viem sample that would round a number', () => {
    expect(() => sampleOf('viem', beyond)).toThrow('no sample');
  });

  it('sends a member named __proto__ with fetch', async () => {
    await runSample('fetch', sampleOf('fetch', '{"id":1,"method":"eth_call","params":[{"__proto__":{"a":1}}]}'));
    expect(received[0]?.body).toContain('"__proto__"');
  });

  it('offers no viem sample for a network that viem does not speak', () => {
    const check = checkRequest('{"method":"getSlot"}');
    if (!check.ok) return expect.unreachable();
    expect(
      samplesOf({ url, credential: null, idempotencyKey: null, ...check }, 'solana').map(({ language }) => language),
    ).toEqual(['curl', 'fetch', 'python']);
  });
});
