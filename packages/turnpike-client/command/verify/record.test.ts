import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { collateralResponses, nearReport } from '@/lib/sandbox/enclave/families/simulated-reports';
import { issueCollateral } from '@/lib/sandbox/enclave/hardware/collateral';
import { generatePlatformKeys, PLATFORM } from '@/lib/sandbox/enclave/hardware/platform-keys';
import { recordAttestation, type RecordOptions } from './record';
import { runCommand } from '@/test/customer-command';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.now();
const platform = generatePlatformKeys(nowMs);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'record-'));
const asked: { url: string; authorization: string | undefined }[] = [];
const [tcbInfo, identity, list, rootList] = collateralResponses(issueCollateral(platform, nowMs));

/** Serves as provider and as Intel's service. */
const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  asked.push({ url: `${url.pathname}${url.search}`, authorization: request.headers.authorization });
  const document = {
    '/tdx/certification/v4/tcb': tcbInfo,
    '/tdx/certification/v4/qe/identity': identity,
    '/sgx/certification/v4/pckcrl': list,
    '/IntelSGXRootCA.der': rootList,
  }[url.pathname];
  if (document) return void response.writeHead(200, document.headers).end(document.body);
  if (url.pathname !== '/report') return void response.writeHead(302, { location: '/report' }).end();
  response.end(
    JSON.stringify(nearReport({ platform, nowMs }, Buffer.from(url.searchParams.get('nonce') ?? '', 'hex'))),
  );
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  fs.rmSync(folder, { recursive: true });
});

const record = (name: string, change: Partial<RecordOptions> = {}) =>
  recordAttestation({
    urls: [`${base}/report?model=simulated`],
    folder: path.join(folder, name),
    model: null,
    authorization: 'Bearer secret',
    services: { pccsUrl: base, rootCrlUrl: `${base}/IntelSGXRootCA.der`, nvidiaUrl: base },
    roots: [configuredRoot(platform.certificates.root, true)],
    nowMs,
    ...change,
  });

describe('recording a provider', () => {
  it('keeps what the provider and Intel answered, so that it verifies without a network', async () => {
    await record('first');
    const manifest = path.join(folder, 'first', 'manifest.json');
    fs.writeFileSync(
      manifest,
      JSON.stringify({
        ...(JSON.parse(fs.readFileSync(manifest, 'utf8')) as object),
        simulated_root: platform.certificates.root.toString('base64'),
      }),
    );
    const { code, out } = await runCommand([
      'verify',
      '--recording',
      path.join(folder, 'first'),
      '--allow-simulated',
      '--json',
    ]);
    expect({ code, verdict: (JSON.parse(out) as { verdict: string }).verdict }).toEqual({
      code: 0,
      verdict: 'simulated',
    });
    expect(asked.map(({ url }) => url)).toContain(`/tdx/certification/v4/tcb?fmspc=${PLATFORM.fmspc.toLowerCase()}`);
  });

  it('tells the secret to the provider alone, and writes it nowhere', async () => {
    asked.length = 0;
    await record('second');
    expect(
      asked.filter(({ authorization }) => authorization !== undefined).map(({ url }) => url.split('?')[0]),
    ).toEqual(['/report']);
    for (const file of fs.readdirSync(path.join(folder, 'second', 'responses')))
      expect(fs.readFileSync(path.join(folder, 'second', 'responses', file), 'latin1')).not.toContain('secret');
  });

  it('asks nobody about a quote that leads to no trusted root', async () => {
    asked.length = 0;
    await record('third', { roots: [] });
    expect(asked).toHaveLength(1);
  });

  it('draws another nonce each time, and puts it where it is said to belong', async () => {
    asked.length = 0;
    await record('fourth', { urls: [`${base}/report?nonce={nonce}`] });
    const { nonce_hex: nonce } = JSON.parse(fs.readFileSync(path.join(folder, 'fourth', 'manifest.json'), 'utf8')) as {
      nonce_hex: string;
    };
    expect(asked[0]?.url).toBe(`/report?nonce=${nonce}`);
    await expect(record('fourth')).rejects.toThrow('already contains a recording');
  });

  it.each<[string, Partial<RecordOptions>, string]>([
    ['what is no URL', { urls: ['report'] }, 'must be a URL'],
    ['a provider that leads elsewhere', { urls: ['REDIRECT'] }, 'returned no answer'],
    ['a provider that is away', { urls: ['http://127.0.0.1:1/report'] }, 'returned no answer'],
  ])('says what is wrong with %s, and leaves no manifest', async (_, change, words) => {
    const urls = change.urls?.map((url) => (url === 'REDIRECT' ? `${base}/other` : url));
    await expect(record('bad', { ...change, ...(urls && { urls }) })).rejects.toThrow(words);
    expect(fs.existsSync(path.join(folder, 'bad', 'manifest.json'))).toBe(false);
  });
});
