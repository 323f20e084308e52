/**
 * @not next: minting is one endpoint with JSON bodies. bad-bodies.test.ts and http.test.ts test such ones through Next.
 * @at postgres: database functions create keys and accounts of wallets.
 */
import { serializeErc6492Signature } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCharged, NANO_USD_PER_CREDIT } from './harness/credits';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import type { Answer } from './harness/http-exchange';
import { Minter } from './harness/minter';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { Staker } from './harness/staker';

/** spec, "Web3 key minting" and "Key minting" of "Errors"; wire, "Shapes". With real stand-in chains and contracts. */

const KEYS = '/api/v1/api_keys';
const BALANCE = '/api/v1/billing/balance';
const TOKENS = 10n ** 18n;
const CALL_NANO_USD = 20 * NANO_USD_PER_CREDIT;

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let minter: Minter;

beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
  minter = new Minter(gateway);
});
afterAll(() => gateway?.stop());

const asKey = (method: string, path: string, key: string): Promise<Answer> =>
  gateway.ask({ method, path, headers: { authorization: `Bearer ${key}` } });
const chainId = (key: string): Promise<Answer> =>
  gateway.rpc({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, { as: { key }, network: 'sandbox-testnet' });

/** Returns a sign-in for ten minutes, made by viem. */
async function signInOf({ account }: Staker): Promise<string> {
  const now = Date.now();
  const [issuedAt, expirationTime] = [new Date(now), new Date(now + 600_000)];
  const message = createSiweMessage({
    address: account.address,
    chainId: 8_453,
    domain: `127.0.0.1:${gateway.port}`,
    uri: gateway.url,
    version: '1',
    nonce: 'a1b2c3d4e5f60718',
    statement: 'Sign in to Turnpike',
    issuedAt,
    expirationTime,
  });
  const payload = {
    address: account.address,
    message,
    signature: await account.signMessage({ message }),
    timestamp: now,
    chainId: 8_453,
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

describe('a wallet that holds stake', () => {
  test('lists its keys with what they spent, and a revoked one stops with the next request', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
    const admin = await minter.mint(staker, { apiKeyType: 'ADMIN', description: 'for me' });
    const { apiKey, id } = await minter.mint(staker, {
      consumptionLimit: { usd: 1, vcu: null },
      limitPeriod: 'MONTH',
      expiresAt: '2999-01-01',
    });
    await gateway.operator.run('grants add', '--account', String(await minter.accountOf(apiKey)), '--usd', '1');
    expectCharged(gateway, await chainId(apiKey), 20);
    const listed = await asKey('GET', KEYS, admin.apiKey);
    const spent = { usd: CALL_NANO_USD / 1e9, diem: 0 };
    expect(listed.json).toMatchObject({
      success: true,
      data: [
        {
          id,
          apiKeyType: 'INFERENCE',
          last6Chars: apiKey.slice(-6),
          consumptionLimit: { usd: 1, diem: null },
          limitPeriod: 'MONTH',
          expiresAt: '2999-01-01T23:59:59.999Z',
          usage: { currentPeriod: spent, total: spent },
        },
        { id: admin.id, apiKeyType: 'ADMIN', description: 'for me', lastUsedAt: null, expiresAt: null },
      ],
      pagination: { limit: 100, offset: 0, hasMore: false },
    });
    expect((await asKey('DELETE', `${KEYS}?id=${id}`, admin.apiKey)).json).toEqual({ success: true });
    expect(await chainId(apiKey)).toMatchObject({ status: 401, json: { code: 'API_KEY_REVOKED' } });
  });

  test('sees and revokes its own keys by signing in, and no others; one that never minted sees none', async () => {
    const [one, two] = [await Staker.funded(gateway, sandbox), await Staker.funded(gateway, sandbox)];
    const signedIn = async (staker: Staker, method: string, path: string) =>
      gateway.ask({ method, path, headers: { 'sign-in-with-x': await signInOf(staker) } });
    expect(await signedIn(one, 'GET', KEYS)).toMatchObject({ status: 200, json: { success: true, data: [] } });
    expect((await signedIn(one, 'DELETE', `${KEYS}?id=1`)).status).toBe(404);
    await one.stake('stake', 1n);
    const { apiKey, id } = await minter.mint(one);
    expect(await signedIn(one, 'GET', KEYS)).toMatchObject({
      status: 200,
      json: { data: [{ id, last6Chars: apiKey.slice(-6) }] },
    });
    expect((await signedIn(two, 'DELETE', `${KEYS}?id=${id}`)).status).toBe(404);
    await gateway.operator.run('grants add', '--account', String(await minter.accountOf(apiKey)), '--usd', '1');
    expectCharged(gateway, await chainId(apiKey), 20);
    expect((await signedIn(one, 'DELETE', `${KEYS}?id=${id}`)).status).toBe(200);
    expect((await chainId(apiKey)).status).toBe(401);
  });

  test('cannot spend beyond the limit of its key', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
    const { apiKey } = await minter.mint(staker, { consumptionLimit: { usd: CALL_NANO_USD / 1e9 } });
    await gateway.operator.run('grants add', '--account', String(await minter.accountOf(apiKey)), '--usd', '1');
    expectCharged(gateway, await chainId(apiKey), 20);
    expect(await chainId(apiKey)).toMatchObject({ status: 402, json: { code: 'API_KEY_USD_SPEND_LIMIT_EXCEEDED' } });
  });
});

/** spec, "Authentication": the prepaid balance of a wallet is "not visible as balance to a minted Bearer key". */
test('what a wallet prepaid is for its sign-in alone: a key that it minted neither sees nor spends it', async () => {
  const staker = await Staker.funded(gateway, sandbox);
  await staker.stake('stake', 1n);
  const { apiKey } = await minter.mint(staker);
  const { accountId } = await gateway.operator.prepay(staker.account.address, '1');
  expect(accountId).toBe(await minter.accountOf(apiKey));

  const signIn = { 'sign-in-with-x': await signInOf(staker) };
  const pots = { balances: { diem: 0, bundledCredits: 0, usd: 0 }, diemEpochAllocation: 0 };
  const byKey = await asKey('GET', BALANCE, apiKey);
  expect(byKey).toMatchObject({ status: 200, json: { ...pots, canConsume: false, consumptionCurrency: 'USD' } });
  expect(byKey.json).not.toHaveProperty('x402Usd');
  const bySignIn = { method: 'GET', path: BALANCE, headers: signIn };
  expect(await gateway.ask(bySignIn)).toMatchObject({
    status: 200,
    json: { ...pots, canConsume: true, consumptionCurrency: 'X402', x402Usd: 1 },
  });

  expect(await chainId(apiKey)).toMatchObject({
    status: 402,
    json: { code: 'INSUFFICIENT_BALANCE', currentBalanceUsd: 0 },
  });
  const paid = await gateway.rpc(
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
    { as: null, network: 'sandbox-testnet', headers: signIn },
  );
  expectCharged(gateway, paid, 20);
  expect((await gateway.ask(bySignIn)).json).toMatchObject({ x402Usd: 1 - CALL_NANO_USD / 1e9 });
});

describe('a wallet that is a contract', () => {
  test('mints by the signature of its owner (EIP-1271), also where that is wrapped as of one not deployed yet (ERC-6492)', async () => {
    const owner = await Staker.funded(gateway, sandbox);
    const { address, factory, factoryData } = await owner.stakingContract('stake', TOKENS);
    const claim: Record<string, unknown> = { ...(await minter.claimOf(owner)), address };
    const minted = await minter.post(claim);
    expect(minted.status, minted.text).toBe(200);
    const signature = serializeErc6492Signature({
      address: factory,
      data: factoryData,
      signature: claim.signature as `0x${string}`,
    });
    expect((await minter.post({ ...claim, signature })).status).toBe(200);
  });

  test('does not by the signature of anybody else', async () => {
    const owner = await Staker.funded(gateway, sandbox);
    const { address } = await owner.stakingContract('stake', TOKENS);
    const thief = await Staker.funded(gateway, sandbox);
    expect(await minter.post({ ...(await minter.claimOf(thief)), address })).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('Wallet signature does not match') },
    });
  });
});

describe('the errors of minting are 400 with their text in `error`', () => {
  let staker: Staker;
  beforeAll(async () => {
    staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
  });
  const refused = async (claim: object, text: string) => {
    const answer = await minter.post(claim);
    expect(answer.status, answer.text).toBe(400);
    expect((answer.json as { error: string }).error).toContain(text);
  };

  test('Invalid wallet address', async () => {
    for (const address of [
      '0x',
      'vitalik.eth',
      staker.account.address.slice(0, -1),
      'So11111111111111111111111111111111111111112',
    ])
      await refused(await minter.claimOf(staker, { address }), 'Invalid wallet address');
    // First example address of EIP-55 with the case of one letter changed. A random address may have too few letters
    // for this.
    await refused(
      await minter.claimOf(staker, { address: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }),
      'Invalid wallet address',
    );
  });

  test('JWT is malformed, JWT signature is invalid', async () => {
    await refused(await minter.claimOf(staker, { token: 'token' }), 'JWT is malformed');
    const [head, body] = (await minter.freshToken()).split('.');
    await refused(
      await minter.claimOf(staker, { token: `${head}.${body}.${'A'.repeat(43)}` }),
      'JWT signature is invalid',
    );
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    await refused(await minter.claimOf(staker, { token: `${none}.${body}.` }), 'JWT signature is invalid');
  });

  test('Wallet signature does not match', async () => {
    const stranger = await Staker.funded(gateway, sandbox);
    await refused(
      await minter.claimOf(stranger, { address: staker.account.address }),
      'Wallet signature does not match',
    );
    await refused(
      await minter.claimOf(staker, { token: await minter.freshToken() }),
      'Wallet signature does not match',
    );
    for (const signature of ['', '0x', 'signature', `0x${'00'.repeat(65)}`])
      await refused(await minter.claimOf(staker, { signature }), 'Wallet signature does not match');
  });

  test('Wallet has no staked TPK on Base: with none ever, with the other token alone, and with a stake that was taken back', async () => {
    const poor = await Staker.funded(gateway, sandbox);
    await refused(await minter.claimOf(poor), 'Wallet has no staked TPK on Base');
    await poor.stake('dailyCredit', TOKENS);
    await refused(await minter.claimOf(poor), 'Wallet has no staked TPK on Base');
    await poor.stake('stake', 5n);
    await minter.mint(poor);
    await poor.unstake('stake', 5n);
    await refused(await minter.claimOf(poor), 'Wallet has no staked TPK on Base');
  });

  test('a body of another shape has details, and unknown fields are refused', async () => {
    for (const extra of [
      { apiKeyType: 'ROOT' },
      { expiresAt: '2020-01-01' },
      { consumptionLimit: { diem: 1, vcu: 2 } },
      { limitPeriod: 'DAY' },
      { admin: true },
    ]) {
      expect(await minter.post(await minter.claimOf(staker, extra))).toMatchObject({
        status: 400,
        json: { code: 'INVALID_REQUEST', details: { _errors: expect.any(Array) } },
      });
    }
  });
});
