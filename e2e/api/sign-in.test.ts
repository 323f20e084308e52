/**
 * @at next: Next's own server determines the host of a sign-in, and the headers are long.
 * @at postgres: wallets, sign-ins and prepaid balances are database rows and functions.
 */
import { base58 } from '@scure/base';
import { Keypair } from '@solana/web3.js';
import { Wallet } from 'ethers';
import { createPrivateKey, sign } from 'node:crypto';
import { SiweMessage } from '@signinwithethereum/siwe';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage, generateSiweNonce } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from './harness/at';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';

/**
 * Wallets as callers: third-party libraries sign in, call the RPC proxy and pay from the prepaid balance. Each fault of
 * a sign-in is a 401 with its own name. Missing money is a 402 of shape B.
 */

const SOLANA_MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const CHAIN_ID = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
const COST_NANO_USD = 20 * 700;
const NAMES = ['SIGN-IN-WITH-X', 'X-Sign-In-With-X'];

let live: LiveGateway;
beforeAll(async () => {
  live = await startLiveGateway();
});
afterAll(() => live.stop());

const header = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64');
const domain = () => `localhost:${live.gateway.port}`;
const uri = () => `http://${domain()}`;
const call = (
  signIn: string,
  { name = 'SIGN-IN-WITH-X', body = CHAIN_ID, headers = {} as Record<string, string> } = {},
) => live.gateway.rpc(body, { as: null, headers: { [name]: signIn, ...headers } });

/** A wallet of viem with its sign-in. */
function viemWallet() {
  const account = privateKeyToAccount(generatePrivateKey());
  const signIn = async (change: Partial<Parameters<typeof createSiweMessage>[0]> = {}, payload: object = {}) => {
    const message = createSiweMessage({
      address: account.address,
      domain: domain(),
      uri: uri(),
      version: '1',
      chainId: 8453,
      nonce: generateSiweNonce(),
      statement: 'Sign in to Turnpike',
      issuedAt: new Date(),
      expirationTime: new Date(Date.now() + 600_000),
      ...change,
    });
    return header({
      address: account.address,
      message,
      signature: await account.signMessage({ message }),
      timestamp: Date.now(),
      chainId: 8453,
      ...payload,
    });
  };
  return { address: account.address, signIn };
}

/** A wallet of ethers that signs a message made by the successor of the package siwe. */
function ethersWallet() {
  const wallet = Wallet.createRandom();
  const signIn = async () => {
    const siwe = new SiweMessage({
      address: wallet.address,
      nonce: generateSiweNonce(),
      issuedAt: new Date().toISOString(),
      domain: domain(),
      uri: `${uri()}/api/v1/crypto/rpc/ethereum-mainnet`,
      version: '1',
      chainId: 8453,
      statement: 'Sign in to Turnpike',
      expirationTime: new Date(Date.now() + 600_000).toISOString(),
    });
    const message = siwe.prepareMessage();
    return header({
      address: wallet.address.toLowerCase(),
      message,
      signature: await wallet.signMessage(message),
      timestamp: Date.now(),
      chainId: 'eip155:8453',
      type: 'eip191',
    });
  };
  return { address: wallet.address, signIn };
}

/** A key pair of Solana's library. Node signs with it. */
function solanaWallet(encoding: 'base58' | 'base64') {
  const keypair = Keypair.generate();
  const address = keypair.publicKey.toBase58();
  const key = createPrivateKey({
    format: 'der',
    type: 'pkcs8',
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), keypair.secretKey.subarray(0, 32)]),
  });
  const signIn = () => {
    const message = [
      `${domain()} wants you to sign in with your Solana account:`,
      address,
      '',
      'Sign in to Turnpike',
      '',
      `URI: ${uri()}`,
      'Version: 1',
      `Chain ID: ${SOLANA_MAINNET}`,
      'Nonce: 0123456789abcdef',
      `Issued At: ${new Date().toISOString()}`,
    ].join('\n');
    const signature = sign(null, Buffer.from(message), key);
    return Promise.resolve(
      header({
        address,
        message,
        signature: encoding === 'base58' ? base58.encode(signature) : signature.toString('base64'),
        timestamp: Date.now(),
        chainId: SOLANA_MAINNET,
        type: 'ed25519',
      }),
    );
  };
  return { address, signIn };
}

const WALLETS = [
  ['viem', viemWallet],
  ['ethers with the siwe package', ethersWallet],
  ['a Solana keypair, its signature in base58', () => solanaWallet('base58')],
  ['a Solana keypair, its signature in Base64', () => solanaWallet('base64')],
] as const;

describe.each(WALLETS)('a wallet of %s', (_name, make) => {
  test.each(NAMES)('calls under %s and pays out of what it prepaid', async (name) => {
    const { address, signIn } = make();
    const { accountId } = await live.gateway.operator.prepay(address, '0.001');
    const signedIn = await signIn();
    for (const left of ['0.000986', '0.000972', '0.000958']) {
      const answer = await call(signedIn, { name });
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"result":"0x2a"')]);
      expect(answer.headers).toMatchObject({ 'x-service-rpc-credits': '20', 'x-balance-remaining': left });
    }
    expect((await live.gateway.operator.balances()).get(accountId)).toMatchObject({
      x402: '0.000958000',
      usd: '0.000000000',
    });
  });

  test('without money is told what the call, or batch, costs and how to pay', async () => {
    const signedIn = await make().signIn();
    const batch = JSON.stringify([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })));
    for (const [body, items] of [
      [CHAIN_ID, 1],
      [batch, 3],
    ] as const) {
      live.stub.reset();
      const answer = await call(signedIn, { body });
      expect(answer.status).toBe(402);
      expect(answer.json).toMatchObject({
        error: 'Payment required',
        code: 'PAYMENT_REQUIRED',
        reason: 'insufficient_balance',
        currentBalanceUsd: 0,
        minimumBalanceUsd: (items * COST_NANO_USD) / 1e9,
        suggestedTopUpUsd: 10,
        minimumTopUpUsd: 5,
      });
      const { siwxChallenge } = answer.json as {
        siwxChallenge: { info: Record<string, string>; supportedChains: object[] };
      };
      expect(Object.keys(siwxChallenge.info).sort()).toEqual([
        'domain',
        'expirationTime',
        'issuedAt',
        'nonce',
        'statement',
        'uri',
        'version',
      ]);
      expect(siwxChallenge.supportedChains).toContainEqual({ chainId: SOLANA_MAINNET, type: 'ed25519' });
      const required = JSON.parse(
        Buffer.from(String(answer.headers['payment-required']), 'base64').toString(),
      ) as object;
      expect(required).toMatchObject({
        x402Version: 2,
        extensions: {
          'sign-in-with-x': {
            supportedChains: expect.arrayContaining([{ chainId: 'eip155:8453', type: 'eip191' }]) as unknown,
          },
        },
      });
      expect(live.stub.requests).toHaveLength(0);
    }
  });
});

describe('the host that was asked', () => {
  test.each(['localhost', '127.0.0.1'])('is named in all of a 402: %s', async (name) => {
    const host = `${name}:${live.gateway.port}`;
    // Both shapes of 402, and that of the top-up.
    for (const [path, headers] of [
      ['/api/v1/crypto/rpc/ethereum-mainnet', {}],
      ['/api/v1/crypto/rpc/ethereum-mainnet', { 'sign-in-with-x': await viemWallet().signIn() }],
      ['/api/v1/x402/top-up', {}],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${live.gateway.port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: CHAIN_ID,
      }).then((response) => response.text());
      expect(answer).toContain(`http://127.0.0.1:${live.gateway.port}`);
      expect(answer).not.toContain('localhost');
      const named = await live.gateway.ask({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', host, ...headers },
        body: CHAIN_ID,
      });
      expect(named.status).toBe(402);
      expect(new Set(named.text.match(/https?:\/\/[a-z0-9.]+:\d+/g))).toEqual(new Set([`http://${host}`]));
    }
  });
});

describe('a wallet that pays', () => {
  test('signs the challenge of the 402 answer, in the form of the x402 extension', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await live.gateway.operator.prepay(account.address, '1');
    const { extensions } = (await live.gateway.rpc(CHAIN_ID, { as: null })).json as {
      extensions: { 'sign-in-with-x': { info: Record<string, string> } };
    };
    const { info } = extensions['sign-in-with-x'];
    const message = new SiweMessage({ ...info, address: account.address, chainId: 8453 }).prepareMessage();
    const signature = await account.signMessage({ message });
    expect(
      (await call(header({ ...info, address: account.address, chainId: 'eip155:8453', type: 'eip191', signature })))
        .status,
    ).toBe(200);
  });

  at('fast', 'postgres').test(
    'is told its balance on a replay and beside errors of items, and never more than it has',
    async () => {
      const { address, signIn } = viemWallet();
      await live.gateway.operator.prepay(address, '0.0001009');
      const signedIn = await signIn();
      live.stub.answer(({ items: [item] }) =>
        JSON.stringify({ jsonrpc: '2.0', id: item?.id, error: { code: -32602, message: 'bad params' } }),
      );
      const failed = await call(signedIn, { headers: { 'idempotency-key': 'one' } });
      expect(failed.headers).toMatchObject({ 'x-service-rpc-credits': '5', 'x-balance-remaining': '0.000097' });
      live.stub.reset();
      const replayed = await call(signedIn, { headers: { 'idempotency-key': 'one' } });
      expect(replayed.headers).toMatchObject({
        'idempotent-replayed': 'true',
        'x-service-rpc-credits': '0',
        'x-balance-remaining': '0.000097',
      });
      for (const expected of [200, 200, 200, 200, 200, 200, 402]) expect((await call(signedIn)).status).toBe(expected);
      expect((await call(signedIn, { headers: { 'idempotency-key': 'one' } })).status).toBe(200);
      expect((await call(signedIn, { headers: { 'idempotency-key': 'two' } })).json).toMatchObject({
        reason: 'insufficient_balance',
        currentBalanceUsd: 0.0000134,
        minimumBalanceUsd: 0.000014,
      });
    },
  );

  at('fast', 'postgres').test('many calls at once spend no more than there is', async () => {
    const { address, signIn } = viemWallet();
    const { accountId } = await live.gateway.operator.prepay(address, '0.00014');
    const signedIn = await signIn();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call(signedIn)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(30);
    expect((await live.gateway.operator.balances()).get(accountId)).toMatchObject({ x402: '0.000000000' });
    expect(await live.gateway.operator.checkLedger()).toMatchObject({ ok: true });
  });

  at('fast').test('has its balance told to no caller with a key', async () => {
    const key = await live.gateway.operator.createCaller();
    expect((await live.gateway.rpc(CHAIN_ID, { as: key })).headers).not.toHaveProperty('x-balance-remaining');
  });
});

at('fast', 'next').describe('a sign-in that does not hold is 401, and says why', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);

  test.each<[string, string, RegExp, () => Promise<string>]>([
    [
      'for another domain',
      'SIGN_IN_WRONG_DOMAIN',
      /evil\.example/,
      () => viemWallet().signIn({ domain: 'evil.example', uri: 'https://evil.example' }),
    ],
    [
      'which ends before it began',
      'SIGN_IN_EXPIRED',
      /not after its Issued At/,
      () =>
        viemWallet().signIn({ issuedAt: new Date(Date.now() + 30_000), expirationTime: new Date(Date.now() + 20_000) }),
    ],
    [
      'of the zero address',
      'SIGN_IN_BAD_SIGNATURE',
      /does not match the wallet address/,
      () =>
        viemWallet().signIn(
          { address: `0x${'0'.repeat(40)}` },
          { address: `0x${'0'.repeat(40)}`, signature: `0x${'0'.repeat(128)}1b` },
        ),
    ],
    ['for another port', 'SIGN_IN_WRONG_DOMAIN', /localhost:1/, () => viemWallet().signIn({ domain: 'localhost:1' })],
    [
      'with the URI of another site',
      'SIGN_IN_WRONG_DOMAIN',
      /URI/,
      () => viemWallet().signIn({ uri: 'https://evil.example' }),
    ],
    ['on another chain', 'SIGN_IN_WRONG_CHAIN', /eip155:1"/, () => viemWallet().signIn({ chainId: 1 }, { chainId: 1 })],
    ['on another chain than it says', 'SIGN_IN_MALFORMED', /"chainId"/, () => viemWallet().signIn({ chainId: 1 })],
    [
      'expired',
      'SIGN_IN_EXPIRED',
      /Expiration Time has passed/,
      () =>
        viemWallet().signIn(
          { issuedAt: minutes(-20), expirationTime: minutes(-10) },
          { timestamp: Number(minutes(-20)) },
        ),
    ],
    [
      'for longer than a day',
      'SIGN_IN_EXPIRED',
      /24 hours/,
      () => viemWallet().signIn({ expirationTime: minutes(1441) }),
    ],
    ['from the future', 'SIGN_IN_NOT_YET_VALID', /future/, () => viemWallet().signIn({ issuedAt: minutes(5) })],
    ['not valid yet', 'SIGN_IN_NOT_YET_VALID', /Not Before/, () => viemWallet().signIn({ notBefore: minutes(5) })],
    [
      'with a timestamp from the future',
      'SIGN_IN_NOT_YET_VALID',
      /timestamp/,
      () => viemWallet().signIn({}, { timestamp: Number(minutes(5)) }),
    ],
    [
      'under the address of another wallet',
      'SIGN_IN_MALFORMED',
      /"address"/,
      () => viemWallet().signIn({}, { address: viemWallet().address }),
    ],
    [
      'with an invalid signature',
      'SIGN_IN_BAD_SIGNATURE',
      /does not match the wallet address/,
      () => viemWallet().signIn({}, { signature: '0x1234' }),
    ],
    [
      'with the signature of another wallet',
      'SIGN_IN_BAD_SIGNATURE',
      /does not match the wallet address/,
      async () =>
        viemWallet().signIn(
          {},
          { signature: await privateKeyToAccount(generatePrivateKey()).signMessage({ message: 'x' }) },
        ),
    ],
    [
      'with a Solana signature under an EVM address',
      'SIGN_IN_BAD_SIGNATURE',
      /does not match the wallet address/,
      () => viemWallet().signIn({}, { signature: base58.encode(new Uint8Array(64).fill(7)) }),
    ],
    [
      'with carriage returns',
      'SIGN_IN_MALFORMED',
      /Line 1/,
      () => viemWallet().signIn({}, { message: 'localhost wants you to sign in with your Ethereum account:\r\n0x' }),
    ],
    ['that is too long', 'SIGN_IN_MALFORMED', /longer/, () => Promise.resolve('A'.repeat(12_289))],
    ['that is cut off', 'SIGN_IN_MALFORMED', /JSON/, async () => (await viemWallet().signIn()).slice(0, 400)],
  ])('%s', async (_what, code, sentence, make) => {
    live.stub.reset();
    // The stand-in of Base denies all questions about a contract.
    live.stub.answer(({ items: [item] }) => JSON.stringify({ jsonrpc: '2.0', id: item?.id, result: '0x00' }));
    const signedIn = await make();
    for (const name of NAMES) {
      const answer = await call(signedIn, { name });
      expect([answer.status, answer.json]).toMatchObject([
        401,
        { code, error: expect.stringMatching(sentence) as unknown, hint: expect.any(String) as unknown },
      ]);
      expect(answer.json).not.toHaveProperty('details');
    }
    expect(live.stub.requests.filter(({ network }) => network === 'ethereum-mainnet')).toHaveLength(0);
  });

  test('a chain that does not answer about a contract is 503 with Retry-After, never 401', async () => {
    live.stub.reset();
    live.stub.answer(() => ({ status: 500 }));
    const answer = await call(await viemWallet().signIn({}, { signature: '0x1234' }));
    expect([answer.status, answer.json]).toMatchObject([503, { code: 'SIGN_IN_UNVERIFIABLE' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    live.stub.reset();
  });
});
