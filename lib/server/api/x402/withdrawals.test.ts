import type { RequestListener } from 'node:http';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { withdrawalDomain, WITHDRAWAL_TYPES } from '@/lib/protocol/x402/withdrawal-text';
import { type CommandOutcome, runCommand } from '@/test/customer-command';
import { evmRail, USDC } from '@/test/live-configuration';
import { type AskedItem, scriptedNode, sound } from '@/test/scripted-node';
import { gatewayOfFile, serve } from '@/test/test-gateway';
import { creditPayment, recordPayment } from '../../db/payments';
import { nodeListener } from '../../http/node-adapter';

const ORIGIN = 'https://gateway.example';
const PATH = '/api/v1/x402/withdrawals';
const NONCE = `0x${'AB'.repeat(32)}` as const;
const USD = 1_000_000_000;

/** Balance of the paying wallet, 1,000 USDC, and an authorization that is not used. */
function onChain({ method, params }: AskedItem): string {
  if (method === 'eth_blockNumber') return '"0x64"';
  const [call] = params as [{ data?: string }];
  const isBalance = method === 'eth_call' && call.data?.startsWith('0x70a08231');
  return JSON.stringify(toHex(isBalance ? 1_000_000_000n : 0n, { size: 32 }));
}

/** Starts a live gateway, and a wallet that has prepaid 5 USD. With null, wallets cannot withdraw. */
async function opened(withdrawals: object | null = { privateKey: `0x${'1'.repeat(64)}`, dailyUsdMax: 10 }) {
  let listener: RequestListener | null = null;
  const { origin } = await serve((request, response) => listener?.(request, response));
  const node = await scriptedNode(sound(onChain));
  const gateway = await gatewayOfFile({
    publicUrls: [ORIGIN, origin],
    networks: { 'base-mainnet': { upstreams: [node.url], chainIdentity: false } },
    payments: { rails: [evmRail], ...(withdrawals && { withdrawals }), resumeIntervalMs: 3_600_000 },
  });
  listener = nodeListener(gateway);
  const key = generatePrivateKey();
  const owner = privateKeyToAccount(key);
  const { id } = await recordPayment(gateway.db, {
    identity: 'one',
    network: 'eip155:8453',
    asset: USDC,
    payer: owner.address.toLowerCase(),
    pay_to: evmRail.receiver,
    amount_units: '5000000',
    amount: 5 * USD,
    content: '{}',
    from_height: 0,
    expires_at: null,
    expires_height: null,
    client: null,
    call: null,
  });
  await creditPayment(gateway.db, id, { transaction_id: '0x', amount_units: '5000000', amount: 5 * USD });
  const signIn = async (account = owner): Promise<Record<string, string>> => {
    const issuedAt = new Date();
    const message = createSiweMessage({
      address: account.address,
      domain: 'gateway.example',
      uri: ORIGIN,
      version: '1',
      chainId: 8453,
      nonce: '0123456789abcdef',
      issuedAt,
      expirationTime: new Date(issuedAt.getTime() + 600_000),
    });
    const signature = await account.signMessage({ message });
    const payload = { address: account.address, message, signature, timestamp: issuedAt.getTime(), chainId: 8453 };
    return { 'sign-in-with-x': Buffer.from(JSON.stringify(payload)).toString('base64') };
  };
  const body = async (amount: string): Promise<Record<string, string>> => {
    const fields = { gateway: ORIGIN, amount, fee: '50000', nonce: NONCE };
    const validBefore = String(Math.floor(Date.now() / 1_000) + 600);
    const signature = await owner.signTypedData({
      domain: withdrawalDomain(8453, USDC),
      types: WITHDRAWAL_TYPES,
      primaryType: 'Withdrawal',
      message: {
        ...fields,
        to: owner.address,
        amount: BigInt(amount),
        fee: 50_000n,
        validBefore: BigInt(validBefore),
      },
    });
    return { network: 'eip155:8453', asset: USDC, ...fields, validBefore, signature };
  };
  const call = async (path: string, headers: Record<string, string>, posted?: unknown) => {
    const response = await fetch(origin + path, {
      method: posted === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(posted !== undefined && { body: typeof posted === 'string' ? posted : JSON.stringify(posted) }),
    });
    return { status: response.status, json: (await response.json()) as { data: { id: string }; error: string } };
  };
  const command = (args: string): Promise<CommandOutcome> =>
    runCommand(['withdraw', ...args.split(' ')], { env: { TURNPIKE_URL: origin, TURNPIKE_PRIVATE_KEY: key } });
  return { owner, signIn, body, call, node, origin, command, metrics: () => gateway.metrics.text() };
}

describe('withdrawals over HTTP', () => {
  it('are debited at once, and shown to their wallet in three places and to no other', async () => {
    const { owner, signIn, body, call, origin } = await opened();
    const by = await signIn();
    const asked = await body('4000000');
    const answer = await call(PATH, by, asked);
    expect(answer).toMatchObject({
      status: 202,
      json: { success: true, data: { amountUsd: 4, feeUsd: 0.05, payout: '3950000', balanceAfterUsd: 1 } },
    });
    const { id } = answer.json.data;
    expect(await call(PATH, by, asked)).toMatchObject({ status: 202, json: { data: { id } } });
    expect(await call(`${PATH}/${id}`, by)).toMatchObject({ status: 200, json: { data: { id, amountUsd: 4 } } });
    expect(await call(PATH, by)).toMatchObject({
      status: 200,
      json: {
        data: {
          gateway: origin,
          terms: [{ asset: USDC, minimum: '1000000', fee: '50000', withdrawable: '1000000' }],
          withdrawals: [{ id }],
        },
      },
    });
    expect(await call(`/api/v1/x402/transactions/${owner.address}`, by)).toMatchObject({
      json: {
        data: {
          currentBalance: 1,
          transactions: [
            { type: 'WITHDRAWAL', amount: -4, requestId: id, network: 'eip155:8453' },
            { type: 'TOP_UP', amount: 5 },
          ],
        },
      },
    });
    const stranger = await signIn(privateKeyToAccount(generatePrivateKey()));
    expect(await call(`${PATH}/${id}`, stranger)).toMatchObject({
      status: 404,
      json: { code: 'WITHDRAWAL_NOT_FOUND' },
    });
    expect(await call(PATH, stranger, asked)).toMatchObject({
      status: 400,
      json: { code: 'INVALID_REQUEST', details: { signature: { _errors: [expect.any(String)] } } },
    });
  });

  it('are refused with the field, the possible amount or the reason', async () => {
    const { signIn, body, call, node } = await opened();
    const by = await signIn();
    const asked = await body('4000000');
    const refusals: [unknown, number, string][] = [
      ['', 400, 'EMPTY_BODY'],
      ['{', 400, 'INVALID_JSON'],
      [[], 400, 'INVALID_REQUEST'],
      [{ ...asked, to: '0x' }, 400, 'INVALID_REQUEST'],
      [{ ...asked, amount: '-1' }, 400, 'INVALID_REQUEST'],
      [{ ...asked, amount: 4_000_000 }, 400, 'INVALID_REQUEST'],
      [{ ...asked, nonce: '0x1' }, 400, 'INVALID_REQUEST'],
      [{ ...asked, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, 400, 'INVALID_REQUEST'],
      [{ ...asked, signature: 'f'.repeat(20_000) }, 413, 'BODY_TOO_LARGE'],
      [await body('5000001'), 400, 'WITHDRAWAL_TOO_LARGE'],
    ];
    for (const [posted, status, code] of refusals)
      expect([posted, await call(PATH, by, posted)]).toMatchObject([posted, { status, json: { code } }]);
    expect((await call(PATH, by, await body('5000001'))).json.error).toMatch(/withdraw at most 5\.000000 USD/);
    node.script = sound((item) =>
      item.method === 'eth_blockNumber' ? '"0x64"' : JSON.stringify(toHex(0n, { size: 32 })),
    );
    expect(await call(PATH, by, asked)).toMatchObject({ status: 503, json: { code: 'WITHDRAWALS_PAUSED' } });
    expect(await call(PATH, {}, asked)).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    expect(await call(PATH, { authorization: 'Bearer tpk_some_key' }, asked)).toMatchObject({ status: 401 });
    expect(await call(PATH, by)).toMatchObject({
      json: { data: { withdrawals: [], terms: [{ withdrawable: '5000000' }] } },
    });
  });

  it('are made and listed by turnpike-client', async () => {
    const { owner, command, metrics } = await opened();
    const { code, out, err } = await command('--amount 4 --network base-mainnet --yes --json');
    expect([code, err]).toEqual([0, expect.stringContaining('Payout   3.95 USDC on base-mainnet') as string]);
    const made = JSON.parse(out) as { id: string };
    expect(made).toMatchObject({ amountUsd: 4, balanceAfterUsd: 1, to: owner.address.toLowerCase() });
    const listed = JSON.parse((await command('--json')).out) as unknown;
    expect(listed).toMatchObject({ terms: [{ withdrawable: '1000000' }], withdrawals: [{ id: made.id }] });
    expect((await command('--amount 1.5 --yes')).code).toBe(1);
    expect(await metrics()).toMatch(/turnpike_withdrawals_nano_usd_total\{state="\w+"\} 4000000000\n/);
  });

  it('wait for the next day once the bound of this day is reached', async () => {
    const { signIn, body, call } = await opened({ privateKey: `0x${'1'.repeat(64)}`, dailyUsdMax: 3 });
    expect(await call(PATH, await signIn(), await body('4000000'))).toMatchObject({
      status: 503,
      json: { code: 'WITHDRAWALS_PAUSED', error: expect.stringMatching(/3\.000000 USD are left/) as string },
    });
  });

  it('are not offered unless the operator configures them', async () => {
    const { signIn, body, call } = await opened(null);
    const by = await signIn();
    for (const path of [PATH, `${PATH}/wd_1`]) expect(await call(path, by)).toMatchObject({ status: 404 });
    expect(await call(PATH, by, await body('4000000'))).toMatchObject({ status: 404, json: { code: 'NOT_OFFERED' } });
  });
});
