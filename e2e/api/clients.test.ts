/**
 * @not next: the clients send plain POSTs of JSON, and rpc-request.test.ts sends such requests through Next.
 *   rpc-response.test.ts checks the answers.
 * @not postgres: each call is one charge. rpc-limits.test.ts has such charges on Postgres.
 */
import { Contract, FetchRequest, Interface, JsonRpcProvider, Network, parseEther as ethersParse, Wallet } from 'ethers';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  HttpRequestError,
  parseEther,
  type PublicClient,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';

/**
 * viem and ethers 6 through the proxy, with a real stand-in chain: reads, a signed transaction and a batch with each.
 */

const NETWORK = 'sandbox-testnet';
const CHAIN_ID = 31_337;
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const RECIPIENT = '0x00000000000000000000000000000000DeaDBeef';
const ABI = [
  'function getChainId() view returns (uint256)',
  'function getEthBalance(address) view returns (uint256)',
] as const;
const VIEM_ABI = [
  { type: 'function', name: 'getChainId', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
  {
    type: 'function',
    name: 'getEthBalance',
    stateMutability: 'view',
    inputs: [{ type: 'address' }],
    outputs: [{ type: 'uint256' }],
  },
] as const;

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let url: string;

beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
  url = `${gateway.url}/api/v1/crypto/rpc/${NETWORK}`;
});
afterAll(() => gateway?.stop());

async function fundedKey(): Promise<`0x${string}`> {
  const key = generatePrivateKey();
  const body = JSON.stringify({ address: privateKeyToAccount(key).address });
  const { status } = await gateway.ask({
    method: 'POST',
    path: '/api/sandbox/faucet',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(status).toBe(200);
  return key;
}

/** Asks the node directly for the chain's head. */
async function nodeHead(): Promise<number> {
  const { rpcUrl } = sandbox.evm.find(({ chainId }) => chainId === CHAIN_ID)!;
  return Number(await createPublicClient({ transport: http(rpcUrl) }).getBlockNumber({ cacheTime: 0 }));
}

/** Expects a height that the chain's head had between this time and now. */
async function expectHead(number: number, since: number): Promise<void> {
  expect(number).toBeGreaterThanOrEqual(since);
  expect(number).toBeLessThanOrEqual(await nodeHead());
}

/** Returns the methods charged since then. The ledger contains every call of the client. */
function chargesSince(count: number) {
  return gateway.books.charges().slice(count);
}

/** Waits for charges to end. A poll of a stopped client could otherwise be charged during the next test. */
async function booksAtRest(): Promise<void> {
  for (let before = -1; before !== gateway.books.count(); await new Promise((resolve) => setTimeout(resolve, 200)))
    before = gateway.books.count();
}

describe('viem', () => {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'Sandbox Testnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: MULTICALL3 } },
  });
  const transport = (key: string, batch = false) =>
    http(url, { batch, retryCount: 0, fetchOptions: { headers: { authorization: `Bearer ${key}` } } });
  const clientOf = (key: string, batch = false): PublicClient =>
    createPublicClient({ chain, transport: transport(key, batch), pollingInterval: 50 });

  test('reads', async () => {
    const client = clientOf(sandbox.demoKey);
    const before = gateway.books.count();
    expect(await client.getChainId()).toBe(CHAIN_ID);
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThanOrEqual(0n);
    expect((await client.getBlock({ blockNumber: 0n })).number).toBe(0n);
    expect(await client.readContract({ address: MULTICALL3, abi: VIEM_ABI, functionName: 'getChainId' })).toBe(
      BigInt(CHAIN_ID),
    );
    expect(chargesSince(before).map(({ credits }) => credits)).toEqual([20, 20, 20, 20]);
  });

  test('a signed transaction', async () => {
    const account = privateKeyToAccount(await fundedKey());
    const [client, wallet] = [
      clientOf(sandbox.demoKey),
      createWalletClient({ account, chain, transport: transport(sandbox.demoKey) }),
    ];
    const balanceBefore = await client.getBalance({ address: RECIPIENT });
    const before = gateway.books.count();
    const hash = await wallet.sendTransaction({ to: RECIPIENT, value: parseEther('0.25') });
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'success', from: account.address.toLowerCase() });
    expect((await client.getBalance({ address: RECIPIENT })) - balanceBefore).toBe(parseEther('0.25'));
    expect(chargesSince(before).length).toBeGreaterThanOrEqual(3);
  });

  test('a batch is one request, and its calls are answered each', async () => {
    const client = clientOf(sandbox.demoKey, true);
    const before = gateway.books.count();
    const [chainId, block, balance, code] = await Promise.all([
      client.request({ method: 'eth_chainId' }),
      client.request({ method: 'eth_blockNumber' }),
      client.getBalance({ address: '0x0000000000000000000000000000000000000001' }),
      client.getCode({ address: MULTICALL3 }),
    ]);
    expect(Number(chainId)).toBe(CHAIN_ID);
    expect(BigInt(block)).toBeGreaterThanOrEqual(0n);
    expect(balance).toBe(0n);
    expect(code?.length).toBeGreaterThan(1_000);
    expect(chargesSince(before).map(({ credits }) => credits)).toEqual([80]);
  });

  test('a multicall', async () => {
    const contract = { address: MULTICALL3, abi: VIEM_ABI } as const;
    const results = await clientOf(sandbox.demoKey).multicall({
      contracts: [
        { ...contract, functionName: 'getChainId' },
        { ...contract, functionName: 'getEthBalance', args: [RECIPIENT] },
      ],
      allowFailure: false,
    });
    expect(results[0]).toBe(BigInt(CHAIN_ID));
  });

  test('a revert reaches the client as such, and costs 5', async () => {
    const before = gateway.books.count();
    await expect(clientOf(sandbox.demoKey).call({ to: MULTICALL3, data: '0xdeadbeef' })).rejects.toThrow(/revert/i);
    expect(chargesSince(before).map(({ credits }) => credits)).toEqual([5]);
  });

  test('a bad key reaches the client as the status 401, with the sentence', async () => {
    const failure = await clientOf('tpk_unknown')
      .getBlockNumber()
      .catch((error: unknown) => error);
    const request = (failure as { walk(test: (cause: unknown) => boolean): unknown }).walk(
      (cause) => cause instanceof HttpRequestError,
    );
    expect(request).toMatchObject({ status: 401, details: expect.stringContaining('API key') });
  });
});

describe('ethers 6', () => {
  const providers: JsonRpcProvider[] = [];
  afterAll(() => {
    for (const provider of providers) provider.destroy();
  });

  /** ethers batches calls of the same moment, unless `batchMaxCount` is 1. */
  function providerOf(key: string, batchMaxCount: number): JsonRpcProvider {
    const request = new FetchRequest(url);
    request.setHeader('authorization', `Bearer ${key}`);
    const network = new Network('sandbox', CHAIN_ID);
    const provider = new JsonRpcProvider(request, network, {
      staticNetwork: network,
      batchMaxCount,
      cacheTimeout: -1,
      pollingInterval: 50,
    });
    providers.push(provider);
    return provider;
  }

  test('reads', async () => {
    const provider = providerOf(sandbox.demoKey, 1);
    const head = await nodeHead();
    const before = gateway.books.count();
    await expectHead(await provider.getBlockNumber(), head);
    expect((await provider.getBlock(0))?.number).toBe(0);
    const calls = new Interface(ABI);
    const result = await provider.call({ to: MULTICALL3, data: calls.encodeFunctionData('getChainId') });
    expect(calls.decodeFunctionResult('getChainId', result)[0]).toBe(BigInt(CHAIN_ID));
    expect(chargesSince(before).map(({ credits }) => credits)).toEqual([20, 20, 20]);
  });

  test('a signed transaction', async () => {
    const provider = providerOf(sandbox.demoKey, 1);
    const wallet = new Wallet(await fundedKey(), provider);
    const balanceBefore = await provider.getBalance(RECIPIENT);
    const sent = await wallet.sendTransaction({ to: RECIPIENT, value: ethersParse('0.5') });
    expect((await sent.wait())?.status).toBe(1);
    expect((await provider.getBalance(RECIPIENT)) - balanceBefore).toBe(ethersParse('0.5'));
  });

  /** Events of the staking token, which the faucet transfers. Filters are refused, so ethers must poll. */
  test.each([
    ['as the README has it', { polling: true }],
    ['where calls are not batched', { batchMaxCount: 1 }],
  ])('events of a contract, %s', async (_how, options) => {
    const request = new FetchRequest(url);
    request.setHeader('authorization', `Bearer ${sandbox.demoKey}`);
    const provider = new JsonRpcProvider(request, undefined, { ...options, cacheTimeout: -1, pollingInterval: 50 });
    providers.push(provider);
    const { staking } = (await (await fetch(`${gateway.url}/api/settings`)).json()) as {
      staking: { deployments: { network: string; stakeToken: string }[] };
    };
    const token = new Contract(
      staking.deployments.find(({ network }) => network === NETWORK)!.stakeToken,
      ['event Transfer(address indexed from, address indexed to, uint256 value)'],
      provider,
    );
    const seen: string[] = [];
    await token.on('Transfer', (_from: string, to: string) => seen.push(to.toLowerCase()));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const receiver = privateKeyToAccount(await fundedKey()).address.toLowerCase();
    await expect.poll(() => seen, { timeout: 10_000 }).toContain(receiver);
    await token.off('Transfer');
    await booksAtRest();
  });

  test('a batch is one request, and its calls are answered each', async () => {
    const provider = providerOf(sandbox.demoKey, 100);
    const head = await nodeHead();
    const before = gateway.books.count();
    const [block, balance, code] = await Promise.all([
      provider.getBlockNumber(),
      provider.getBalance('0x0000000000000000000000000000000000000001'),
      provider.getCode(MULTICALL3),
    ]);
    await expectHead(block, head);
    expect(balance).toBe(0n);
    expect(code.length).toBeGreaterThan(1_000);
    expect(chargesSince(before).map(({ credits }) => credits)).toEqual([60]);
  });

  test('a revert reaches the client as such', async () => {
    await expect(providerOf(sandbox.demoKey, 1).call({ to: MULTICALL3, data: '0xdeadbeef' })).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
    });
  });

  test('a bad key reaches the client as the status 401', async () => {
    await expect(providerOf('tpk_unknown', 1).getBlockNumber()).rejects.toMatchObject({
      code: 'SERVER_ERROR',
      response: { statusCode: 401 },
    });
  });
});
