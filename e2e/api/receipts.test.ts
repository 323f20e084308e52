/**
 * @at next: bodies are hashed as Next's own server receives and sends them.
 * @at postgres: receipts are database rows, and calls are charged there in other ways.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attestationPolicy, PrivateChatSession } from '@/lib/client/private-chat';
import { evmWallet, solanaWallet } from '../payments/paying-wallets';
import { runCommand } from './harness/command-line';
import { chosenEntry } from './harness/entries';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** A receipt of a whole gateway, checked offline by the customers' command. */

const CHECKER = join(import.meta.dirname, '../../lib/client/receipts/testing/independent-check.mjs');
const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';

let gateway: GatewayUnderTest;
let root = '';
let folder = '';
beforeAll(async () => {
  const started = await startSandboxGateway();
  gateway = started.gateway;
  root = started.sandbox.enclave?.root ?? '';
  folder = mkdtempSync(join(tmpdir(), 'turnpike-receipts-'));
  writeFileSync(join(folder, 'keys'), await (await fetch(`${gateway.url}/.well-known/jwks.json`)).text());
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.stop();
});

/** Without PUBLIC_URL, a gateway uses this name for itself, whatever host the client has called. */
const issuer = () => gateway.url.replace('127.0.0.1', 'localhost');

interface Exchange {
  request: string | Uint8Array;
  answer: Uint8Array;
  receipt: string | null;
}

interface Judged {
  isRefused: boolean;
  hops: { hop: string; outcome: string; text: string }[];
  receipt: {
    network: string;
    payer: string;
    transaction?: string;
    charge: { nanoUsd: number };
    enclave?: { report?: { sha256: string; url: string; verdict: string; measurements: Record<string, unknown>[] } };
  };
}

async function sent(path: string, request: string, headers: Record<string, string>): Promise<Exchange> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-receipt': 'true', ...headers },
    body: request,
  });
  return { request, answer: await response.bytes(), receipt: response.headers.get('x-receipt') };
}

/** Fetches the receipt of an exchange and checks it with the files of the exchange. */
async function judged(
  { request, answer, receipt }: Exchange,
  credential: Record<string, string>,
  more: readonly string[] = [],
): Promise<Judged> {
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const fetched = await fetch(`${gateway.url}${receipt}`, { headers: credential });
  expect(fetched.status).toBe(200);
  const args = ['receipt', 'verify', file('receipt', await fetched.text()), '--keys', join(folder, 'keys')];
  const files = ['--request', file('request', request), '--answer', file('answer', answer)];
  const { code, out } = await runCommand([...args, ...files, ...more, '--json', '--gateway', issuer()]);
  const verdict = JSON.parse(out) as Judged;
  expect([verdict.hops.filter(({ outcome }) => outcome === 'refused'), code]).toEqual([[], 0]);
  return verdict;
}

const outcomeOf = ({ hops }: Judged, name: string) => hops.find(({ hop }) => hop === name)?.outcome;

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** Wallets of strangers, by the chain that they pay on, with the form of a transaction there. */
const STRANGERS = {
  'eip155:8453': async () => {
    const wallet = await evmWallet(`${gateway.url}/api/sandbox`);
    return { ...wallet, scheme: new ExactEvmScheme(wallet.account), transaction: /^0x[0-9a-f]{64}$/ };
  },
  [SOLANA]: async () => {
    const wallet = await solanaWallet(`${gateway.url}/api/sandbox`);
    const rpcUrl = `${gateway.url}/api/sandbox/rpc/solana-mainnet`;
    return { ...wallet, scheme: new ExactSvmScheme(wallet.signer, { rpcUrl }), transaction: /^[1-9A-Za-z]{80,90}$/ };
  },
} as const;

test.each(['eip155:8453', SOLANA] as const)(
  'a call that a stranger pays for on %s names payer, transaction and terms',
  async (network) => {
    const wallet = await STRANGERS[network]();
    const request = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
    const asked = await fetch(`${gateway.url}${RPC}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
    });
    const schemes = [{ network, client: wallet.scheme }];
    const client = new x402HTTPClient(x402Client.fromConfig({ schemes, spendControls: false }));
    const required = client.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
    const payment = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
    const exchange = await sent(RPC, request, payment);
    // Anyone can repeat a payment, and gets the stored answer, but no further receipt in the payer's name.
    expect((await sent(RPC, request, payment)).receipt).toBeNull();
    const verdict = await judged(exchange, { 'sign-in-with-x': await wallet.signIn(gateway.url) });
    expect(verdict.receipt).toMatchObject({
      network,
      payer: wallet.address,
      transaction: expect.stringMatching(wallet.transaction) as string,
      charge: { nanoUsd: 14_000 },
    });
    expect(['request', 'answer', 'payment'].map((hop) => outcomeOf(verdict, hop))).toEqual([
      'proven',
      'proven',
      'unchecked',
    ]);
  },
);

test.each([
  ['a balance at a block', ['eth_getBalance', `0x${'1'.repeat(40)}`, '0x0'], /asked for block 0x0/],
  ['a batch', null, /1: answer of block 0x[0-9a-f]+, 2: asked for block latest\.$/],
])('%s names the blocks that the request or the answer names', async (_what, single, says) => {
  const { key } = await gateway.operator.createCaller({ usd: '1' });
  const authorization = { authorization: `Bearer ${key}` };
  const rpc = (method: string, ...params: string[]) => ({ jsonrpc: '2.0', id: 1, method, params });
  const [method = '', ...params] = single ?? [];
  const body = single
    ? rpc(method, ...params)
    : [rpc('eth_blockNumber'), rpc('eth_getBalance', `0x${'1'.repeat(40)}`, 'latest'), rpc('eth_chainId')];
  const verdict = await judged(await sent(RPC, JSON.stringify(body), authorization), authorization);
  expect(verdict.hops.find(({ hop }) => hop === 'chain')?.text).toMatch(says);
});

/** Attested models of every family, with the algorithm of their enclaves' signatures. */
const ATTESTED: Readonly<Record<string, 'ecdsa' | 'ed25519' | undefined>> = {
  'e2ee-guide': 'ecdsa',
  'tee-guide': 'ecdsa',
  'near-cloud-guide': 'ecdsa',
  'near-ed25519-guide': 'ed25519',
  'near-direct-guide': undefined,
  'tinfoil-guide': undefined,
  'chutes-e2ee-guide': undefined,
  'chutes-guide': undefined,
  'phala-cloud-guide': undefined,
};

/** One family for other entries: families differ in their enclaves, not in how bytes are passed and kept. */
const ASKED = Object.entries(ATTESTED).slice(0, ['next', 'postgres'].includes(String(chosenEntry())) ? 1 : undefined);

interface Listed {
  data: {
    id: string;
    model_spec: { encryption?: string; capabilities: { supportsTeeAttestation: boolean; supportsE2EE: boolean } };
  }[];
}
const listed = async () => ((await gateway.ask({ method: 'GET', path: '/api/v1/models' })).json as Listed).data;

test('no attested model is without a test of its receipts', async () => {
  const attested = (await listed()).filter(({ model_spec: { capabilities } }) => capabilities.supportsTeeAttestation);
  expect(attested.map(({ id }) => id).sort()).toEqual(Object.keys(ATTESTED).sort());
});

test.each(ASKED)(
  'a streamed chat with %s proves the bytes, the signature of the enclave and its report, also to an independent program',
  async (model, algorithm) => {
    const { key } = await gateway.operator.createCaller({ usd: '1' });
    const authorization = { authorization: `Bearer ${key}` };
    const spec = (await listed()).find(({ id }) => id === model)?.model_spec;
    const encrypted = spec?.capabilities.supportsE2EE === true || spec?.encryption === 'ed25519';
    const exchanges: Exchange[] = [];
    const recording: typeof fetch = async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('x-receipt', 'true');
      const response = await fetch(url, { ...init, headers });
      if (init?.method !== 'POST') return response;
      const [one, two] = response.body?.tee() ?? [];
      exchanges.push({
        request: await new Response(init.body).bytes(),
        answer: await new Response(one).bytes(),
        receipt: response.headers.get('x-receipt'),
      });
      return new Response(two ?? null, response);
    };
    const { signature } = await new PrivateChatSession({
      connection: { baseUrl: gateway.url, apiKey: key, fetch: recording },
      model,
      encrypted,
      policy: attestationPolicy({ simulatedRoot: root }),
      accepted: ['simulated'],
      signature: 'where-possible',
    }).ask([{ role: 'user', content: 'How does staking work?' }]);
    expect(signature.outcome === 'verified').toBe(algorithm !== undefined);
    const exchange = exchanges.at(-1);
    if (exchange === undefined) throw new Error('Nothing was sent.');
    expect(Buffer.from(exchange.request).includes('staking')).toBe(!encrypted);
    const verdict = await judged(exchange, authorization);
    expect(['request', 'answer', 'enclave'].map((hop) => outcomeOf(verdict, hop))).toEqual([
      'proven',
      'proven',
      algorithm === undefined ? 'stated' : 'proven',
    ]);
    const { report } = verdict.receipt.enclave ?? {};
    expect(report).toMatchObject({
      verdict: 'simulated',
      bindsAnswer: algorithm !== undefined,
      url: `${issuer()}/api/v1/tee/reports/${report?.sha256}`,
    });
    expect(Object.keys(report?.measurements[0] ?? {}).length).toBeGreaterThan(1);
    const kept = await fetch(`${gateway.url}/api/v1/tee/reports/${report?.sha256}`);
    writeFileSync(join(folder, 'report'), await kept.bytes());
    const again = await judged(exchange, authorization, ['--report', join(folder, 'report')]);
    expect(again.receipt.enclave).toEqual(verdict.receipt.enclave);
    expect(again.hops.filter(({ hop }) => hop === 'report')).toEqual([
      {
        hop: 'report',
        outcome: 'proven',
        text: (algorithm === undefined ? expect.stringContaining('No signature binds') : expect.any(String)) as string,
      },
    ]);
    const files = ['receipt', 'keys', 'request', 'answer', 'report'].map((name) => join(folder, name));
    const independent = execFileSync(process.execPath, [CHECKER, ...files], { encoding: 'utf8' });
    expect(independent).toMatch(new RegExp(`^valid: .* enclave ${algorithm}\\n$`));
    writeFileSync(join(folder, 'report'), '{}');
    expect(() => execFileSync(process.execPath, [CHECKER, ...files])).toThrow();
  },
);

test('the command fetches receipts and keys by itself, and says what it refuses', async () => {
  const { key } = await gateway.operator.createCaller({ usd: '1' });
  const env = { TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: key };
  const { receipt } = await sent(RPC, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', {
    authorization: `Bearer ${key}`,
  });
  const id = receipt?.split('/').at(-1) ?? '';
  const fetched = await runCommand(['receipt', 'fetch', id], { env });
  const file = join(folder, 'fetched');
  writeFileSync(file, fetched.out);
  const held = await runCommand(['receipt', 'verify', file]);
  expect(held.code).toBe(0);
  expect(held.out).toMatch(/^proven +form .*\nproven +signature /);
  writeFileSync(join(folder, 'other'), '{}');
  const refused = await runCommand(['receipt', 'verify', file, '--answer', join(folder, 'other')]);
  expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/refused +answer/)]);
  expect((await runCommand(['receipt', 'fetch', '0'.repeat(32)], { env })).code).toBe(3);
  expect((await runCommand(['receipt', 'verify', join(folder, 'absent')])).code).toBe(2);
  expect((await runCommand(['receipt'])).code).toBe(2);
});
