import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { MintTokens } from './minting/mint-tokens';
import { nodeListener } from '../http/node-adapter';
import { ensureWalletAccount } from '../db/wallets';
import { resultOf, type ScriptedNode, scriptedNode } from '@/test/scripted-node';
import { tempFolder } from '@/test/temp-folder';
import { serve, testGateway } from '@/test/test-gateway';

// On a busy machine, hundreds of forgeries take long.
vi.setConfig({ testTimeout: 60_000 });

const ORIGIN = 'https://gate.example';
const CONTRACT = '0x00000000000000000000000000000000000a11ce';
const YES = `0x${'00'.repeat(31)}01`;
const NO = '0x00';

/** Starts a live gateway behind one proxy. Only its node of Base is simulated. */
async function stage(node: ScriptedNode) {
  const file = join(tempFolder(), 'turnpike.config.json');
  const limits = { publicRequestsPerMinutePerIp: 10_000, requestsPerMinute: 10_000 };
  const deployment = {
    network: 'base-mainnet',
    primary: true,
    stakeToken: CONTRACT,
    staking: CONTRACT,
    dailyCreditToken: CONTRACT,
    dailyCreditPool: CONTRACT,
  };
  const settings = {
    publicUrls: [ORIGIN],
    trustProxyHops: 1,
    limits,
    rpc: { healthChecks: { intervalMs: 0 }, hedging: { share: 0 }, retryShare: 0 },
    staking: { deployments: [deployment] },
    networks: { 'base-mainnet': { upstreams: [node.url], chainIdentity: false } },
  };
  writeFileSync(file, JSON.stringify(settings));
  const gateway = await testGateway({ TURNPIKE_CONFIG: file });
  const { origin } = await serve(nodeListener(gateway));
  const ask = (
    path: string,
    headers: Record<string, string>,
    { from = '192.0.2.1', method = 'GET', body = undefined as string | undefined } = {},
  ) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { 'x-forwarded-for': from, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const signInTo = async (signIn: string, from?: string) =>
    (await ask('/api/v1/billing/balance', { 'sign-in-with-x': signIn }, from === undefined ? {} : { from })).status;
  return { gateway, ask, signInTo };
}

const anyAddress = () => privateKeyToAccount(generatePrivateKey()).address;
const forged = (address: string = anyAddress(), signature = `0x${randomBytes(65).toString('hex')}`) =>
  buildSignIn({ address, uri: ORIGIN }).header(signature);
const callsOf = (node: ScriptedNode) => node.count('eth_call');

async function ownSignIn(): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey());
  const unsigned = buildSignIn({ address: account.address, uri: ORIGIN });
  return unsigned.header(await account.signMessage({ message: unsigned.text }));
}

describe('forged sign-ins of one address', () => {
  it('cost 30 calls of the chain in a minute, then 429 that says why; keys of wallets are not concerned', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, `"${NO}"`));
    const { signInTo, ask } = await stage(node);
    const statuses: number[] = [];
    for (let i = 0; i < 200; i++) statuses.push(await signInTo(forged()));
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(170);
    expect(callsOf(node)).toBe(30);
    const refused = await ask('/api/v1/billing/balance', { 'sign-in-with-x': forged() });
    expect(refused.headers.get('x-ratelimit-limit')).toBe('30');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      code: 'MINUTE_CAP',
      customMessage: expect.stringContaining('contract-wallet signatures') as string,
    });
    for (let i = 0; i < 20; i++) expect(await signInTo(await ownSignIn())).toBe(200);
    expect(callsOf(node)).toBe(30);
  });

  it('are counted together on every path: sign-in, the balance of a wallet, minting', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, `"${NO}"`));
    const { gateway, signInTo, ask } = await stage(node);
    const { secret, brand } = gateway.config;
    const tokens = new MintTokens(secret, null, brand.slug);
    const mint = async () => {
      const body = JSON.stringify({
        address: anyAddress(),
        token: await tokens.issue(Date.now()),
        signature: `0x${randomBytes(65).toString('hex')}`,
        apiKeyType: 'INFERENCE',
      });
      return ask(
        '/api/v1/api_keys/generate_web3_key',
        { 'content-type': 'application/json' },
        { method: 'POST', body },
      );
    };
    const balance = (address = anyAddress()) =>
      ask(`/api/v1/x402/balance/${address}`, { 'sign-in-with-x': forged(address) });
    for (let i = 0; i < 10; i++) {
      expect(await signInTo(forged())).toBe(401);
      expect((await balance()).status).toBe(401);
      expect((await mint()).status).toBe(400);
    }
    expect([await signInTo(forged()), (await balance()).status, (await mint()).status]).toEqual([429, 429, 429]);
    expect(callsOf(node)).toBe(30);
  });

  it('sent again are refused from memory', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, `"${NO}"`));
    const { signInTo } = await stage(node);
    const header = forged();
    for (let i = 0; i < 100; i++) expect(await signInTo(header, `198.51.100.${i}`)).toBe(401);
    expect(callsOf(node)).toBe(1);
  });
});

describe('while forgers from everywhere keep a slow chain busy', () => {
  const HANGING = 'f'.repeat(20);

  /** Node that never answers about these signatures, and accepts all others. */
  const slowNode = () =>
    scriptedNode(({ items: [item] }) =>
      JSON.stringify(item?.params).includes(HANGING) ? undefined : resultOf(item as { id: number }, `"${YES}"`),
    );
  const hanging = () => `0x${HANGING}${randomBytes(55).toString('hex')}`;
  const from = (i: number) => `203.0.113.${i}`;

  it('wallets with keys sign in, and a smart wallet that has an account; nobody hears that his signature is wrong', async () => {
    const node = await slowNode();
    const { gateway, signInTo } = await stage(node);
    const smart = anyAddress();
    await ensureWalletAccount(gateway.db, smart);
    const forgers = Array.from({ length: 150 }, (_, i) => signInTo(forged(anyAddress(), hanging()), from(i)));
    await vi.waitFor(() => expect(callsOf(node)).toBeGreaterThanOrEqual(16), { timeout: 20_000, interval: 5 });
    expect(await signInTo(await ownSignIn())).toBe(200);
    for (let i = 0; i < 10; i++) expect(await signInTo(forged(smart, `0x1234${i}0`))).toBe(200);
    expect(new Set(await Promise.all(forgers))).toEqual(new Set([503]));
  });

  it('and claim to be customers, a smart wallet that signed in here before is served', async () => {
    const node = await slowNode();
    const { gateway, signInTo } = await stage(node);
    const customers = Array.from({ length: 50 }, anyAddress);
    for (const customer of customers) await ensureWalletAccount(gateway.db, customer);
    const [smart] = customers as [string];
    expect(await signInTo(forged(smart, '0x1234'))).toBe(200);
    const forgers = Array.from({ length: 150 }, (_, i) => signInTo(forged(customers[i % 50], hanging()), from(i)));
    await vi.waitFor(() => expect(callsOf(node)).toBeGreaterThanOrEqual(25), { timeout: 20_000, interval: 5 });
    for (let i = 0; i < 10; i++) expect(await signInTo(forged(smart, `0x1234${i}0`))).toBe(200);
    expect(new Set(await Promise.all(forgers))).toEqual(new Set([503]));
  });
});
