/**
 * @at next: Next's own listeners refuse or keep WebSockets.
 * @not postgres: Solana calls are charged like other calls.
 */
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  createSolanaRpcSubscriptions,
  address as kitAddress,
} from '@solana/kit';
import { createMint, getOrCreateAssociatedTokenAccount, mintTo, transfer } from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  sendAndConfirmTransaction,
  SendTransactionError,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';

/**
 * @solana/web3.js, @solana/spl-token and @solana/kit through the proxy with the Solana stand-in, each with its own way
 *   of confirming.
 */

const NETWORK = 'solana-devnet';
let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let url: string;
let httpHeaders: { Authorization: string };

beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
  url = `${gateway.url}/api/v1/crypto/rpc/${NETWORK}`;
  httpHeaders = { Authorization: `Bearer ${sandbox.demoKey}` };
});
afterAll(() => gateway?.stop());

const post = (path: string, body: unknown) =>
  gateway.ask({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const wsUrl = () => sandbox.solana?.wsUrl ?? '';

async function fundedKey(): Promise<Keypair> {
  const key = Keypair.generate();
  expect((await post('/api/sandbox/faucet', { address: key.publicKey.toBase58() })).status).toBe(200);
  return key;
}

describe('GET /api/sandbox', () => {
  test('tells where the Solana stand-in and its WebSocket are', () => {
    expect(sandbox.solana).toMatchObject({
      network: NETWORK,
      usdcMint: 'BJ9e1KRowaHXFFX12H3QCY8JM4Q6L2wLRgMsyZofAXWq',
    });
    expect(new URL(sandbox.solana?.rpcUrl ?? '').pathname).toBe(`/api/sandbox/rpc/${NETWORK}`);
    expect(wsUrl()).toMatch(
      gateway.entry === 'fast'
        ? /^ws:\/\/localhost:\d+\/api\/sandbox\/rpc\/solana-devnet$/
        : /^ws:\/\/127\.0\.0\.1:\d+\/solana\/solana-devnet$/,
    );
  });
});

describe('POST /api/sandbox/faucet with a Solana address', () => {
  test('gives 100 SOL on both Solana networks', async () => {
    const key = Keypair.generate().publicKey.toBase58();
    const { status, json } = await post('/api/sandbox/faucet', { address: key });
    expect(status).toBe(200);
    const funded = ['solana-mainnet', 'solana-devnet'].map(
      (network) => expect.objectContaining({ network, amount: '100', symbol: 'SOL', balance: '100' }) as object,
    );
    expect(json).toEqual({ address: key, funded });
    for (const network of ['solana-mainnet', 'solana-devnet']) {
      const { json: answer } = await post(`/api/sandbox/rpc/${network}`, {
        jsonrpc: '2.0',
        id: 1,
        method: 'getBalance',
        params: [key],
      });
      expect(answer).toMatchObject({ result: { value: 100 * LAMPORTS_PER_SOL } });
    }
  });

  test.each(['1111', 'not-an-address', '1'.repeat(3_000), 'O'.repeat(44)])('%s is 400', async (address) => {
    expect((await post('/api/sandbox/faucet', { address })).status).toBe(400);
  });
});

describe.each([
  ['with the wsEndpoint that GET /api/sandbox tells', () => ({ wsEndpoint: wsUrl() })],
  ['with the address that it derives by itself', () => ({})],
])('@solana/web3.js %s', (_name, options) => {
  test('airdrops, transfers and confirms, and every call is charged', async () => {
    const connection = new Connection(url, { commitment: 'confirmed', httpHeaders, ...options() });
    const [from, to] = [Keypair.generate(), Keypair.generate()];
    const before = gateway.books.count();
    const signature = await connection.requestAirdrop(from.publicKey, 5 * LAMPORTS_PER_SOL);
    await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) });
    const move = SystemProgram.transfer({
      fromPubkey: from.publicKey,
      toPubkey: to.publicKey,
      lamports: LAMPORTS_PER_SOL,
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(move), [from]);
    expect(await connection.getBalance(to.publicKey)).toBe(LAMPORTS_PER_SOL);
    const charges = gateway.books.charges().slice(before);
    expect(charges.length).toBeGreaterThanOrEqual(5);
  });
});

test('@solana/spl-token creates a mint and accounts, mints and transfers', async () => {
  const connection = new Connection(url, { commitment: 'confirmed', httpHeaders, wsEndpoint: wsUrl() });
  const [payer, friend] = [await fundedKey(), Keypair.generate()];
  const mint = await createMint(connection, payer, payer.publicKey, null, 6);
  const own = await getOrCreateAssociatedTokenAccount(connection, payer, mint, payer.publicKey);
  const theirs = await getOrCreateAssociatedTokenAccount(connection, payer, mint, friend.publicKey);
  await mintTo(connection, payer, mint, own.address, payer, 5_000_000n);
  await transfer(connection, payer, own.address, theirs.address, payer, 1_500_000n);
  expect((await connection.getTokenAccountBalance(theirs.address)).value.uiAmountString).toBe('1.5');
});

test('@solana/web3.js understands why a transaction failed, which costs 5 credits as every error does', async () => {
  const connection = new Connection(url, { commitment: 'confirmed', httpHeaders, wsEndpoint: wsUrl() });
  const from = await fundedKey();
  const move = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: Keypair.generate().publicKey,
    lamports: 1_000 * LAMPORTS_PER_SOL,
  });
  const failure = await connection
    .sendTransaction(new Transaction().add(move), [from])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SendTransactionError);
  expect((failure as SendTransactionError).logs?.join()).toMatch(/insufficient lamports/);
  const answer = await gateway.rpc(
    { jsonrpc: '2.0', id: 1, method: 'getBalance', params: ['?'] },
    { as: { key: sandbox.demoKey }, network: NETWORK },
  );
  expect(answer.json).toMatchObject({ error: { code: -32_602 } });
  expect(answer.headers['x-service-rpc-credits']).toBe('5');
});

test('@solana/kit reads by HTTP and hears of slots by WebSocket', async () => {
  const rpc = createSolanaRpcFromTransport(
    createDefaultRpcTransport({ url, headers: { authorization: httpHeaders.Authorization } }),
  );
  const key = await fundedKey();
  expect((await rpc.getBalance(kitAddress(key.publicKey.toBase58())).send()).value).toBe(
    100n * BigInt(LAMPORTS_PER_SOL),
  );
  const abort = new AbortController();
  const slots = await createSolanaRpcSubscriptions(wsUrl())
    .slotNotifications()
    .subscribe({ abortSignal: abort.signal });
  for await (const { slot } of slots) {
    expect(slot).toBeGreaterThan(0n);
    break;
  }
  abort.abort();
});

describe('WebSockets at the gateway', () => {
  test.each([
    '/api/v1/crypto/rpc/solana-devnet',
    '/api/sandbox/rpc/ethereum-mainnet',
    '/api/sandbox/rpc/starknet-mainnet',
    '/',
    '/api/sandbox/rpc/..%2Fstatus',
  ])('%s opens none', async (path) => {
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}${path}`);
    expect(
      await new Promise((resolve) =>
        socket.once('error', () => resolve('refused')).once('open', () => resolve('open')),
      ),
    ).toBe('refused');
    expect((await gateway.ask({ method: 'GET', path: '/api/health' })).status).toBe(200);
  });

  test('stay open once a page has been served', async () => {
    await (await fetch(gateway.url)).text();
    const socket = new WebSocket(wsUrl());
    socket.once('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}'));
    const heard: unknown[] = [];
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(heard[0]).toEqual({ jsonrpc: '2.0', result: 0, id: 1 });
    socket.terminate();
  });

  test('subscriptions by HTTP are refused, as the specification says', async () => {
    const { status } = await gateway.rpc(
      { jsonrpc: '2.0', id: 1, method: 'slotSubscribe' },
      { as: { key: sandbox.demoKey }, network: NETWORK },
    );
    expect(status).toBe(400);
  });
});
